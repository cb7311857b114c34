# shellcheck shell=bash
# shellcheck disable=SC2317  # functions that stand in for others are called by those under test
# Tests of the script itself. Each test_* function runs in a shell of its own; the first failing command fails it.

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
# shellcheck source=scripts/test/expect.sh
source "$repository/scripts/test/expect.sh"
# What ./pq downloaded already serves the tests that set up a state folder of their own.
downloads=${PQ_DOWNLOADS:-$repository/.pq/downloads}
# These tests are of Debian's server, whichever one is tested.
unset PQ_MYSQL PQ_MYSQL_SOURCE
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Loads the parts of the script with a state folder of the test's own.
load_parts() {
  export PQ_ROOT=$repository PQ_STATE=$work/state PQ_DOWNLOADS=$downloads
  mkdir -p "$PQ_STATE"
  local part
  for part in common host jdk versions mysql build servers replicas; do
    # shellcheck source=/dev/null
    source "$repository/scripts/$part.sh"
  done
}

test_help_names_every_command() {
  local command
  for command in demo bench ranges balance readahead scans torture mutants valgrind release test sql doctor up down status setup build format check clean; do
    "$repository/pq" help | grep -w "$command" >/dev/null
  done
}

test_unknown_command() { fails_with "no such command: bild" "$repository/pq" bild; }

test_unknown_set() { fails_with "no such set: nonsense" env PQ_STATE="$work/state" "$repository/pq" test --set nonsense; }

# A set's own tests, one of which fails, are counted beside those of a report. A set without tests has failed.
test_sets_are_counted() {
  load_parts
  # shellcheck source=/dev/null
  source "$repository/scripts/test.sh"
  printf '<testsuite tests="3" failures="1"><testcase name="testBroken" classname="TestX"><failure message="why"/></testcase></testsuite>' >"$work/TEST-X.xml"
  set_of_two() {
    count 0 one
    count 3 other
    count_reports 1 "a run" "$work/TEST-X.xml"
  }
  set_empty() { :; }
  prepare_in_background() { :; }
  if CI='' run_sets of-two empty >"$work/said"; then return 1; fi
  printf '%s\n' "FAILED: other" "  FAILED testBroken: why" "FAILED: empty ran no test" "3 passed, 3 failed" |
    while IFS= read -r line; do grep -qxF "$line" "$work/said"; done
  set_of_two() { count 0 one; }
  run_sets of-two
}

test_fault_that_no_test_provoked() {
  load_parts
  # shellcheck source=/dev/null
  source "$repository/scripts/reliability.sh"
  echo "Fault: STALL answered" >"$work/output.txt"
  output_of() { echo "$work/output.txt"; }
  count() { say "$1 $2"; }
  judge_faults >"$work/said"
  grep -qx "1 no test provoked the fault BLACK_HOLE" "$work/said"
  ! grep -qw STALL "$work/said"
}

test_output_of_test_classes() {
  load_parts
  PQ_ROOT=$work
  mkdir -p "$work"/{connector,src/test}/target/surefire-reports
  touch "$work"/connector/target/surefire-reports/io.TestA{,Too}-output.txt "$work"/src/test/target/surefire-reports/io.fault.Test{B,C}-output.txt
  [[ $(output_of 'fault.*' TestA TestNone | sed 's|.*/||' | paste -s -d ' ') == "io.fault.TestB-output.txt io.fault.TestC-output.txt io.TestA-output.txt" ]]
  clear_output TestA TestNone
  [[ -z $(output_of TestA) && -n $(output_of TestAToo) ]]
}

test_bad_scale() { fails_with "--scale needs a number" env PQ_STATE="$work/state" "$repository/pq" demo --scale big; }

test_missing_library_of_scans() { fails_with "--against needs the file" env PQ_STATE="$work/state" "$repository/pq" scans --against "$work/nothing.so"; }

test_bad_seconds_of_torture() { fails_with "--seconds needs a number" env PQ_STATE="$work/state" "$repository/pq" torture --seconds long; }

test_query_of_no_seed_of_torture() { fails_with "--query N is one of --seed N" env PQ_STATE="$work/state" "$repository/pq" torture --query 5; }

test_bad_queries_of_torture() { fails_with "--queries needs a number" env PQ_STATE="$work/state" "$repository/pq" torture --queries many; }

test_unknown_fault() { fails_with "no such fault: NONSENSE; there are: RESET_IN_MID_ROW " env PQ_STATE="$work/state" "$repository/pq" faults NONSENSE; }

