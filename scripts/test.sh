# shellcheck shell=bash
# Runs all tests as named sets and counts them. A set that ran nothing, or skipped anything, has failed.

PQ_SETS=(check scripts udf-unit udf-server connector cross dashboards containers stress)
PQ_SET_MINUTES=50
: "${PQ_PREPARATION_SECONDS:=2700}"
# Most test classes wait a good part of their time for servers, so that two at once fill two cores.
: "${PQ_TEST_FORKS:=2}"
: "${PQ_STRESS_SECONDS:=20}"
: "${PQ_FUZZ_SECONDS:=4}"

# The file that results.py counts in, the set that runs just now, and why it could not run.
PQ_RESULTS=$PQ_STATE/logs/results.tsv
PQ_SET='' NOT_RUN=
# The process that prepares the last sets, while it may run, and when it is ended.
PREPARATION=
PREPARATION_UNTIL=

command_test() {
  local set sets=("${PQ_SETS[@]}")
  case ${1:-} in
    '') ;;
    --list)
      printf '%s\n' "${PQ_SETS[@]}"
      return
      ;;
    --set) sets=("$(known_set "${2:-}")") ;;
    *) die "usage: ./pq test [--set NAME | --list]" ;;
  esac
  if [[ -n $GIVEN_NAME ]]; then
    [[ ${sets[*]} != containers ]] || die "the set containers makes images from Debian's packages, not from the server that --mysql names"
    step "the set containers is left out: it makes images from Debian's packages, not from the server that --mysql names"
    mapfile -t sets < <(printf '%s\n' "${sets[@]}" | grep -vx containers)
  fi
  [[ $PQ_PREPARATION_SECONDS =~ ^[1-9][0-9]{0,4}$ ]] || die "PQ_PREPARATION_SECONDS needs a number of seconds from 1 to 99999, not: $PQ_PREPARATION_SECONDS"
  HOST_NEEDS+=("${TEST_NEEDS[@]}")
  command_build
  run_sets "${sets[@]}"
}

known_set() {
  local set
  for set in "${PQ_SETS[@]}"; do
    if [[ $set == "$1" ]]; then
      echo "$set"
      return
    fi
  done
  die "no such set: ${1:-(none)}; there are: ${PQ_SETS[*]}"
}

