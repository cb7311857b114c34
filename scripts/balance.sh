# shellcheck shell=bash
# Measures how even ranges are: the table of docs/balance.md.

command_balance() {
  [[ $# -eq 0 ]] || die "usage: ./pq balance"
  command_build
  step "cutting six tables of a million rows"
  run_logged balance maven package -pl server-udf/test/server -am -Dtest=BalanceBenchmark \
    -Dsurefire.failIfNoSpecifiedTests=false
  # Where the test's own output goes, for the build keeps it apart from Maven's.
  grep '^|' "$PQ_ROOT/server-udf/test/server/target/surefire-reports/io.mysqlpq.extension.BalanceBenchmark-output.txt"
}
