# shellcheck shell=bash
# Measures the extension in servers of its own, by classes that no set of tests runs, and prints the tables that these make.

# Measures how even ranges are: the tables of docs/balance.md.
command_balance() {
  [[ $# -eq 0 ]] || die "usage: ./pq balance"
  command_build
  step "cutting six tables of a million rows, by the extension and by SQL, and timing scans of nine"
  measure balance connector,server-udf/test/server BalanceBenchmark SqlBalanceBenchmark TimeBalanceBenchmark
}

# Measures what readahead is worth: the tables of docs/decisions/readahead.md. The disk is as slow as that of a cloud.
command_readahead() {
  local library=$PQ_STATE/build/slow_disk.so
  [[ $# -eq 0 ]] || die "usage: ./pq readahead"
  command_build
  gcc-12 -O2 -shared -fPIC -o "$library" "$PQ_ROOT/server-udf/test/slow_disk/slow_disk.c"
  step "scanning cold and warm tables with readahead and without"
  # A read takes a millisecond, and there are 16,000 a second.
  PQ_SLOW_DISK=$library PQ_DISK_DELAY_US=1000 PQ_DISK_IOPS=16000 measure readahead server-udf/test/server ReadaheadBenchmark
}

# Measures what scans cost others on the same server: the tables of docs/decisions/native-scan.md.
command_oltp() {
  [[ $# -eq 0 ]] || die "usage: ./pq oltp"
  command_build
  step "reading and writing rows beside scans, and killing some of these"
  measure oltp server-udf/test/server OltpBenchmark
}

# Measures what a row of a native scan costs: a table of docs/decisions/native-scan.md.
command_scans() {
  local other=''
  if [[ ${1:-} == --against ]]; then
    other=${2:-}
    [[ -f $other ]] || die "--against needs the file of a built mysql_pq.so, not: ${other:-(none)}"
    shift 2
  fi
  [[ $# -eq 0 ]] || die "usage: ./pq scans [--against LIBRARY]"
  command_build
  step "scanning tables of a million rows"
  PQ_OTHER_LIBRARY=${other:+$(realpath "$other")} measure scans server-udf/test/server ScanBenchmark
}

command_valgrind() {
  [[ -z $GIVEN_NAME ]] || die "valgrind runs Debian's MySQL only, for which it has symbols, and not the one that --mysql names"
  local folder=$PQ_STATE/valgrind log=$PQ_STATE/logs/memcheck.log
  [[ $# -eq 0 ]] || die "usage: ./pq valgrind"
  command_build
  fetch_valgrind "$folder"
  rm -f "$log"
  step "calling all functions under memcheck; this takes some minutes"
  VALGRIND_LIB=$folder/usr/libexec/valgrind PQ_VALGRIND_LOG=$log \
    PQ_VALGRIND_COMMAND="$folder/usr/bin/valgrind --error-limit=no --num-callers=40 --leak-check=full --show-leak-kinds=definite --keep-debuginfo=yes --extra-debuginfo-path=$folder/symbols --log-file=$log" \
    measure valgrind server-udf/test/server MemoryCheck
  say "all reports: $log"
}

# measure NAME MODULES CLASS...: runs the classes, and prints the rows of tables, and sums of memcheck, among their output.
measure() {
  local name=$1 modules=$2 classes outputs
  shift 2
  clear_output "$@"
  classes=$(IFS=, && echo "$*")
  run_logged "$name" maven_classes "$modules" "$classes"
  mapfile -t outputs < <(output_of "$@")
  ((${#outputs[@]} >= $#)) || die "some of $classes printed nothing; all of the output: $(log_of "$name")"
  grep -hE '^(\||memcheck)' "${outputs[@]}"
}

# Valgrind of the suite that MySQL comes from, since the host's own does not know that suite's C library yet. It does not start without the
# symbols of that library.
fetch_valgrind() {
  local new libc
  [[ -d $1 ]] && return
  step "downloading valgrind and the symbols of MySQL's C library (24 MB)"
  new=$(temporary_folder valgrind)
  libc=$(sed -n 's/^libc6=//p' "$PQ_APT/closure")
  unpack_packages "$new" valgrind "libc6-dbg=$libc"
  lay_out_symbols "$new"
  put_in_place "$new" "$1"
}

# Valgrind looks below its path for the folder of the library itself.
lay_out_symbols() {
  local symbols libraries library id
  libraries=$(mysql_home)/usr/lib/x86_64-linux-gnu
  symbols=$1/symbols$(realpath "$libraries")
  mkdir -p "$symbols"
  for library in ld-linux-x86-64.so.2 libc.so.6; do
    id=$(readelf -n "$libraries/$library" | awk '/Build ID/ { print $3 }')
    cp "$1/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug" "$symbols/"
  done
}
