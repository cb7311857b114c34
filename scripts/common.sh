# shellcheck shell=bash
# Messages, timers, stamps and the lock that all commands share.

: "${PQ_ROOT:?is set by the script pq}" "${PQ_STATE:?}" "${PQ_DOWNLOADS:?}"

PQ_STARTED=$SECONDS
PQ_DOWNLOAD_SECONDS=0

say() { printf '%s\n' "$*"; }

# Progress line with the seconds since the command began.
step() { printf '[%4d s] %s\n' $((SECONDS - PQ_STARTED)) "$*"; }

die() {
  printf 'pq: %s\n' "$*" >&2
  exit 1
}

# python_script NAME ARGUMENT...: runs scripts/NAME.py, which needs nothing but Python's standard library. It reads and prints UTF-8 whatever
# the locale is, and leaves no compiled files among the sources.
python_script() { python3 -B -X utf8 "$PQ_ROOT/scripts/$1.py" "${@:2}"; }

have() { command -v "$1" >/dev/null 2>&1; }

print_times() {
  local all=$((SECONDS - PQ_STARTED))
  step "done: downloads ${PQ_DOWNLOAD_SECONDS} s, work $((all - PQ_DOWNLOAD_SECONDS)) s"
}

# Runs a command that mostly downloads; its seconds are counted apart from work.
downloading() {
  local began=$SECONDS
  "$@"
  PQ_DOWNLOAD_SECONDS=$((PQ_DOWNLOAD_SECONDS + SECONDS - began))
}

# run_logged NAME COMMAND...: output goes to a log file whose end is shown if the command fails.
run_logged() {
  local status=0
  logged "$@" || status=$?
  [[ $status -eq 0 ]] && return
  show_failure "$(log_of "$1")" >&2
  die "$1 failed (exit code $status); all of its output: $(log_of "$1")"
}

# The lines that name errors, since tools may print much after them, and the end.
show_failure() {
  grep -m 15 -nE "error:|ERROR|FAILED|FATAL|WARNING.*[.]java:" "$1" || true
  say "..."
  tail -n 15 "$1"
}

log_of() { echo "$PQ_STATE/logs/$1.log"; }

# logged NAME COMMAND...: the same, but a failure is left to the caller.
logged() {
  local name=$1 child
  shift
  mkdir -p "$PQ_STATE/logs"
  # With job control on, the command and all that it starts are a process group, to be ended as one.
  set -m
  "$@" >"$(log_of "$name")" 2>&1 </dev/null 9>&- &
  child=$!
  set +m
  show_progress "$child" "$name" "$(log_of "$name")"
  wait "$child"
}

# show_progress CHILD NAME LOG [UNTIL]: shows the last log line, on a terminal always and elsewhere each minute, until the
# child ends. Fails if it still runs when SECONDS is UNTIL.
show_progress() {
  local child=$1 name=$2 log=$3 until=${4:-} began=$SECONDS next=60
  while kill -0 "$child" 2>/dev/null; do
    if [[ -n $until ]] && ((SECONDS >= until)); then return 1; fi
    sleep 0.3
    if [[ -t 1 ]]; then
      printf '\r\033[K[%4d s]   %s: %.80s' $((SECONDS - PQ_STARTED)) "$name" "$(tail -n 1 "$log" | tr -d '\r')"
    elif ((SECONDS - began >= next)); then
      step "  $name: still running, $((SECONDS - began)) s: $(tail -n 1 "$log" | cut -c 1-100)"
      next=$((next + 60))
    fi
  done
  if [[ -t 1 ]]; then printf '\r\033[K'; fi
}

# One ./pq at a time in a state folder: descriptor 9 holds the lock until the process ends.
# Children that outlive the command must close it (9>&-).
locked() {
  mkdir -p "$PQ_STATE"
  exec 9>>"$PQ_STATE/lock"
  if ! flock -n 9; then
    step "waiting: $(tail -n 1 "$PQ_STATE/lock.holder" 2>/dev/null || echo another ./pq) is at work in $PQ_STATE"
    flock 9
  fi
  echo "./pq $1 (process $$)" >"$PQ_STATE/lock.holder"
  rm -rf "$PQ_STATE"/tmp.*
  trap stop_children EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
}

# Ends the jobs of an interrupted command and removes its half-made folders. Servers are started
# in sessions of their own and live on.
stop_children() {
  stop_jobs
  if [[ -n ${PQ_NETWORK:-} ]]; then leave_network; fi
  if [[ -f $PQ_STATE/docker/pid ]]; then stop_docker; fi
  rm -rf "$PQ_STATE/tmp.$$"
}

stop_jobs() {
  local group
  for group in $(jobs -p); do
    kill -- "-$group" 2>/dev/null || true
  done
  wait
}

# Prints the path of a new folder that is removed when the command ends.
temporary_folder() {
  mkdir -p "$PQ_STATE/tmp.$$/$1"
  echo "$PQ_STATE/tmp.$$/$1"
}

# Moves a finished folder to its place in one step, so that a folder that stands is whole.
put_in_place() {
  rm -rf "$2"
  mkdir -p "$(dirname "$2")"
  mv "$1" "$2"
}
