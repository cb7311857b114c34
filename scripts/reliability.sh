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

command_torture() {
  local seconds=600 seed='' outputs status=0
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
  step "torture, random queries and random scans, $seconds seconds each"
  clear_output TestTorture TestDifferential TestRandomScans
  logged torture maven_classes src/test,server-udf/test/server TestTorture,TestDifferential,TestRandomScans -Dgroups=stress \
    -Dpq.stress.seconds="$seconds" ${seed:+-Dpq.seed="$seed"} || status=$?
  [[ $status -eq 0 ]] || show_failure "$(log_of torture)"
  mapfile -t outputs < <(output_of TestTorture TestDifferential TestRandomScans)
  python_script reliability add-runs "$(commit_of_tree)" "${outputs[@]}" ||
    die "the tests ended before they compared anything; their log: $(log_of torture)"
  return "$status"
}

# With a plus sign if the sources differ from the commit; the log itself does not count.
commit_of_tree() {
  local changes=''
  git -C "$PQ_ROOT" diff --quiet HEAD -- . ':!docs/reliability-log.tsv' || changes=+
  echo "$(git -C "$PQ_ROOT" rev-parse --short HEAD)$changes"
}
