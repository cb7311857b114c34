# shellcheck shell=bash
# Static checks that need no compiler, and the formatters. Import rules, error-prone and compiler
# warnings are part of every build instead.

# Each check prints what is wrong and fails, or is silent.
PQ_CHECKS=(java_format cpp_format cpp_columns shell_scripts pipes machine_paths checklist faults_log servers mutants)

command_check() {
  HOST_NEEDS+=("${TEST_NEEDS[@]}")
  command_setup
  local check failed=0
  for check in "${PQ_CHECKS[@]}"; do
    step "checking: ${check//_/ }"
    "check_$check" || failed=1
  done
  [[ $failed -eq 0 ]] || die "checks failed; ./pq format mends formatting"
}

command_format() {
  HOST_NEEDS+=("${TEST_NEEDS[@]}")
  command_setup
  step "formatting Java"
  run_logged java-format maven formatter:format
  step "formatting C++"
  cpp_sources | xargs -0 -r clang-format-14 -i
  python_script matrix write
}

check_java_format() {
  logged java-format maven formatter:validate --fail-at-end && return
  grep -E 'ERROR.*(not formatted|formatter)' "$(log_of java-format)" | head -n 20
  return 1
}

check_cpp_format() {
  local log
  log=$(log_of clang-format)
  cpp_sources | xargs -0 -r clang-format-14 --dry-run --Werror >"$log" 2>&1 && return
  head -n 30 "$log"
  return 1
}

# A search that fails is not one that finds nothing.
finds_nothing() {
  local status=0
  "$@" || status=$?
  ((status == 1))
}

# clang-format breaks code at 100 columns, but not comments and text.
check_cpp_columns() {
  LC_ALL=C.UTF-8 finds_nothing git -C "$PQ_ROOT" grep -nE '^.{101}' -- 'server-udf/*.cc' 'server-udf/*.h' 'server-udf/*.c'
}

check_shell_scripts() {
  (cd "$PQ_ROOT" && git_files '*.sh' pq .ci/run | xargs -0 shellcheck -x)
}

# A search that stops at its first hit may end the program that it reads from by a signal. Then the pipe has failed, now and then.
check_pipes() {
  finds_nothing git -C "$PQ_ROOT" grep --untracked -nE '(^|[^|])[|]&? *([A-Z_]+=[^ ]* *)*grep( -[a-zA-Z]+)* (-[a-zA-Z]*[qm]|--quiet|--max-count)' -- '*.sh' pq .ci docker
}

# The repository must stand alone: no path of the machine it was written on.
check_machine_paths() {
  finds_nothing git -C "$PQ_ROOT" grep -nIE "(^|[^A-Za-z0-9_.\$}/-])/(home|root|work|Users)/[a-z]" -- . ":!scripts/check.sh"
}

check_checklist() { python_script checklist; }

check_servers() { python_script matrix check; }

check_faults_log() { python_script reliability check; }

cpp_sources() { (cd "$PQ_ROOT" && git_files 'server-udf/*.cc' 'server-udf/*.h' | sed -z "s|^|$PQ_ROOT/|"); }

# Files that git knows, and new ones that it does not ignore.
git_files() { git ls-files -z -co --exclude-standard -- "$@"; }
