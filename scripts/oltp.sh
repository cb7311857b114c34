# shellcheck shell=bash
# Measures what scans cost others on the same server: the tables of docs/decisions/native-scan.md.

command_oltp() {
  [[ $# -eq 0 ]] || die "usage: ./pq oltp"
  command_build
  step "reading and writing rows beside scans, and killing some of these"
  run_logged oltp maven package -pl server-udf/test/server -am -Dtest=OltpBenchmark \
    -Dsurefire.failIfNoSpecifiedTests=false
  # Where the tests' own output goes, for the build keeps it apart from Maven's.
  grep -h '^|' \
    "$PQ_ROOT/server-udf/test/server/target/surefire-reports/io.mysqlpq.extension.OltpBenchmark-output.txt"
}
