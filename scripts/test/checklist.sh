# shellcheck shell=bash
# shellcheck disable=SC2317,SC2016  # functions that stand in for others are called by those under test; Markdown has backticks
# Tests of the gate on the checklist, with a checklist, sources and reports of their own.

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A checklist of the given tests, whose classes are in a module connector.
load_checklist() {
  export PQ_ROOT=$work PQ_STATE=$work/state PQ_DOWNLOADS=$work/state/downloads
  PQ_CHECKLISTS=$work/parity.md
  # shellcheck disable=SC2034  # read by the gate
  PQ_TEST_SOURCES=$work/connector/src/test/java:$work/src/test/java
  mkdir -p "$work/connector/src/test/java/io/trino" "$work/src/test/java/io/cross"
  touch "$work/connector/src/test/java/io/trino/TestReads.java" "$work/connector/src/test/java/io/trino/TestTwice.java" "$work/src/test/java/io/cross/TestTwice.java"
  # Neither the head of a table nor what stands outside of tables is a row.
  printf '# Title\n\n`TestNowhere#testProse`\n\n| Point | Tests: `TestNowhere#testHead` |\n|---|---|\n' >"$work/parity.md"
  printf '| a point with `TestNowhere#testInText` | %s |\n' "$@" >>"$work/parity.md"
  local part
  for part in common test checklist; do
    # shellcheck source=/dev/null
    source "$repository/scripts/$part.sh"
  done
}

# A second page, with rows of its own.
load_second_checklist() {
  PQ_CHECKLISTS+=:$work/reliability.md
  printf '## Faults\n\n| Fault | What happens | Tests |\n|---|---|---|\n' >"$work/reliability.md"
  printf '| `A_FAULT` | an error | %s |\n' "$@" >>"$work/reliability.md"
}

# report CLASS CASES: a report as surefire writes it.
report() {
  printf '<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="%s" tests="9">\n%s\n</testsuite>\n' "$1" "$2" >"$work/TEST-$1.xml"
}

judged() {
  FAILED=0
  judge_checklist connector "$work"/TEST-*.xml >"$work/said"
}

test_all_named_tests_passed() {
  load_checklist '`TestReads#testOne`, `TestReads#testMany`' '`trino.TestTwice#testInherited`'
  report io.trino.TestReads '<testcase name="testOne" classname="io.trino.TestReads" time="0.1"/>
    <testcase name="testMany(String)[1]" classname="io.trino.TestReads" time="0.1"/>
    <testcase name="testMany(String)[2] a &lt; b" classname="io.trino.TestReads$Nested" time="0.1"/>
    <testcase name="testUnnamed" classname="io.trino.TestReads"><skipped/></testcase>'
  report io.trino.TestTwice '<testcase name="testInherited" classname="io.trino.TestTwice" time="0.1"/>'
  judged
  [[ $FAILED -eq 0 && ! -s $work/said ]]
  check_checklist
}

test_missing_test() {
  load_checklist '`TestReads#testOne`'
  report io.trino.TestReads '<testcase name="testOneMore" classname="io.trino.TestReads"/><testcase name="testOne" classname="io.trino.OtherTestReads"/>'
  judged
  [[ $FAILED -eq 1 ]]
  grep -q 'TestReads#testOne: did not run' "$work/said"
}

test_class_that_did_not_run() {
  load_checklist '`TestReads#testOne`'
  FAILED=0
  judge_checklist connector >"$work/said"
  [[ $FAILED -eq 1 ]]
}

test_skipped_test() {
  load_checklist '`TestReads#testOne`'
  report io.trino.TestReads '<testcase name="testOne" classname="io.trino.TestReads" time="0.1">
    <skipped message="no"><![CDATA[<testcase name="testOne" classname="io.trino.TestReads"/> ]]></skipped>
    </testcase><testcase name="testTwo" classname="io.trino.TestReads"/>'
  judged
  [[ $FAILED -eq 1 ]]
  grep -q 'testOne: was skipped' "$work/said"
}

# Of a test that runs for several values, each run counts.
test_partly_skipped_test() {
  load_checklist '`TestReads#testMany`'
  report io.trino.TestReads '<testcase name="testMany(int)[1]" classname="io.trino.TestReads"/>
    <testcase name="testMany(int)[2]" classname="io.trino.TestReads"><skipped/></testcase>'
  judged
  [[ $FAILED -eq 1 ]]
}

test_failed_test() {
  load_checklist '`TestReads#testOne`'
  report io.trino.TestReads '<testcase name="testOne" classname="io.trino.TestReads"><error type="E"><![CDATA[x]]></error></testcase>'
  judged
  [[ $FAILED -eq 1 ]]
  grep -q 'testOne: failed' "$work/said"
}

# It is the other set's to judge.
test_test_of_another_set() {
  load_checklist '`cross.TestTwice#testOne`'
  report io.trino.TestReads ''
  judged
  [[ $FAILED -eq 0 ]]
  [[ $(set_of cross.TestTwice) == cross ]]
}

test_row_without_test() {
  load_checklist '`TestReads#testOne`' 'not yet'
  if check_checklist >"$work/said"; then return 1; fi
  grep -q 'no test in this row.*not yet' "$work/said"
}

test_class_without_source() {
  load_checklist '`TestRead#testOne`'
  if check_checklist >"$work/said"; then return 1; fi
  grep -q 'class TestRead: none' "$work/said"
}

test_class_with_two_sources() {
  load_checklist '`TestTwice#testOne`'
  if check_checklist >"$work/said"; then return 1; fi
  grep -q '2 sources of the named class TestTwice' "$work/said"
}

test_class_of_two_sets() {
  load_checklist '`TestReads#testOne`'
  printf 'class TestReads {\n    @Test\n    @Tag("stress")\n    void testOne() {}\n}\n' >"$work/connector/src/test/java/io/trino/TestReads.java"
  if check_checklist >"$work/said"; then return 1; fi
  grep -q 'TestReads belongs to two sets' "$work/said"
}

test_every_page_is_judged() {
  load_checklist '`TestReads#testOne`'
  load_second_checklist '`TestReads#testFault`'
  check_checklist
  report io.trino.TestReads '<testcase name="testOne" classname="io.trino.TestReads"/>'
  judged
  [[ $FAILED -eq 1 ]]
  grep -q 'TestReads#testFault: did not run' "$work/said"
}

test_row_of_another_page_without_test() {
  load_checklist '`TestReads#testOne`'
  load_second_checklist 'none'
  if check_checklist >"$work/said"; then return 1; fi
  grep -q 'no test in this row.*A_FAULT' "$work/said"
}

# Such as what a run measured.
test_table_of_something_else() {
  load_checklist '`TestReads#testOne`'
  printf '\n| Run | Minutes |\n|---|---|\n| the first | 60 |\n' >>"$work/parity.md"
  check_checklist
}

test_page_without_rows() {
  load_checklist '`TestReads#testOne`'
  PQ_CHECKLISTS+=:$work/missing.md
  if check_checklist >"$work/said"; then return 1; fi
  grep -q 'no row in missing.md' "$work/said"
}
