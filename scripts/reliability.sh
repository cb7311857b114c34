# shellcheck shell=bash
# Runs the tests of faults and of wrong answers for as long as you like. reliability.py adds what they saw to the logs of docs/reliability.md.

command_faults() {
  local times=1 fault='' tests='io/mysqlpq/cross/fault/Test*' commit outputs round
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
  check_host
  if [[ -n $fault ]]; then
    tests=$(python_script reliability tests "$fault")
    [[ -n $tests ]] || die "no such fault: $fault; there are: $(python_script reliability faults)"
  fi
  command_build
  commit=$(commit_of_tree)
  for ((round = 1; round <= times; round++)); do
    step "provoking ${fault:-all faults}, $round of $times"
    clear_output 'fault.*'
    run_logged faults maven_classes src/test,docker/trino-server "$tests"
    mapfile -t outputs < <(output_of 'fault.*')
    python_script reliability add-faults "$commit" "${outputs[@]}"
  done
}

# Each fault has to be provoked by the set that has just run, whichever tests its row names.
judge_faults() {
  local outputs missed fault
  mapfile -t outputs < <(output_of 'fault.*')
  missed=$(python_script reliability not-provoked "${outputs[@]}")
  for fault in $missed; do count 1 "no test provoked the fault $fault"; done
}

# How many of a seed's random queries ran is in the log, so that the next run of the seed goes on there. What an interrupted run wrote is added to
# the log first.
PQ_PROGRESS=$PQ_STATE/torture

command_torture() {
  local seconds='' seed='' queries='' query='' tests=(TestTorture TestReplicaTorture TestDifferential TestRepeatedQueries TestRandomScans TestConditionalScanStress) first=0 options=() outputs status=0
  while [[ $# -gt 0 ]]; do
    case $1 in
      --seconds) seconds=${2:-} ;;
      --seed) seed=${2:-} ;;
      --queries) queries=${2:-} ;;
      --query) query=${2:-} ;;
      *) die "usage: ./pq torture [--seconds N] [--seed N] [--queries N | --query N]" ;;
    esac
    shift $(($# > 1 ? 2 : 1))
  done
  [[ -z $seconds || $seconds =~ ^[1-9][0-9]{0,5}$ ]] || die "--seconds needs a number from 1 to 999999, not: ${seconds:-(none)}"
  [[ -z $seed || $seed =~ ^-?[0-9]{1,19}$ ]] || die "--seed needs a number, not: $seed"
  [[ -z $queries || $queries =~ ^[1-9][0-9]{0,8}$ ]] || die "--queries needs a number from 1 to 999999999, not: $queries"
  [[ -z $query || $query =~ ^[0-9]{1,9}$ ]] || die "--query needs a number, not: $query"
  [[ -z $query || (-n $seed && -z $queries) ]] || die "--query N is one of --seed N, without --queries"
  add_interrupted_run
  [[ -z $seed ]] || first=$(python_script reliability queries "$seed")
  if [[ -n $query ]]; then
    tests=(TestDifferential#testSameAnswers)
    first=$query
    options=(-Dpq.queries=1)
  elif [[ -n $queries ]]; then
    [[ $first -lt $queries ]] || die "seed $seed has had $first queries"
    tests=(TestDifferential)
    options=(-Dpq.queries=$((queries - first)))
    seconds=${seconds:-999999}
  fi
  seconds=${seconds:-600}
  command_build
  step "${tests[*]}, $seconds seconds each, random queries from number $first on"
  clear_output "${tests[@]}"
  if [[ -z $query ]]; then
    keep_progress
    options+=(-Dpq.progress="$PQ_PROGRESS/run")
  fi
  logged torture maven_classes src/test,server-udf/test/server "$(IFS=, && echo "${tests[*]}")" -Dgroups=stress \
    -Dpq.stress.seconds="$seconds" -Dpq.test.limit="$((seconds + 600)) s" ${seed:+-Dpq.seed="$seed"} -Dpq.first="$first" "${options[@]}" || status=$?
  [[ $status -eq 0 ]] || show_failure "$(log_of torture)"
  rm -rf "$PQ_PROGRESS"
  if [[ -z $query ]]; then
    mapfile -t outputs < <(output_of "${tests[@]}")
    python_script reliability add-runs "$(commit_of_tree)" "${outputs[@]}" ||
      die "the tests ended before they compared anything; their log: $(log_of torture)"
  fi
  return "$status"
}

keep_progress() {
  mkdir -p "$PQ_PROGRESS"
  commit_of_tree >"$PQ_PROGRESS/commit"
}

add_interrupted_run() {
  [[ ! -e $PQ_PROGRESS/run ]] || python_script reliability add-runs "$(cat "$PQ_PROGRESS/commit")" "$PQ_PROGRESS/run"
  rm -rf "$PQ_PROGRESS"
}

# With a plus sign if the sources differ from the commit; the log itself does not count.
commit_of_tree() {
  local changes=''
  git -C "$PQ_ROOT" diff --quiet HEAD -- . ':!docs/reliability-log.tsv' || changes=+
  echo "$(git -C "$PQ_ROOT" rev-parse --short HEAD)$changes"
}
