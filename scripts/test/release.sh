# shellcheck shell=bash
# shellcheck disable=SC2317  # functions that stand in for others are called by those under test
# Tests of what ./pq release puts together, from what the test run has built.

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
state=${PQ_STATE:-$repository/.pq}
work=$(mktemp -d)
trap 'rm -rf "$work" "$state/tmp.$$"' EXIT

load_release() {
  export PQ_ROOT=$repository PQ_STATE=$state PQ_DOWNLOADS=${PQ_DOWNLOADS:-$state/downloads}
  local part
  for part in common host jdk versions mysql given build release; do
    # shellcheck source=/dev/null
    source "$repository/scripts/$part.sh"
  done
  find_given_mysql
}

refuses_with() {
  local text=$1 output
  shift
  if output=$("$@" 2>&1); then return 1; fi
  grep -qF -- "$text" <<<"$output"
}

# json FILE EXPRESSION: what Python makes of a JSON file.
json() { python3 -c "import json, sys; bom = json.load(open(sys.argv[1])); print($2)" "$1"; }

test_release() {
  load_release
  find_jdk
  # Made once more over the first, as a second release into the same folder is.
  make_release "$work/release"
  make_release "$work/release"
  cd "$work/release" || return 1
  sha256sum --check --strict SHA256SUMS
  [[ $(wc -l <SHA256SUMS) -eq $(find . -type f ! -name SHA256SUMS | wc -l) ]]
  released_plugin
  released_extension
  released_sources
  # A file that is damaged is found.
  printf x >>mysql_pq-*.so
  if sha256sum --check --strict --status SHA256SUMS; then return 1; fi
}

# The zip is what Trino unpacks; the components are its jars, all of them and no others.
released_plugin() {
  local zip names
  zip=$(echo trino-mysql-pq-*.zip)
  names=$(python3 -m zipfile -l "$zip" | awk 'NR > 1 { print $1 }')
  grep -qE '^trino-mysql-pq-[^/]*/trino-mysql-pq-[^/]*\.jar$' <<<"$names"
  grep -qE '/mysql-connector-j-[0-9.]*\.jar$' <<<"$names"
  [[ $(json trino-mysql-pq-*.cdx.json 'bom["bomFormat"]') == CycloneDX ]]
  sed -n 's#.*/\(.*\)\.jar$#\1#p' <<<"$names" | grep -v '^trino-mysql-pq-' | sort >"$work/jars"
  json trino-mysql-pq-*.cdx.json '"\n".join(sorted(part["name"] for part in bom["components"]))' >"$work/components"
  # Trino itself brings these to each plugin.
  grep -vxE 'jackson-annotations|slice|opentelemetry-(api|api-incubator|context|common)' "$work/components" >"$work/packed"
  while read -r component; do
    grep -qE "(^|_)${component//./[.]}-[0-9]" "$work/jars" || { echo "not in the zip: $component" && return 1; }
  done <"$work/packed"
  [[ $(wc -l <"$work/jars") -eq $(wc -l <"$work/packed") ]]
}

released_extension() {
  local library hash
  library=$(echo mysql_pq-*-mysql-*-linux-x86_64.so)
  cmp "$library" "$(plugin_file)"
  hash=$(sha256sum "$library" | cut -d' ' -f1)
  [[ $(json mysql_pq-*.cdx.json '[part["hashes"][0]["content"] for part in bom["components"] if part["name"].endswith("x86_64.so")][0]') == "$hash" ]]
  grep -q mysql_pq_version sql/upgrade.sql
  for name in install install-tables uninstall; do
    grep -qE '^(UN)?INSTALL PLUGIN ' "sql/$name.sql"
  done
  grep -q "$library" RELEASE_NOTES.md
}

released_sources() {
  tar -tzf mysql_pq-*-source.tar.gz >"$work/sources"
  grep -q '/server-udf/LICENSE$' "$work/sources"
  grep -q '/docker/README.md$' "$work/sources"
  # The changelog's first section, and not its second.
  grep -q '^- ' RELEASE_NOTES.md
  [[ $(grep '^## ' RELEASE_NOTES.md) == "## Builds of MySQL that were tried"$'\n'"## Changes" ]]
  grep -q "^| 9.7.4 | Debian's package 9.7.4-2 | x86_64 | yes | yes |" RELEASE_NOTES.md
}

test_release_replaces_no_other_folder() {
  load_release
  mkdir "$work/mine"
  touch "$work/mine/thesis"
  refuses_with "is no release" make_release "$work/mine"
  [[ -f $work/mine/thesis ]]
}

test_release_of_two_versions() {
  load_release
  extension_version() { echo 9.9.9; }
  refuses_with "a release has one" check_one_version
}

test_release_of_a_doctor_for_another() {
  load_release
  wanted_extension_version() { echo 9.9.9; }
  refuses_with "a release has one" check_one_version
}

test_release_of_changes_without_commit() {
  load_release
  git clone -q "$repository" "$work/clone"
  PQ_ROOT=$work/clone check_committed
  echo >>"$work/clone/README.md"
  PQ_ROOT=$work/clone refuses_with "commit them" check_committed
}

test_release_with_bad_option() {
  load_release
  refuses_with "usage: ./pq release" command_release --outptu x
}
