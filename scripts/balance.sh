# shellcheck shell=bash
# Measures how even ranges are: the table of docs/balance.md.

command_balance() {
  [[ $# -eq 0 ]] || die "usage: ./pq balance"
  command_build
  step "cutting six tables of a million rows"
  run_logged balance maven package -pl server-udf/test/server -am -Dtest=BalanceBenchmark \
    -Dsurefire.failIfNoSpecifiedTests=false
  grep '^|' "$(log_of balance)"
}
