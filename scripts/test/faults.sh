# shellcheck shell=bash
# shellcheck disable=SC2034,SC2016  # variables are read by the tested functions; Markdown has backticks
# Tests of how the tries of faults are counted and published.

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

load_faults() {
  PQ_ROOT=$work PQ_STATE=$work/state PQ_DOWNLOADS=$work/state/downloads
  local part
  for part in common test faults; do
    # shellcheck source=/dev/null
    source "$repository/scripts/$part.sh"
  done
  mkdir -p "$work/docs" "$PQ_FAULT_TESTS" "$work/src/test/target/surefire-reports"
  printf 'enum Fault\n{\n    STALL(Outcome.ANSWER),\n    BLACK_HOLE(Outcome.ERROR, CODE),\n' >"$PQ_FAULT_TESTS/Fault.java"
  touch "$PQ_FAULT_TESTS/TestNetwork.java"
  printf '| Fault | How | What | Tried | Tests |\n|---|---|---|---|---|\n' >"$PQ_FAULTS_PAGE"
  printf '| `STALL` | a | b | 3 | `TestNetwork#testStall`, `TestElsewhere#testStall` |\n| `BLACK_HOLE` | a | b | 0 | `TestNetwork#testHole` |\n' >>"$PQ_FAULTS_PAGE"
  printf 'date\tcommit\tfault\ttries\tanswers\terrors\nd\tc\tSTALL\t2\t2\t0\nd\tc\tSTALL\t1\t1\t0\n' >"$PQ_FAULTS_LOG"
}

outputs() { printf '%s\n' "$@" >"$work/src/test/target/surefire-reports/io.mysqlpq.cross.fault.TestNetwork-output.txt"; }

test_lines_of_faults() {
  load_faults
  outputs $'INFO \e[37mFault: STALL answered\e[0m' 'Fault: STALL answered' 'Fault: BLACK_HOLE failed' 'Fault: STALL was seen'
  [[ $(fault_lines d c <(fault_outputs)) == $'d\tc\tBLACK_HOLE\t1\t0\t1\nd\tc\tSTALL\t2\t2\t0' ]]
}

test_fault_that_was_not_provoked() {
  load_faults
  outputs 'Fault: STALL answered'
  PQ_SET=cross
  mkdir -p "$PQ_STATE/logs"
  judge_faults >"$work/said"
  [[ $(cat "$PQ_RESULTS") == $'cross\tfailed\t1' ]]
  grep -q 'no test provoked the fault BLACK_HOLE' "$work/said"
}

test_page_says_what_the_log_says() {
  load_faults
  check_faults_log
  printf 'd\tc\tBLACK_HOLE\t4\t0\t4\n' >>"$PQ_FAULTS_LOG"
  if check_faults_log >"$work/said"; then return 1; fi
  write_tries
  check_faults_log
  grep -q '^| `BLACK_HOLE` | a | b | 4 |' "$PQ_FAULTS_PAGE"
}

test_tests_of_a_fault() {
  load_faults
  [[ $(tests_of_fault STALL) == TestNetwork#testStall ]]
  [[ -z $(tests_of_fault NOTHING) ]]
}
