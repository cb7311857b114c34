# shellcheck shell=bash
# What tests of several files ask.

# fails_with TEXT COMMAND...: the command must fail and say so.
fails_with() {
  local text=$1 output
  shift
  if output=$("$@" 2>&1); then
    echo "did not fail: $*"
    return 1
  fi
  grep -qF -- "$text" <<<"$output" || { echo "no '$text' in: $output" && return 1; }
}
