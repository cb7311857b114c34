# shellcheck shell=bash
# Plants faults, one at a time, in a copy of the sources, and sees whether the testers of wrong answers catch them.

PQ_MUTANTS=$PQ_ROOT/src/test/mutants
PQ_MUTANT_STATE=$PQ_STATE/mutants
PQ_MUTANT_TREE=$PQ_MUTANT_STATE/tree
PQ_MUTANT_BUILD=udf-mutant
PQ_MUTANT_SECONDS=60
PQ_TORTURE=io.mysqlpq.cross.TestTorture
PQ_DIFFERENTIAL=io.mysqlpq.cross.TestDifferential
PQ_CONDITIONAL=io.mysqlpq.extension.TestConditionalScanStress
PQ_CREDENTIALS=io.mysqlpq.trino.TestCredentials

command_mutants() {
  local names=() name missed=0 results
  while [[ $# -gt 0 ]]; do
    case $1 in
      --seconds)
        [[ ${2:-} =~ ^[1-9][0-9]{0,3}$ ]] || die "--seconds needs a number from 1 to 9999, not: ${2:-}"
        PQ_MUTANT_SECONDS=$2
        shift
        ;;
      -*) die "usage: ./pq mutants [--seconds N] [NAME...]" ;;
      *) names+=("$(known_mutant "$1")") ;;
    esac
    shift
  done
  command_build
  copy_sources
  results=$PQ_MUTANT_STATE/results-$(date -u +%Y-%m-%dT%H%M%SZ).md
  printf '| name | fault | caught by | after | queries |\n|---|---|---|---|---|\n' >"$results"
  if [[ ${#names[@]} -eq 0 ]]; then
    expect_no_fault
    mapfile -t names < <(mutants)
  fi
  for name in "${names[@]}"; do
    step "$name"
    hunt_mutant "$name" || missed=$((missed + 1))
    say "$PQ_MUTANT_ROW" | tee -a "$results"
  done
  cat "$results"
  say "results: $results"
  [[ $missed -eq 0 ]] || die "$missed of ${#names[@]} planted faults were not caught within $PQ_MUTANT_SECONDS s"
}

# Their names, in order.
mutants() { (cd "$PQ_MUTANTS" && compgen -G '*.patch' | sed 's/\.patch$//' | sort); }

# known_mutant NAME: with or without its number.
known_mutant() {
  local name
  for name in $(mutants); do
    if [[ $name == "$1" || ${name#*-} == "$1" || ${name%%-*} == "$1" ]]; then
      echo "$name"
      return
    fi
  done
  die "no such planted fault: $1; there are: $(mutants | tr '\n' ' ')"
}

# Each patch has to fit the sources as they are, and to name a tester.
check_mutants() {
  local patch failed=0
  for patch in "$PQ_MUTANTS"/*.patch; do
    (testers "$patch") >/dev/null || failed=1
    git -C "$PQ_ROOT" apply --check "$patch" && continue
    say "$(basename "$patch") does not apply: plant the same fault in the sources as they are"
    failed=1
  done
  return "$failed"
}

# What differs is copied, and no more: builds go by times.
copy_sources() {
  local file
  step "copying the sources"
  mkdir -p "$PQ_MUTANT_TREE"
  (cd "$PQ_ROOT" && git_files connector/src/main server-udf | sort -zu) >"$PQ_MUTANT_STATE/files"
  (cd "$PQ_MUTANT_TREE" && find . -type f -printf '%P\0' | sort -z | comm -z -13 "$PQ_MUTANT_STATE/files" - | xargs -0 -r rm)
  while IFS= read -r -d '' file; do
    cmp -s "$PQ_ROOT/$file" "$PQ_MUTANT_TREE/$file" || (cd "$PQ_ROOT" && cp --parents "$file" "$PQ_MUTANT_TREE")
  done <"$PQ_MUTANT_STATE/files"
}

# plant PATCH [OPTION]: in the copy, which git must not take for a part of the repository around it.
plant() { (cd "$PQ_MUTANT_TREE" && GIT_CEILING_DIRECTORIES=$PQ_MUTANT_STATE git apply "${@:2}" "$1"); }

# A tester that fails without a fault would seem to catch them all.
expect_no_fault() {
  local tester
  rm -rf "$PQ_MUTANT_STATE/classes"
  for tester in "$PQ_TORTURE" "$PQ_DIFFERENTIAL" "$PQ_CONDITIONAL" "$PQ_CREDENTIALS"; do
    step "no fault, ${tester##*.}"
    hunt no-fault "$tester" "$(plugin_file)" && [[ -n $(verdict no-fault "$tester") ]] && continue
    die "${tester##*.} fails without any fault: $(verdict no-fault "$tester"); all of its output: $(log_of "$(hunt_log no-fault "$tester")")"
  done
}

# Leaves a row for the table in PQ_MUTANT_ROW. Fails if no tester caught the fault in time.
hunt_mutant() {
  local patch=$PQ_MUTANTS/$1.patch plugin tester what seconds found missed=1
  plugin=$(plugin_file)
  plant "$patch" || die "$1 does not apply: plant the same fault in the sources as they are"
  if touches "$patch" connector/; then compile_mutant "$patch"; else rm -rf "$PQ_MUTANT_STATE/classes"; fi
  if touches "$patch" server-udf/; then
    build_mutant
    plugin=$(build_folder "$PQ_MUTANT_BUILD")/mysql_pq.so
  fi
  PQ_MUTANT_ROW="| \`$1\` | $(head -n 1 "$patch") | **nobody** | | |"
  for tester in $(testers "$patch"); do
    hunt "$1" "$tester" "$plugin" && continue
    read -r what seconds found <<<"$(verdict "$1" "$tester")"
    say "$what: $found"
    # An error may come of something else.
    [[ $what == caught ]] || continue
    PQ_MUTANT_ROW="| \`$1\` | $(head -n 1 "$patch") | ${tester##*.} | $seconds s | $(queries "$1" "$tester") |"
    if in_time "$seconds"; then
      missed=0
      break
    fi
  done
  plant "$patch" -R || die "$1 does not come off again"
  return "$missed"
}

in_time() { awk -v seconds="$1" -v most="$PQ_MUTANT_SECONDS" 'BEGIN { exit !(seconds <= most) }'; }

touches() { grep -q "^+++ b/$2" "$1"; }

# The one that the patch names on its second line comes first. Who looks only at conditional scans, or at accounts, finds no other fault.
testers() {
  case $(sed -n 2p "$1") in
    'Seen by the torture'* | 'Seen by both testers'*) echo "$PQ_TORTURE $PQ_DIFFERENTIAL" ;;
    'Seen by the differential tester'*) echo "$PQ_DIFFERENTIAL $PQ_TORTURE" ;;
    'Seen by the stress of conditional scans'*) echo "$PQ_CONDITIONAL $PQ_TORTURE" ;;
    'Seen by the test of credentials'*) echo "$PQ_CREDENTIALS $PQ_TORTURE" ;;
    *) die "${1##*/} does not say on its second line who sees it: the torture, the differential tester, both testers, the stress of conditional scans or the test of credentials" ;;
  esac
}

# compile_mutant PATCH: the classes that it changes, to stand before those of the sound connector. A fault changes no signature.
compile_mutant() {
  local sources
  rm -rf "$PQ_MUTANT_STATE/classes"
  mkdir -p "$PQ_MUTANT_STATE/classes"
  mapfile -t sources < <(sed -n 's|^+++ b/\(connector/.*\)|\1|p' "$1")
  run_logged mutant-compile env -C "$PQ_MUTANT_TREE" "$JAVA_HOME/bin/javac" -nowarn -proc:none -d "$PQ_MUTANT_STATE/classes" \
    -cp "$(cross_class_path)" "${sources[@]}"
}

# Each source by itself, and not many as one: only what has the fault is compiled again.
build_mutant() {
  (PQ_ROOT=$PQ_MUTANT_TREE configure_udf "$PQ_MUTANT_BUILD" -DMYSQL_SOURCE_DIR="$(mysql_source)" -DMYSQL_BUILD_DIR="$(mysql_builddir)" -DMYSQL_ROOT="$(mysql_home)")
  run_logged "$PQ_MUTANT_BUILD-build" cmake --build "$(build_folder "$PQ_MUTANT_BUILD")" -j "$PQ_JOBS" --target mysql_pq
}

hunt_log() { echo "mutant-$1-${2##*.}"; }

# verdict NAME TESTER: "caught SECONDS TEST: REASON", "failed SECONDS TEST: REASON" or "passed SECONDS N tests".
verdict() { grep -aE '^(caught|failed|passed) ' "$(log_of "$(hunt_log "$1" "$2")")" | tail -n 1; }

# How many the test that failed had compared by then, which says more than seconds on a busy machine.
queries() { sed -n -E 's/.*Reliability: .* queries ([0-9]+) differences.*/\1/p' "$(log_of "$(hunt_log "$1" "$2")")" | tail -n 1; }

# hunt NAME TESTER PLUGIN: runs the tester, and fails if it caught something. One that hangs has caught nothing.
hunt() {
  local name=$1 tester=$2 plugin=$3 options status=0 said
  read -r -a options < <(sed -n 's|.*<pq.jvm.options>\(.*\)</pq.jvm.options>.*|\1|p' "$PQ_ROOT/pom.xml")
  # Servers need a while to start, and a query that hangs must not keep the others from their turn. So short a run is not worth the best code.
  logged "$(hunt_log "$name" "$tester")" timeout $((5 * PQ_MUTANT_SECONDS + 300)) "$JAVA_HOME/bin/java" "${options[@]}" -XX:TieredStopAtLevel=1 \
    -Dpq.state="$PQ_STATE" -Dpq.mysql.home="$(mysql_home)" -Dpq.plugin.file="$plugin" -Dpq.stress.seconds="$PQ_MUTANT_SECONDS" \
    -cp "$PQ_MUTANT_STATE/classes:$(cross_class_path):$PQ_ROOT/server-udf/test/server/target/test-classes:$PQ_ROOT/connector/target/test-classes" \
    "$PQ_PROGRAMS.mutants.Hunt" "$tester" || status=$?
  said=$(verdict "$name" "$tester" || true)
  [[ -n $said || $status -eq 124 ]] || die "${tester##*.} neither passed nor failed (exit code $status); all of its output: $(log_of "$(hunt_log "$name" "$tester")")"
  [[ $status -eq 0 || $status -eq 124 ]]
}
