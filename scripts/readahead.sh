# shellcheck shell=bash
# Measures what readahead is worth: the tables of docs/decisions/readahead.md.

# A disk of a cloud: each read takes a millisecond, and there are 16,000 a second.
readonly PQ_SLOW_DISK_DELAY_US=1000 PQ_SLOW_DISK_IOPS=16000

command_readahead() {
  [[ $# -eq 0 ]] || die "usage: ./pq readahead"
  command_build
  local library=$PQ_STATE/build/slow_disk.so
  gcc -O2 -shared -fPIC -o "$library" "$PQ_ROOT/server-udf/test/slow_disk/slow_disk.c"
  step "scanning cold and warm tables with readahead and without"
  PQ_SLOW_DISK=$library PQ_DISK_DELAY_US=$PQ_SLOW_DISK_DELAY_US PQ_DISK_IOPS=$PQ_SLOW_DISK_IOPS \
    run_logged readahead maven package -pl server-udf/test/server -am -Dtest=ReadaheadBenchmark \
    -Dsurefire.failIfNoSpecifiedTests=false
  # Where the tests' own output goes, for the build keeps it apart from Maven's.
  grep -h '^|' \
    "$PQ_ROOT/server-udf/test/server/target/surefire-reports/io.mysqlpq.extension.ReadaheadBenchmark-output.txt"
}