test_doctor_without_user() { fails_with "usage: PQ_PASSWORD=... ./pq doctor URL USER" env PQ_STATE="$work/state" "$repository/pq" doctor jdbc:mysql://127.0.0.1:3306; }

test_doctor_of_another_database() { fails_with "doctor needs the URL of a catalog" env PQ_STATE="$work/state" "$repository/pq" doctor postgresql://127.0.0.1 root; }

# Port 1 of this host serves nobody.
test_doctor_without_server() {
  fails_with "problem  connection: " env PQ_STATE="$work/state" "$repository/pq" doctor jdbc:mysql://127.0.0.1:1 root
}

test_ranges_needs_a_url_and_a_table_with_its_schema() {
  fails_with "must begin with jdbc:mysql://" env PQ_STATE="$work/state" "$repository/pq" ranges localhost root shop.orders
  fails_with "needs its schema" env PQ_STATE="$work/state" "$repository/pq" ranges jdbc:mysql://localhost root orders
  fails_with "--degree needs a number" env PQ_STATE="$work/state" "$repository/pq" ranges --degree 0 jdbc:mysql://localhost root shop.orders
  fails_with "usage:" env PQ_STATE="$work/state" "$repository/pq" ranges --degree 4
}

test_only_the_picture_goes_to_where_it_is_wanted() {
  load_parts
  # shellcheck source=/dev/null
  source "$repository/scripts/programs.sh"
  command_build() { say building; }
  cross_program() { say "<svg of $*>"; }
  command_ranges --degree 32 jdbc:mysql://localhost:3306 root shop.orders 3>"$work/picture.svg" >"$work/said"
  [[ $(cat "$work/picture.svg") == "<svg of ranges.RangesPicture 32 jdbc:mysql://localhost:3306 root shop.orders PRIMARY>" ]]
  grep -q building "$work/said"
}

test_stock_plugin_without_jars() {
  fails_with "--stock-plugin needs the directory" env PQ_STATE="$work/state" "$repository/pq" bench --stock-plugin "$work"
}

test_bench_option_without_value() {
  fails_with "usage: ./pq bench" env PQ_STATE="$work/state" "$repository/pq" bench --assert --rounds
}

test_results_that_are_not_there() {
  fails_with "usage: ./pq bench --draw" env PQ_STATE="$work/state" "$repository/pq" bench --draw "$work/none.json"
}

test_bench_draws_its_own_results_when_goals_are_missed_too() {
  load_parts
  # shellcheck source=/dev/null
  source "$repository/scripts/programs.sh"
  command_build() { :; }
  setup_plots() { :; }
  start_servers() { :; }
  plots_python() { say "drawing $*"; }
  run_program() { touch "$PQ_STATE/bench/bench-new.json" && return 1; }
  mkdir -p "$PQ_STATE/bench"
  touch -d '1 hour ago' "$PQ_STATE/bench/bench-old.json"
  if command_bench --assert >"$work/said"; then return 1; fi
  [[ $(grep drawing "$work/said") == "drawing plots $PQ_STATE/bench/bench-new.json" ]]
}

# Where root and network namespaces are to be had, as in CI.
test_network_of_its_own() {
  load_parts
  if [[ $EUID -ne 0 ]] || ! have ip || ! have tc; then return; fi
  enter_network
  in_network tc qdisc show dev lo | grep noqueue >/dev/null
  [[ $(ip netns identify $$) != "$PQ_NETWORK" ]]
  local name=$PQ_NETWORK
  leave_network
  ! ip netns list | grep -w "$name" >/dev/null
}

test_missing_jdk() {
  load_parts
  JDK_FOLDER=$work
  unset JAVA_HOME
  home_of_javac() { echo; }
  fails_with "no JDK 25 found" need_jdk
  fails_with "./pq setup gets one" need_jdk
}

# pretend_jdk FOLDER VERSION
pretend_jdk() {
  mkdir -p "$1/bin"
  touch "$1/bin/javac"
  chmod +x "$1/bin/javac"
  echo "JAVA_VERSION=\"$2\"" >"$1/release"
}

# Debian's packages, whose settings are links to the host's folders and whose programs name the host's loader.
pretend_jdk_packages() {
  local jdk=$1/usr/lib/jvm/java-25-openjdk-amd64 libraries=$1/usr/lib/x86_64-linux-gnu name
  pretend_jdk "$jdk" 25.0.5
  mkdir -p "$jdk/lib" "$1/etc/java-25-openjdk" "$libraries"
  ln -s /etc/java-25-openjdk/jvm.cfg "$jdk/lib/jvm.cfg"
  ln -s /etc/ssl/certs/java/cacerts "$jdk/lib/cacerts"
  echo "-server KNOWN" >"$1/etc/java-25-openjdk/jvm.cfg"
  for name in ld-linux-x86-64.so.2 libc.so.6 libm.so.6 libdl.so.2 libpthread.so.0 librt.so.1 libz.so.1 libstdc++.so.6 libgcc_s.so.1; do
    printf '#!/bin/sh\nshift 2\necho "$@" >>"%s"\n' "$work/patched" >"$libraries/$name"
    chmod +x "$libraries/$name"
  done
}

test_jdk_is_got_where_there_is_none() {
  load_parts
  JDK_FOLDER=$work/none
  unset JAVA_HOME
  home_of_javac() { echo; }
  check_system() { :; }
  install_missing_packages() { :; }
  make_apt_root() { echo "$DEBIAN_SUITE $PQ_APT" >"$work/asked"; }
  unpack_packages() { pretend_jdk_packages "$1"; }
  has_interpreter() { [[ $1 == */javac ]]; }
  check_host
  [[ $JAVA_HOME == "$PQ_STATE/tools/jdk-25" && $(cat "$work/asked") == "trixie $PQ_STATE/apt-jdk" && $DEBIAN_SUITE == sid ]]
  # It needs nothing of its packages any more, and runs by the loader that came with it.
  [[ $(cat "$JAVA_HOME/lib/jvm.cfg") == "-server KNOWN" && $(readlink "$JAVA_HOME/lib/cacerts") == /etc/ssl/certs/java/cacerts ]]
  grep -qE -- "patchelf --set-interpreter $JAVA_HOME/lib/ld-linux-x86-64.so.2 --force-rpath --set-rpath [$]ORIGIN:[$]ORIGIN/../lib .*/bin/javac$" "$work/patched"
  # It is found the next time, and one of the host's comes before it.
  unset JAVA_HOME
  make_apt_root() { return 1; }
  check_host
  [[ $JAVA_HOME == "$PQ_STATE/tools/jdk-25" ]]
  pretend_jdk "$work/hosts" 25.0.1
  JAVA_HOME=$work/hosts
  check_host
  [[ $JAVA_HOME == "$work/hosts" ]]
}

test_older_jdk_is_passed_over() {
  load_parts
  pretend_jdk "$work/jdk-17" 17.0.1
  pretend_jdk "$work/temurin-25" 25.0.1
  # shellcheck disable=SC2034  # read by find_jdk
  JDK_FOLDER=$work
  JAVA_HOME=$work/jdk-17
  find_jdk
  [[ $JAVA_HOME == "$work/temurin-25" ]]
}

test_unsupported_machine() {
  load_parts
  uname() { if [[ $1 == -s ]]; then echo Linux; else echo aarch64; fi; }
  fails_with "this machine is not supported: aarch64" check_system
}

test_missing_packages_without_root() {
  load_parts
  HOST_NEEDS+=("command no-such-command no-such-package")
  root_command() { return 1; }
  fails_with "no-such-package" install_missing_packages
}

# Listens on a free port of 127.0.0.1 and leaves it in $listening.
listen() {
  load_parts
  find_jdk
  for listening in {31000..31999}; do
    if port_is_free "$listening"; then break; fi
  done
  "$JAVA_HOME/bin/jwebserver" -b 127.0.0.1 -p "$listening" -d "$work" >/dev/null 2>&1 &
  until ! port_is_free "$listening"; do sleep 0.1; done
}

test_busy_port_is_refused() {
  listen
  fails_with "port $listening is in use" choose_port PQ_MYSQL_PORT "$listening" 23306
  fails_with "not a port number" choose_port PQ_MYSQL_PORT 70000 23306
  kill %1
}

test_next_free_port_is_taken() {
  listen
  [[ $(choose_port PQ_MYSQL_PORT "" "$listening") -gt $listening ]]
  kill %1
}

# A process id in a stale file may belong to somebody else's process by now.
test_stop_leaves_other_processes_alone() {
  load_parts
  sleep 60 &
  mkdir -p "$work/state/run/mysql"
  echo $! >"$work/state/run/mysql/pid"
  stop_server MySQL "$work/state/run/mysql"
  kill -0 %1
  kill %1
}

# A log with more errors than are shown must not end the command that shows them.
test_long_failure_is_shown() {
  load_parts
  status=0
  # shellcheck disable=SC2016  # for the inner shell
  logged failing bash -c 'for i in {1..100000}; do echo "ERROR $i"; done; exit 3' || status=$?
  [[ $status -eq 3 ]]
  show_failure "$(log_of failing)" >"$work/shown"
  grep -q "ERROR 1$" "$work/shown"
  grep -q "ERROR 100000$" "$work/shown"
}

test_second_command_waits() {
  load_parts
  (flock 9 && touch "$work/locked" && sleep 3) 9>>"$PQ_STATE/lock" &
  until [[ -f $work/locked ]]; do sleep 0.1; done
  "$repository/pq" down >"$work/output"
  grep "waiting:" "$work/output"
}

# Interrupted while it unpacks, setup leaves nothing that looks finished; run again, it ends what it began.
test_interrupted_setup_resumes() {
  export PQ_STATE=$work/state PQ_DOWNLOADS=$downloads
  setsid "$repository/pq" setup >"$work/first" 2>&1 &
  until grep -q "unpacking the sources" "$work/first"; do
    kill -0 $!
    sleep 0.2
  done
  kill -INT -- "-$!" || true
  kill -TERM -- "-$!" || true
  if wait $!; then return 1; fi
  [[ ! -e $PQ_STATE/mysql/VERSION ]]
  "$repository/pq" setup
  "$repository/pq" status | grep "MySQL unpacked" | grep -v "no$"
  # A third time there is nothing left to do.
  "$repository/pq" setup >"$work/third"
  ! grep -E "unpacking|downloading|fetching|initialising" "$work/third"
}

# As on a machine where apt-get update never ran.
test_mirror_is_found_without_package_lists() {
  load_parts
  local mirror
  unset PQ_DEBIAN_MIRROR
  mirror=$(debian_mirror)
  echo "Dir::State::lists \"$work/none\";" >"$work/apt.conf"
  [[ -n $mirror && $(APT_CONFIG=$work/apt.conf debian_mirror) == "$mirror" ]]
}

# Whatever a step started ends with the command, though the signal reaches only the script.
test_interruption_ends_what_was_started() {
  load_parts
  # shellcheck disable=SC2016  # for the inner shells
  bash -c 'set -euo pipefail
    source "$PQ_ROOT/scripts/common.sh"
    locked test
    run_logged nested bash -c "sleep 987 & echo \$! >\"$PQ_STATE/grandchild\"; wait"' &
  until [[ -s $PQ_STATE/grandchild ]]; do sleep 0.1; done
  kill -TERM $!
  wait $! || true
  for _ in {1..200}; do
    kill -0 "$(cat "$PQ_STATE/grandchild")" 2>/dev/null || return 0
    sleep 0.1
  done
  return 1
}

test_damaged_package_is_refused() {
  load_parts
  make_apt_root
  private_apt apt-get install -y --simulate "${MYSQL_BINARIES[@]}" >/dev/null
  binary_packages >"$PQ_APT/closure"
  local package file
  package=$(grep '^zlib1g=' "$PQ_APT/closure")
  file=$work/damaged.deb
  cp "$(package_file "$package")" "$file"
  private_apt apt-cache show "$package" |
    awk -v package="$package" '/^SHA256: / { print package, $2 }' >"$PQ_APT/sums"
  verify_package "$package" "$file"
  printf 'x' | dd of="$file" bs=1 seek=100 conv=notrunc status=none
  fails_with "differs from the signed index" verify_package "$package" "$file"
  [[ ! -e $file ]]
}

test_differing_versions_are_refused() {
  load_parts
  mkdir -p "$work/new/root/usr/include/mysql" "$work/new/source"
  run_mysqld() { echo "mysqld  Ver 9.7.5 for Linux"; }
  echo '#define MYSQL_SERVER_VERSION "9.7.5"' >"$work/new/root/usr/include/mysql/mysql_version.h"
  printf 'MYSQL_VERSION_%s\n' MAJOR=9 MINOR=7 PATCH=5 >"$work/new/source/MYSQL_VERSION"
  verify_one_version "$work/new"
  printf 'MYSQL_VERSION_%s\n' MAJOR=9 MINOR=7 PATCH=4 >"$work/new/source/MYSQL_VERSION"
  fails_with "versions differ: server 9.7.5, headers 9.7.5, sources 9.7.4" verify_one_version "$work/new"
}

# An archive that has gone on must not leave the user without a way.
test_another_series_is_refused() {
  load_parts
  private_apt() { printf '  Candidate: 26.10.0-1\n%.0s' 1 2 3 4; }
  fails_with "now has MySQL 26.10.0-1, but the extension supports only $(known_series | paste -s -d' ')." archived_version
  fails_with "--mysql DIR --mysql-source DIR" archived_version
  private_apt() { printf '  Candidate: 9.7.9-1\n%.0s' 1 2 3 4; }
  [[ $(archived_version) == 9.7.9-1 ]]
}
