# shellcheck shell=bash
# Runs the bank's torture and the random queries for a time of choice, and adds what they saw to a log that grows.

PQ_RELIABILITY_LOG=$PQ_ROOT/docs/reliability-log.tsv

command_torture() {
  local seconds=600 seed='' status=0
  while [[ $# -gt 0 ]]; do
    case $1 in
      --seconds) seconds=${2:-} ;;
      --seed) seed=${2:-} ;;
      *) die "usage: ./pq torture [--seconds N] [--seed N]" ;;
    esac
    shift $(($# > 1 ? 2 : 1))
  done
  [[ $seconds =~ ^[1-9][0-9]{0,5}$ ]] || die "--seconds needs a number from 1 to 999999, not: ${seconds:-(none)}"
  [[ -z $seed || $seed =~ ^-?[0-9]{1,19}$ ]] || die "--seed needs a number, not: $seed"
  command_build
  step "torture and random queries, $seconds seconds each"
  rm -f "$PQ_ROOT"/src/test/target/surefire-reports/io.mysqlpq.cross.Test{Torture,Differential}-output.txt
  logged torture maven package -pl src/test -am -Dtest=TestTorture,TestDifferential -Dgroups=stress \
    -Dsurefire.failIfNoSpecifiedTests=false -Dpq.stress.seconds="$seconds" ${seed:+-Dpq.seed="$seed"} || status=$?
  [[ $status -eq 0 ]] || show_failure "$(log_of torture)"
  log_reliability
  return "$status"
}

# Where the tests' own output goes, for the build keeps it apart from Maven's.
log_reliability() {
  local lines
  lines=$(reliability_lines "$(date -u +%F)" "$(commit_of_tree)" \
    "$PQ_ROOT"/src/test/target/surefire-reports/io.mysqlpq.cross.Test{Torture,Differential}-output.txt)
  [[ -n $lines ]] || die "the tests ended before they compared anything; their log: $(log_of torture)"
  printf '%s\n' "$lines" | tee -a "$PQ_RELIABILITY_LOG"
  reliability_sums "$PQ_RELIABILITY_LOG"
}

# reliability_sums LOG: minutes, queries and differences of each test, over all runs.
reliability_sums() {
  awk -F '\t' '
    NF == 7 && $5 ~ /^[0-9.]+$/ { minutes[$3] += $5; queries[$3] += $6; differences[$3] += $7 }
    END { for (name in minutes) printf "all runs of %s: %.1f minutes, %d queries, %d differences\n", name, minutes[name], queries[name], differences[name] }' "$1" | sort
}

# reliability_lines DATE COMMIT OUTPUT...: date, commit, what ran, its seed, minutes, queries, differences.
reliability_lines() {
  local date=$1 commit=$2
  shift 2
  sed -n -E "s/.*Reliability: (.+) seed (-?[0-9]+) minutes ([0-9.]+) queries ([0-9]+) differences ([0-9]+).*/$date\t$commit\t\1\t\2\t\3\t\4\t\5/p" "$@"
}

# With a plus sign if the sources differ from the commit; the log itself does not count.
commit_of_tree() {
  local changes=''
  git -C "$PQ_ROOT" diff --quiet HEAD -- . ':!docs/reliability-log.tsv' || changes=+
  echo "$(git -C "$PQ_ROOT" rev-parse --short HEAD)$changes"
}
