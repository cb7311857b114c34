# shellcheck shell=bash
# Tests of how servers are started and found, with commands that serve nobody.

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

load_servers() {
  export PQ_ROOT=$work PQ_STATE=$work/state PQ_DOWNLOADS=$work/state/downloads
  local part
  for part in common servers replicas; do
    # shellcheck source=/dev/null
    source "$repository/scripts/$part.sh"
  done
}

# Whoever waits for an answer takes a server for dead that does not run.
test_server_runs_at_once() {
  load_servers
  local round folder
  for round in {1..20}; do
    folder=$work/$round
    mkdir "$folder"
    start_server "$folder" tail -f "$folder/log"
    running "$folder" || return 1
    kill "$(cat "$folder/pid")"
  done
}

test_server_that_ends_at_once() {
  load_servers
  start_server "$work" false
  until ! running "$work"; do sleep 0.1; done
}
