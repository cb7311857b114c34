# shellcheck shell=bash
# Provokes the faults of docs/reliability.md, for as many times as you like, and counts how often each was tried.

PQ_FAULTS_LOG=$PQ_ROOT/docs/faults-log.tsv
PQ_FAULTS_PAGE=$PQ_ROOT/docs/reliability.md
PQ_FAULT_TESTS=$PQ_ROOT/src/test/java/io/mysqlpq/cross/fault

command_faults() {
  local times=1 fault='' tests='io/mysqlpq/cross/fault/Test*' round
  while [[ $# -gt 0 ]]; do
    case $1 in
      --times)
        times=${2:-}
        shift $(($# > 1 ? 2 : 1))
        ;;
      -*) die "usage: ./pq faults [FAULT] [--times N]" ;;
      *)
        fault=$1
        shift
        ;;
    esac
  done
  [[ $times =~ ^[1-9][0-9]{0,3}$ ]] || die "--times needs a number from 1 to 9999, not: ${times:-(none)}"
  if [[ -n $fault ]]; then
    tests=$(tests_of_fault "$fault")
    [[ -n $tests ]] || die "no such fault: $fault; there are: $(fault_names | tr '\n' ' ')"
  fi
  command_build
  for ((round = 1; round <= times; round++)); do
    step "provoking ${fault:-all faults}, $round of $times"
    clear_fault_outputs
    run_logged faults maven package -pl src/test,docker/trino-server -am -Dtest="$tests" -Dsurefire.failIfNoSpecifiedTests=false
    fault_lines "$(date -u +%F)" "$(commit_of_tree)" <(fault_outputs) | tee -a "$PQ_FAULTS_LOG"
  done
  write_tries
}

# The names of the enumeration, one to a line.
fault_names() { sed -n -E 's/^    ([A-Z_]+)\(Outcome\..*/\1/p' "$PQ_FAULT_TESTS/Fault.java"; }

# tests_of_fault FAULT: those of the package of faults, of the fault's row; nothing if there is no such row.
tests_of_fault() {
  local test class
  # shellcheck disable=SC2016  # Markdown has backticks
  while IFS= read -r test; do
    class=${test%#*}
    [[ -f $PQ_FAULT_TESTS/$class.java ]] && echo "$test"
  done < <(grep -E "^\| \`$1\` \|" "$PQ_FAULTS_PAGE" | grep -oE '`Test[A-Za-z0-9]+#[A-Za-z0-9]+`' | tr -d '`') | paste -s -d ,
}

clear_fault_outputs() { rm -f "$PQ_ROOT"/src/test/target/surefire-reports/io.mysqlpq.cross.fault.*-output.txt; }

# What the tests of faults printed.
fault_outputs() { cat "$PQ_ROOT"/src/test/target/surefire-reports/io.mysqlpq.cross.fault.*-output.txt 2>/dev/null || true; }

# fault_lines DATE COMMIT OUTPUT...: date, commit, fault, tries, right answers, errors.
fault_lines() {
  local date=$1 commit=$2
  shift 2
  sed -n -E 's/.*Fault: ([A-Z_]+) (answered|failed)([^a-z].*)?$/\1 \2/p' "$@" |
    awk -v OFS='\t' -v date="$date" -v commit="$commit" '
      { tries[$1]++; ended[$1, $2]++ }
      END { for (fault in tries) print date, commit, fault, tries[fault], ended[fault, "answered"] + 0, ended[fault, "failed"] + 0 }' | sort
}

# judge_faults: each fault of the enumeration was provoked by the run whose outputs are there, whichever tests its row names.
judge_faults() {
  local fault lines
  lines=$(fault_lines date commit <(fault_outputs) | cut -f 3)
  while IFS= read -r fault; do
    grep -qx "$fault" <<<"$lines" || count 1 "no test provoked the fault $fault"
  done < <(fault_names)
}

# The page with the sums of the log in its column "Tried".
page_with_tries() {
  awk -F '\t' -v OFS='|' '
    NR == FNR { if (FNR > 1) sum[$3] += $4; next }
    /^\| `[A-Z_]+` \|/ {
      cells = split($0, cell, "|")
      fault = cell[2]
      gsub(/[ `]/, "", fault)
      cell[5] = " " (sum[fault] + 0) " "
      line = cell[1]
      for (i = 2; i <= cells; i++) line = line "|" cell[i]
      print line
      next
    }
    { print }' "$PQ_FAULTS_LOG" "$PQ_FAULTS_PAGE"
}

write_tries() {
  local page
  page=$(page_with_tries)
  printf '%s\n' "$page" >"$PQ_FAULTS_PAGE"
}

# The page says what the log says.
check_faults_log() {
  diff <(page_with_tries) "$PQ_FAULTS_PAGE" >/dev/null && return
  say "docs/reliability.md does not say how often faults were tried by docs/faults-log.tsv; ./pq faults mends it"
  return 1
}
