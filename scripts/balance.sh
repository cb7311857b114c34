# shellcheck shell=bash
# Measures how even ranges are: the tables of docs/balance.md.

command_balance() {
  [[ $# -eq 0 ]] || die "usage: ./pq balance"
  command_build
  step "cutting six tables of a million rows, by the extension and by SQL, and timing scans of nine"
  run_logged balance maven package -pl connector,server-udf/test/server -am \
    -Dtest=BalanceBenchmark,SqlBalanceBenchmark,TimeBalanceBenchmark -Dsurefire.failIfNoSpecifiedTests=false
  # Where the tests' own output goes, for the build keeps it apart from Maven's.
  grep -h '^|' \
    "$PQ_ROOT/server-udf/test/server/target/surefire-reports/io.mysqlpq.extension.BalanceBenchmark-output.txt" \
    "$PQ_ROOT/connector/target/surefire-reports/io.mysqlpq.trino.planning.sql.SqlBalanceBenchmark-output.txt" \
    "$PQ_ROOT/server-udf/test/server/target/surefire-reports/io.mysqlpq.extension.TimeBalanceBenchmark-output.txt"
}
