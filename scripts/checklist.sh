# shellcheck shell=bash
# shellcheck disable=SC2016  # Markdown has backticks
# The checklists of docs/parity.md and docs/reliability.md: each row of their tables names the tests that prove it, and
# each of these has to be there, to run and to pass.

# Pages, with colons between them.
: "${PQ_CHECKLISTS:=$PQ_ROOT/docs/parity.md:$PQ_ROOT/docs/reliability.md}"
# Where test classes are: the sources of the Maven modules.
: "${PQ_TEST_SOURCES:=$PQ_ROOT/connector/src/test/java:$PQ_ROOT/src/test/java:$PQ_ROOT/server-udf/test/server/src/test/java}"

# Each page has rows, each row names a test, and each named class has one source and belongs to one set.
check_checklist() {
  local page row class sources failed=0
  while IFS= read -r page; do
    if [[ -z $(rows_of "$page") ]]; then
      say "no row in ${page#"$PQ_ROOT"/}"
      failed=1
    fi
  done < <(checklist_pages)
  while IFS= read -r row; do
    say "no test in this row: $row"
    failed=1
  done < <(checklist_rows | grep -vE '`([a-z]+\.)*Test[A-Za-z0-9]+#[A-Za-z0-9]+`[^|]*\|[[:space:]]*$')
  while IFS= read -r class; do
    mapfile -t sources < <(sources_of "$class")
    if ((${#sources[@]} != 1)); then
      say "${#sources[@]} sources of the named class $class: ${sources[*]:-none}"
      failed=1
    elif grep -qE '^[[:space:]]+@Tag\("stress"\)' "${sources[0]}"; then
      say "the named class $class belongs to two sets: give its tests under stress a class of their own"
      failed=1
    fi
  done < <(checklist_tests | sed 's/#.*//' | sort -u)
  return $failed
}

checklist_pages() { tr : '\n' <<<"$PQ_CHECKLISTS"; }

checklist_rows() {
  local page
  while IFS= read -r page; do
    rows_of "$page"
  done < <(checklist_pages)
}

# The rows of all tables of a page whose last column is of tests, without heads; none if there is no such page.
rows_of() {
  [[ ! -f $1 ]] || awk -F'|' '/^\|/ { if (++line == 1) proves = $(NF - 1) ~ /Tests/; else if (line > 2 && proves) print; next } { line = 0 }' "$1"
}

# "Class#method", the class with its last packages where several have its name. Only the last column counts.
checklist_tests() {
  checklist_rows | awk -F'|' '{ print $(NF - 1) }' | grep -oE '`([a-z]+\.)*Test[A-Za-z0-9]+#[A-Za-z0-9]+`' | tr -d '`' | sort -u
}

sources_of() {
  local folders
  IFS=: read -r -a folders <<<"$PQ_TEST_SOURCES"
  find "${folders[@]}" -path "*/${1//.//}.java" 2>/dev/null
}

# judge_checklist SET REPORT...: the named tests that belong to the set must have passed, each in all its cases.
judge_checklist() {
  local set=$1 outcomes test verdict
  shift
  outcomes=$(test_outcomes "$@")
  while IFS= read -r test; do
    [[ $(set_of "${test%#*}") == "$set" ]] || continue
    verdict=$(verdict_on "$test" "$outcomes")
    [[ $verdict == passed ]] || count 1 "the checklist's $test: $verdict"
  done < <(checklist_tests)
}

# The set that runs a class.
set_of() {
  local source
  source=$(sources_of "$1" | head -n 1)
  if [[ -n $source ]] && grep -q '@Tag("stress")' "$source"; then
    echo stress
    return
  fi
  case ${source#"$PQ_ROOT"/} in
    connector/*) echo connector ;;
    src/test/*) echo cross ;;
    server-udf/*) echo udf-server ;;
    *) echo unknown ;;
  esac
}

verdict_on() {
  local pattern found
  pattern="(^|[.])${1//./[.]} "
  found=$(grep -E "$pattern" <<<"$2" | sed 's/.* //' | sort -u)
  case $found in
    passed) echo passed ;;
    '') echo "did not run, or does not exist" ;;
    *failed*) echo "failed" ;;
    *) echo "was skipped" ;;
  esac
}

# "Class#method passed|failed|skipped" for each case of JUnit reports: a parameterized test has one line for each.
# Nested classes count as those around them.
test_outcomes() {
  [[ $# -gt 0 ]] || return 0
  # What stands in CDATA may look like anything.
  awk -v RS='<' '
    function attribute(name) {
      return match($0, "[ \t\n]" name "=\"[^\"]*\"") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4) : ""
    }
    function end_case() {
      if (test != "") print test, outcome
      test = ""
    }
    in_data { if (/\]\]>/) in_data = 0; next }
    /^!\[CDATA\[/ { in_data = !/\]\]>/; next }
    /^testcase[ \t\n]/ {
      end_case()
      class = attribute("classname"); sub(/[$].*/, "", class)
      method = attribute("name"); sub(/[^A-Za-z0-9_].*/, "", method)
      test = class "#" method
      outcome = "passed"
    }
    /^(failure|error)[ \t\n>\/]/ { outcome = "failed" }
    /^skipped[ \t\n>\/]/ && outcome == "passed" { outcome = "skipped" }
    END { end_case() }' "$@"
}
