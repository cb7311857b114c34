# shellcheck shell=bash
# shellcheck disable=SC2317  # functions that stand in for others are called by those under test
# Tests of what `./pq test` prepares in the background for its last sets.

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Loads the parts, with a browser that is there and no Docker.
load_test() {
  export PQ_ROOT=$repository PQ_STATE=$work/state PQ_DOWNLOADS=$work/state/downloads
  mkdir -p "$PQ_STATE"
  local part
  for part in common mysql test; do
    # shellcheck source=/dev/null
    source "$repository/scripts/$part.sh"
  done
  fetch_prometheus() { :; }
  install_browser() { :; }
  setup_superset() { :; }
  setup_clients() { :; }
  setup_plots() { :; }
  docker_is_possible() { false; }
}

test_preparation_is_awaited_and_shown() {
  load_test
  setup_clients() { sleep 0.5 && step "clients are there"; }
  prepare_in_background >/dev/null
  await_preparation >"$work/output"
  grep -qF "exit code 0" "$work/output"
  grep -qF "clients are there" "$work/output"
}

# After an hour of tests another process has its number.
test_preparation_that_ended_long_ago_is_not_taken_for_another_process() {
  load_test
  prepare_in_background >/dev/null
  wait "$PREPARATION"
  bash -c 'sleep 40; exit 9' &
  PREPARATION=$!
  PREPARATION_UNTIL=$((SECONDS + 1)) await_preparation >"$work/output"
  grep -qF "exit code 0" "$work/output"
  kill %%
}

# The set that needs what is missing tries again.
test_failed_preparation_ends_no_set() {
  load_test
  setup_superset() { run_logged packages bash -c 'echo no such package && exit 7'; }
  setup_clients() { step "clients are there"; }
  prepare_in_background >/dev/null
  await_preparation >"$work/output"
  grep -qF "prepared in the background (exit code 1)" "$work/output"
  grep -qF "packages failed (exit code 7)" "$work/output"
  ! grep -qF "clients are there" "$work/output"
}

test_preparation_that_hangs_is_ended() {
  load_test
  export PQ_PREPARATION_SECONDS=1
  setup_superset() { run_logged packages bash -c "echo \$\$ >\"$PQ_STATE/child\"; sleep 987"; }
  prepare_in_background >/dev/null
  await_preparation >"$work/output"
  grep -qF "PQ_PREPARATION_SECONDS = 1 and is ended" "$work/output"
  grep -qF "exit code 143" "$work/output"
  for _ in {1..100}; do
    kill -0 "$(cat "$PQ_STATE/child")" 2>/dev/null || return 0
    sleep 0.1
  done
  return 1
}

# Such as a set that ended the command.
test_preparation_ends_with_the_command() {
  load_test
  export -f load_test
  # shellcheck disable=SC2016  # for the inner shells
  repository=$repository work=$work bash -c 'set -euo pipefail
    load_test
    setup_superset() { run_logged packages bash -c "sleep 987 & echo \$! >\"$PQ_STATE/grandchild\"; wait"; }
    trap stop_children EXIT
    prepare_in_background
    until [[ -s $PQ_STATE/grandchild ]]; do sleep 0.1; done' >/dev/null
  for _ in {1..200}; do
    kill -0 "$(cat "$PQ_STATE/grandchild")" 2>/dev/null || return 0
    sleep 0.1
  done
  return 1
}
