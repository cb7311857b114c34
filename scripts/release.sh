# shellcheck shell=bash
# Puts together what is handed out: the plugin for Trino, the extension for each MySQL that it was built for, SQL, sources,
# what is in them (SBOM), and checksums of all.

command_release() {
  local output=$PQ_STATE/release
  case ${1:-} in
    '') ;;
    --output)
      [[ $# -eq 2 && -n $2 ]] || die "usage: ./pq release [--output DIR]"
      output=$(realpath -m "$2")
      ;;
    *) die "usage: ./pq release [--output DIR]" ;;
  esac
  check_committed
  command_build
  # One that lies there may be of other sources.
  if [[ -z $GIVEN_NAME && -d $PQ_STATE/build/udf-aarch64 ]]; then build_aarch64; fi
  make_release "$output"
}

# The licence asks for the sources of what is handed out, and those of HEAD are put in.
check_committed() {
  [[ -z $(git -C "$PQ_ROOT" status --porcelain --untracked-files=no) ]] || die "there are changes that no commit has, and a release holds the sources of one: commit them, or put them aside by git stash"
}

# make_release FOLDER: from what was built; the folder is replaced as a whole.
make_release() {
  local new sums zstd
  check_release_folder "$1"
  new=$(temporary_folder release)
  step "putting the release together"
  check_one_version
  connector_components >"$new/trino-mysql-pq-$(project_version).cdx.json"
  cp "$(plugin_zip)" "$new/"
  copy_extensions "$new"
  mkdir "$new/sql"
  cp "$PQ_ROOT"/server-udf/sql/*.sql "$new/sql/"
  cp "$PQ_ROOT/LICENSE" "$new/LICENSE"
  cp "$PQ_ROOT/server-udf/LICENSE" "$new/LICENSE.extension"
  zstd=$(echo "$(mysql_source)"/extra/zstd/zstd-*)
  cp "$zstd/LICENSE" "$new/LICENSE.zstd"
  archive_sources "$new"
  python_script components "$new" "$(project_version)" "$(server_version)" "${zstd##*/zstd-}" >"$new/mysql_pq-$(project_version).cdx.json"
  release_notes "$new" >"$new/RELEASE_NOTES.md"
  sums=$(temporary_folder sums)/SHA256SUMS
  (cd "$new" && find . -type f -printf '%P\0' | sort -z | xargs -0 sha256sum) >"$sums"
  mv "$sums" "$new/"
  put_in_place "$new" "$1"
  step "release $(project_version) is in $1"
}

# Nothing but an earlier release may be replaced.
check_release_folder() {
  [[ ! -e $1 || -z $(ls -A "$1") ]] || [[ -f $1/SHA256SUMS && $(head -n 1 "$1/RELEASE_NOTES.md" 2>/dev/null) == "# mysql_pq "* ]] || die "$1 is there and is no release: name another folder"
}

project_version() { sed -n -E '/<artifactId>mysql-pq</,/<version>/ s/.*<version>(.*)<\/version>.*/\1/p' "$PQ_ROOT/pom.xml"; }
# The last: the stamped ones stand before.
extension_version() { sed -n -E 's/.*extension_version\[\] = "(.*)";/\1/p' "$PQ_ROOT/server-udf/src/pure/version.h" | tail -n 1; }
# The extension that the connector's doctor wants.
wanted_extension_version() { sed -n -E 's/.*EXTENSION_VERSION = "(.*)";/\1/p' "$PQ_ROOT/connector/src/main/java/io/mysqlpq/trino/protocol/BoundaryProtocol.java"; }
trino_version() { sed -n -E 's/.*<dep.trino.version>(.*)<\/dep.trino.version>.*/\1/p' "$PQ_ROOT/pom.xml"; }

# Connector and extension are released together.
check_one_version() {
  local connector extension
  connector=$(project_version)
  extension=$(extension_version)
  [[ ${connector%-SNAPSHOT} == "$extension" ]] || die "the connector's version is $connector, the extension's $extension: a release has one"
  [[ $(wanted_extension_version) == "$extension" ]] || die "the extension's version is $extension, and the connector wants $(wanted_extension_version) (BoundaryProtocol): a release has one"
}

plugin_zip() { echo "$PQ_ROOT/connector/target/trino-mysql-pq-$(project_version).zip"; }

# Each is renamed to mysql_pq.so where it is installed. A build for another machine than amd64 is in build/udf-MACHINE.
copy_extensions() {
  local folder machine
  for folder in "$(build_folder udf)" "$(build_folder udf-aarch64)"; do
    [[ -f $folder/mysql_pq.so ]] || continue
    machine=${folder##*/udf}
    machine=${machine#-}
    cp "$folder/mysql_pq.so" "$1/mysql_pq-$(project_version)-mysql-$(server_version)-linux-${machine:-x86_64}.so"
  done
}

# The extension's licence asks for its sources; the images' build instructions are among them.
archive_sources() {
  git -C "$PQ_ROOT" archive --format=tar.gz --prefix="mysql_pq-$(project_version)/" -o "$1/mysql_pq-$(project_version)-source.tar.gz" HEAD
}

release_commit() { git -C "$PQ_ROOT" rev-parse HEAD; }

# CycloneDX, by its Maven plugin, which is bound to the connector's build only for this.
connector_components() {
  local components=$PQ_ROOT/connector/target/bom.json
  [[ $components -nt $(plugin_zip) ]] || run_logged release-components maven package -DskipTests -pl connector -am -Prelease >&2
  cat "$components"
}

# The top section of the changelog, and what is in the folder.
release_notes() {
  cat <<TEXT
# mysql_pq $(project_version)

For Trino $(trino_version) on JDK $JDK_VERSION and MySQL $(server_version). Built from commit $(release_commit).

| file | what |
|---|---|
| $(basename "$(plugin_zip)") | the connector: unpack it into Trino's folder plugin/, on the coordinator and each worker |
$(for library in "$1"/mysql_pq-*.so; do echo "| ${library##*/} | the extension: move it to mysql_pq.so in MySQL's plugin_dir |"; done)
| sql/install.sql | installs the extension; sql/install-tables.sql installs its tables |
| sql/upgrade.sql | shows, after a restart, which extension runs; sql/uninstall.sql removes it |
| mysql_pq-$(project_version)-source.tar.gz | all sources; docker/README.md in it says how to build the images |
| *.cdx.json | what is in plugin and extension (CycloneDX) |
| SHA256SUMS | checksums: sha256sum --check SHA256SUMS |

The sources hold the docs: docs/install.md says how to install, upgrade and remove both sides, docs/releases.md which versions go together.

## Builds of MySQL that were tried

$(python_script matrix table)

## Changes

$(awk '/^## / { section++; next } section == 1' "$PQ_ROOT/CHANGELOG.md" | sed '/./,$!d')
TEXT
}