run_sets() {
  local began
  mkdir -p "$PQ_STATE/logs"
  : >"$PQ_RESULTS"
  # A single set prepares what it needs itself.
  if (($# > 1)); then prepare_in_background; fi
  for PQ_SET in "$@"; do
    step "tests: $PQ_SET"
    began=$SECONDS
    NOT_RUN=
    "set_${PQ_SET//-/_}"
    python_script results "$PQ_RESULTS" end "$PQ_SET" $((SECONDS - began)) "$NOT_RUN"
  done
  print_times
  python_script results "$PQ_RESULTS" table
}

# Fetches and makes what the last sets need, while the first ones leave processors and the network idle. Those sets wait for it, and do all of it again
# in the foreground: they find what is done, and what failed here fails there, where it is reported.
prepare_in_background() {
  step "preparing the sets dashboards and containers in the background: $(log_of preparation)"
  mkdir -p "$PQ_STATE/logs"
  rm -f "$(log_of preparation-end)"
  set -m
  prepare_last_sets >"$(log_of preparation)" 2>&1 </dev/null 9>&- &
  PREPARATION=$!
  PREPARATION_UNTIL=$((SECONDS + PQ_PREPARATION_SECONDS))
  set +m
}

# Maven's builds change while it runs, so it uses none of them.
prepare_last_sets() {
  # shellcheck disable=SC2154  # status is set in the trap
  trap 'status=$?; stop_jobs; if [[ -f $PQ_STATE/docker/pid ]]; then stop_docker; fi; echo "$status" >"$(log_of preparation-end)"' EXIT
  trap 'exit 143' INT TERM
  renice -n 19 -p "$BASHPID" >/dev/null
  fetch_prometheus
  install_browser
  setup_superset
  setup_clients
  setup_plots
  if [[ -z $GIVEN_NAME ]] && docker_is_possible; then
    prepare_docker
    if start_docker; then
      prepare_images
      stop_docker
    fi
  fi
}

# Waits for the preparation, and shows what it did. One that hangs is ended: the set that needs it does the rest, and tells what hangs.
await_preparation() {
  local status=0
  [[ -n $PREPARATION ]] || return 0
  # Its number as a process may be somebody else's when it has ended long ago.
  if [[ ! -f $(log_of preparation-end) ]] && ! show_progress "$PREPARATION" preparation "$(log_of preparation)" "$PREPARATION_UNTIL"; then
    say "the preparation took more than PQ_PREPARATION_SECONDS = $PQ_PREPARATION_SECONDS and is ended"
    kill -- "-$PREPARATION" || true
    # It ends what it has started. That may not end.
    show_progress "$PREPARATION" preparation "$(log_of preparation)" $((SECONDS + 30)) || kill -KILL -- "-$PREPARATION" || true
  fi
  if [[ -f $(log_of preparation-end) ]]; then
    status=$(<"$(log_of preparation-end)")
  else
    wait "$PREPARATION" || status=$?
  fi
  PREPARATION=
  say "prepared in the background (exit code $status):"
  sed 's/^/  /' "$(log_of preparation)"
}

# count STATUS NAME: one test of the set.
count() {
  if [[ $1 -eq 0 ]]; then
    printf '%s\tpassed\t1\n' "$PQ_SET" >>"$PQ_RESULTS"
  else
    say "FAILED: $2"
    printf '%s\tfailed\t1\t%s\n' "$PQ_SET" "$2" >>"$PQ_RESULTS"
  fi
}

# --- sets ---

set_check() {
  local check status
  for check in "${PQ_CHECKS[@]}"; do
    status=0
    "check_$check" || status=$?
    count "$status" "check ${check//_/ }"
  done
}

# Each test of scripts/test runs in a process of its own: a function test_* of a shell file, or such a method of a Python class.
set_scripts() {
  run_script_tests python3 "$PQ_ROOT"/scripts/test/*.{sh,py}
}

# run_script_tests PYTHON FILE...
run_script_tests() {
  local python=$1 file name names status
  shift
  for file in "$@"; do
    mapfile -t names < <(sed -n -E 's/^(    def )?(test_[a-z0-9_]+)\(.*/\2/p' "$file")
    for name in "${names[@]}"; do
      status=0
      logged "scripts-$name" run_script_test "$python" "$file" "$name" || status=$?
      [[ $status -eq 0 ]] || tail -n 20 "$(log_of "scripts-$name")"
      count "$status" "$name"
    done
  done
}

run_script_test() {
  if [[ $2 == *.py ]]; then
    # Neither a test that is skipped nor one that is not found has passed.
    "$1" -B -X utf8 "$2" -k "*.$3" 2>&1 | tee "$(log_of "scripts-$3-python")" && grep -q '^Ran 1 test' "$(log_of "scripts-$3-python")" && ! grep -q 'skipped=' "$(log_of "scripts-$3-python")"
  else
    # shellcheck disable=SC2016  # for the inner shell
    bash -c 'set -euo pipefail; source "$1"; "$2"' bash "${@:2}"
  fi
}

# The pure parts three times: as they are shipped, with the address and undefined-behaviour sanitizers, and with these as
# fuzz targets, over their corpus and PQ_FUZZ_SECONDS of new inputs each.
# Gates on the plugin library's symbols are tests of the build that made it.
set_udf_unit() {
  build_unit_tests udf
  ctest_in udf
  build_unit_tests udf-sanitized -DPQ_SANITIZE=ON
  ctest_in udf-sanitized
  build_fuzz_targets
  ctest_in udf-fuzz
}

# Its classes wait for locks and timeouts of MySQL more than they compute.
set_udf_server() {
  build_misbuilt
  maven_tests udf-server server-udf/test/server 'io/mysqlpq/extension/**/Test*,io/mysqlpq/testing/**/Test*' -DexcludedGroups=stress -DforkCount="$((PQ_TEST_FORKS + 1))"
}

set_connector() {
  build_other_releases
  maven_tests connector connector 'io/mysqlpq/trino/**/Test*' -DexcludedGroups=stress
  show_random_settings
}

# What to give to Maven to draw the same settings again.
show_random_settings() {
  local output=$PQ_ROOT/connector/target/surefire-reports/io.mysqlpq.trino.TestSuiteWithRandomSettings-output.txt
  [[ ! -f $output ]] || grep -E "^(Random seed|Trino's suite)" "$output" || true
}

set_cross() {
  clear_output 'fault.*'
  await_preparation
  fetch_prometheus
  maven_tests cross src/test 'io/mysqlpq/cross/**/Test*' -DexcludedGroups=stress,dashboards
  judge_faults
}

# Superset over Trino over MySQL, what a browser draws of it, the examples of clients, and the pictures of benchmarks: all that needs packages of PyPI.
set_dashboards() {
  await_preparation
  install_browser
  setup_superset
  setup_clients
  setup_plots
  run_script_tests "$PQ_PLOTS/bin/python" "$PQ_ROOT/scripts/plots/test_plots.py"
  maven_tests dashboards src/test 'io/mysqlpq/cross/**/Test*' -Dgroups=dashboards -DforkCount=1
}

set_stress() {
  [[ $PQ_STRESS_SECONDS =~ ^[1-9][0-9]{0,3}$ ]] || die "PQ_STRESS_SECONDS needs a number of seconds from 1 to 9999, not: $PQ_STRESS_SECONDS"
  maven_tests stress server-udf/test/server,connector,src/test 'io/mysqlpq/**/Test*' -Dgroups=stress -Dpq.stress.seconds="$PQ_STRESS_SECONDS" -Dpq.test.limit="$((PQ_STRESS_SECONDS + 600)) s" -DforkCount=1
}

# Our images on stand-ins, for real on a Docker daemon. Where none can be had, a user is told so; in CI that is a failure.
set_containers() {
  await_preparation
  if ! docker_is_possible; then
    NOT_RUN="containers need root, to start a Docker daemon and to make images"
    return
  fi
  prepare_docker
  if ! start_docker; then
    NOT_RUN="no Docker daemon could be started: $PQ_DOCKER/log"
    return
  fi
  install_superset
  build_images
  maven_tests containers src/test 'io/mysqlpq/containers/**/Test*' -Dpq.docker.expected=true \
    -Dpq.compose.env="$PQ_DOCKER/compose.env" -Dpq.image.plain="$PQ_STAND_IN/mysql" \
    -Dpq.image.mysql="$PQ_TESTED_IMAGES/mysql" -Dpq.image.trino="$PQ_TESTED_IMAGES/trino" \
    -Dpq.image.trino-base="$PQ_STAND_IN/trino"
  stop_docker
}

# Prometheus, promtool and MySQL's exporter, which TestMonitoring runs. They come from the suite that MySQL comes from, whose index is
# asked for anew since it may be older than the archive. They are unpacked, not installed, and no daemon starts on the host.
fetch_prometheus() {
  local folder=$PQ_STATE/prometheus new
  [[ -d $folder ]] && return
  step "downloading Prometheus and MySQL's exporter for it (40 MB)"
  downloading make_apt_root
  new=$(temporary_folder prometheus)
  unpack_packages "$new" prometheus promtool prometheus-mysqld-exporter
  put_in_place "$new" "$folder"
}

# The extension as for another version or build of the server, which must not run, or do no harm.
build_misbuilt() {
  run_logged udf-misbuilt-build cmake --build "$(build_folder udf)" -j "$PQ_JOBS" --target misbuilt_plugins
}

# The extension as of an older and of a newer release, for the connector to find in a server.
build_other_releases() {
  run_logged udf-other-releases-build cmake --build "$(build_folder udf)" -j "$PQ_JOBS" --target mysql_pq_older mysql_pq_newer
}

# --- runs that write reports ---

ctest_in() {
  local report=$PQ_STATE/logs/ctest-$1.xml status=0
  rm -f "$report"
  logged "ctest-$1" timeout "${PQ_SET_MINUTES}m" ctest --test-dir "$(build_folder "$1")" --output-on-failure \
    -j "$PQ_JOBS" --output-junit "$report" || status=$?
  [[ $status -eq 0 ]] || show_failure "$(log_of "ctest-$1")"
  count_reports "$status" "ctest $1" "$report"
}

# maven_tests NAME MODULES CLASSES OPTION...: classes choose the tests, since modules that others need run too.
# In alphabetical order the longest classes are not the last, which one fork would run while the others have nothing to do.
maven_tests() {
  local name=$1 modules=$2 classes=$3 kept=$PQ_STATE/logs/reports-$1 status=0 reports
  shift 3
  surefire_reports | xargs -0 -r rm
  logged "test-$name" maven_classes "$modules" "$classes" -fae -Dsurefire.timeout="$((PQ_SET_MINUTES * 60))" -DforkCount="$PQ_TEST_FORKS" \
    -Dsurefire.runOrder=alphabetical \
    -Dpq.plugin.older.file="$(build_folder udf)/mysql_pq_older.so" -Dpq.plugin.newer.file="$(build_folder udf)/mysql_pq_newer.so" \
    -Dpq.plugin.misbuilt.folder="$(build_folder udf)" "$@" || status=$?
  rm -rf "$kept" && mkdir -p "$kept"
  surefire_reports | xargs -0 -r cp -t "$kept"
  mapfile -t reports < <(find "$kept" -name '*.xml')
  [[ $status -eq 0 ]] || show_failure "$(log_of "test-$name")"
  count_reports "$status" "Maven run of $name" "${reports[@]}"
}

# It does not look into the state folder, which the preparation changes at the same time.
surefire_reports() { find "$PQ_ROOT" -path "$PQ_STATE" -prune -o -path '*/target/surefire-reports/TEST-*.xml' -print0; }

# count_reports STATUS WHAT REPORT...: JUnit reports of a run that ended with STATUS.
count_reports() { python_script results "$PQ_RESULTS" reports "$PQ_SET" "$@"; }
