# shellcheck shell=bash
# shellcheck disable=SC2317  # functions that stand in for others are called by those under test
# Tests of planting faults, with a state folder of their own.

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

load_mutants() {
  export PQ_ROOT=${1:-$repository} PQ_STATE=$work/state PQ_DOWNLOADS=$work/state/downloads
  local part
  for part in common mysql build check mutants; do
    # shellcheck source=/dev/null
    source "$repository/scripts/$part.sh"
  done
}

test_every_patch_applies_and_says_what_it_is() {
  load_mutants
  check_mutants
  local name
  (($(mutants | wc -l) >= 20))
  for name in $(mutants); do
    sed -n 1p "$PQ_MUTANTS/$name.patch" | grep '\.$' >/dev/null
  done
}

test_patch_that_does_not_fit() {
  git init -q "$work/repository"
  mkdir -p "$work/repository/src/test/mutants"
  echo one >"$work/repository/source"
  printf '%s\n' 'A fault.' 'Seen by the torture.' '' 'diff --git a/source b/source' '--- a/source' '+++ b/source' '@@ -1 +1 @@' '-one' '+two' >"$work/repository/src/test/mutants/01-fault.patch"
  load_mutants "$work/repository"
  check_mutants
  echo three >"$work/repository/source"
  if check_mutants >"$work/said" 2>&1; then return 1; fi
  grep -q '01-fault.patch does not apply' "$work/said"
  echo one >"$work/repository/source"
  sed -i '2s/.*/Seen by nobody./' "$work/repository/src/test/mutants/01-fault.patch"
  if check_mutants >"$work/said" 2>&1; then return 1; fi
  grep -q '01-fault.patch does not say on its second line who sees it' "$work/said"
}

# Also where an earlier run was ended in the midst of a fault.
test_copy_without_fault() {
  load_mutants
  copy_sources
  local name
  name=$(mutants | head -n 1)
  plant "$PQ_MUTANTS/$name.patch"
  touch "$PQ_MUTANT_TREE/connector/src/main/left-over"
  copy_sources
  diff -r "$repository/connector/src/main" "$PQ_MUTANT_TREE/connector/src/main"
  plant "$PQ_MUTANTS/$name.patch"
  plant "$PQ_MUTANTS/$name.patch" -R
  diff -r "$repository/connector/src/main" "$PQ_MUTANT_TREE/connector/src/main"
}

test_name_of_fault() {
  load_mutants
  local name
  name=$(mutants | head -n 1)
  [[ $(known_mutant "${name%%-*}") == "$name" && $(known_mutant "${name#*-}") == "$name" ]]
  if (known_mutant nonsense) 2>"$work/said"; then return 1; fi
  grep -q 'no such planted fault: nonsense' "$work/said"
}
