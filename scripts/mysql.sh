# shellcheck shell=bash
# MySQL from Debian's packages: server, client, headers and the sources of one version.
# All of it comes through an apt root of its own, so that the host's package sources stay as they are.

MYSQL_BINARIES=(mysql-server-core mysql-client-core)
MYSQL_EXTRAS=(mysql-source libmysqlclient-dev)

# The name of the server that --mysql names, as given.sh finds it. None: Debian's.
GIVEN_NAME=

PQ_APT=$PQ_STATE/apt
DEBIAN_ARCHITECTURE=amd64
DEBIAN_SUITE=sid

setup_mysql() {
  if [[ -n $GIVEN_NAME ]]; then
    setup_given_mysql
  elif ! mysql_is_ready; then
    local version
    step "asking the package archive for MySQL"
    downloading make_apt_root
    version=$(archived_version)
    step "downloading MySQL $version: server, client, headers, sources (about 500 MB)"
    downloading fetch_packages
    step "verifying checksums"
    verify_packages
    unpack_mysql "$version"
  fi
  make_datadir_template
}

mysql_is_ready() { [[ (-n $GIVEN_NAME || -f $PQ_STATE/mysql/VERSION) && -f $(mysql_folder)/complete ]]; }
# The server in use: the package's version, such as 9.7.4-2, or that of a given server and a key of its file.
mysql_version() { if [[ -n $GIVEN_NAME ]]; then echo "$GIVEN_NAME"; else cat "$PQ_STATE/mysql/VERSION"; fi; }
# As the server itself says it.
server_version() { if [[ -n $GIVEN_NAME ]]; then echo "${GIVEN_NAME%-*}"; else mysql_version; fi; }
mysql_folder() { echo "$PQ_STATE/mysql/$(mysql_version)"; }
mysql_home() { echo "$(mysql_folder)/root"; }
mysql_source() { echo "$(mysql_folder)/source"; }
# The configured build folder, which Debian's package has inside of the sources.
mysql_builddir() { if [[ -n $GIVEN_NAME ]]; then echo "$(mysql_folder)/builddir"; else echo "$(mysql_source)/builddir"; fi; }

# Debian's mirror as this host already uses it; a mirror of another system has no Debian packages.
debian_mirror() {
  local codename uri
  if [[ -n ${PQ_DEBIAN_MIRROR:-} ]]; then
    echo "$PQ_DEBIAN_MIRROR"
    return
  fi
  # shellcheck source=/dev/null
  codename=$(source /etc/os-release && [[ $ID == debian ]] && echo "${VERSION_CODENAME:-}") ||
    die "this system is not Debian: set PQ_DEBIAN_MIRROR to the URI of a Debian mirror"
  uri=$(apt-get indextargets --no-release-info --format "\$(CREATED_BY)|\$(RELEASE)|\$(COMPONENT)|\$(REPO_URI)" |
    awk -F'|' -v suites="^($codename|stable|oldstable|testing|unstable|sid)\$" \
      '$1 == "Packages" && $2 ~ suites && $3 == "main" { print $4; exit }')
  [[ -n $uri ]] ||
    die "no Debian mirror of $codename main among apt's sources: set PQ_DEBIAN_MIRROR to the URI of one"
  echo "$uri"
}

make_apt_root() {
  local mirror
  mirror=$(debian_mirror)
  mkdir -p "$PQ_APT"/{etc/apt.conf.d,etc/preferences.d,lib/lists/partial,lib/dpkg,cache} \
    "$PQ_DOWNLOADS/partial" "$PQ_DOWNLOADS/extras/partial"
  : >"$PQ_APT/lib/dpkg/status"
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $DEBIAN_SUITE main" >"$PQ_APT/etc/sources.list"
  cat >"$PQ_APT/apt.conf" <<CONF
Dir::Etc "$PQ_APT/etc";
Dir::Etc::sourcelist "$PQ_APT/etc/sources.list";
Dir::State "$PQ_APT/lib";
Dir::State::status "$PQ_APT/lib/dpkg/status";
Dir::Cache "$PQ_APT/cache";
Dir::Cache::archives "$PQ_DOWNLOADS";
APT::Architecture "$DEBIAN_ARCHITECTURE";
APT::Architectures "$DEBIAN_ARCHITECTURE";
APT::Install-Recommends "false";
APT::Sandbox::User "$(id -un)";
Acquire::Languages "none";
Acquire::Retries "3";
// The archive's index may be frozen by a mirror; its signature is still checked.
Acquire::Check-Valid-Until "false";
$(apt-config dump | grep -E '^Acquire::https?::.*Proxy' || true)
CONF
  run_logged apt-index private_apt apt-get update -o APT::Update::Error-Mode=any
}

# Runs an apt command inside the private root.
private_apt() { APT_CONFIG=$PQ_APT/apt.conf "$@"; }

# unpack_packages FOLDER PACKAGE...: packages that the host does not get, as they are now.
unpack_packages() {
  local package
  downloading run_logged "$(basename "$1")-download" private_apt env -C "$1" apt-get download "${@:2}"
  for package in "$1"/*.deb; do
    dpkg-deb -x "$package" "$1"
    rm "$package"
  done
}

# Prints the one version of server, client, sources and headers; fails if they differ.
archived_version() {
  local versions
  versions=$(private_apt apt-cache policy "${MYSQL_BINARIES[@]}" "${MYSQL_EXTRAS[@]}" |
    awk '/Candidate:/ { print $2 }')
  [[ $(wc -l <<<"$versions") -eq $((${#MYSQL_BINARIES[@]} + ${#MYSQL_EXTRAS[@]})) ]] ||
    die "the package archive lacks one of: ${MYSQL_BINARIES[*]} ${MYSQL_EXTRAS[*]}"
  versions=$(sort -u <<<"$versions")
  [[ $(wc -l <<<"$versions") -eq 1 ]] ||
    die "the package archive has MySQL's server, headers and sources in different versions just now:
$versions
The extension must be built from the server's own sources: try again when the archive has settled."
  is_known_series "$versions" ||
    die "Debian's archive now has MySQL $versions, but the extension supports only $(known_series | paste -s -d' '). Get a server of such a series and its sources, such as the
tarballs of MySQL's download archive. Name their folders: ./pq ... --mysql DIR --mysql-source DIR (docs/install.md, \"Build it for your server\").
docs/DEVELOPMENT.md, \"Another series of MySQL\", says how to add one."
  echo "$versions"
}

fetch_packages() {
  run_logged apt-download private_apt apt-get install -y --download-only "${MYSQL_BINARIES[@]}"
  (cd "$PQ_DOWNLOADS/extras" &&
    run_logged apt-download-extras private_apt apt-get download "${MYSQL_EXTRAS[@]}")
  binary_packages >"$PQ_APT/closure"
}

# Prints name=version of each package of the server's closure, from an install that is not carried out.
binary_packages() {
  private_apt apt-get install -y --simulate "${MYSQL_BINARIES[@]}" |
    sed -n -E 's/^Inst ([^ ]+) \(([^ ]+) .*/\1=\2/p'
}

# The file of a package as apt names it: an epoch's colon is escaped.
package_file() {
  local name=${1%%=*} version=${1#*=}
  compgen -G "$PQ_DOWNLOADS/${name}_${version//:/%3a}_*.deb" ||
    compgen -G "$PQ_DOWNLOADS/extras/${name}_${version//:/%3a}_*.deb" ||
    die "package $1 was not downloaded"
}

all_packages() {
  local version extra
  version=$(archived_version)
  cat "$PQ_APT/closure"
  for extra in "${MYSQL_EXTRAS[@]}"; do echo "$extra=$version"; done
}

# Compares each package's SHA256 with the signed index.
verify_packages() {
  local packages package
  mapfile -t packages < <(all_packages)
  private_apt apt-cache show "${packages[@]}" |
    awk '/^Package: / { name = $2 } /^Version: / { version = $2 } /^SHA256: / { print name "=" version, $2 }' \
      >"$PQ_APT/sums"
  for package in "${packages[@]}"; do
    verify_package "$package" "$(package_file "$package")"
  done
}

verify_package() {
  local wanted found
  wanted=$(awk -v package="$1" '$1 == package { print $2; exit }' "$PQ_APT/sums")
  found=$(sha256sum "$2" | cut -d' ' -f1)
  [[ -n $wanted && $wanted == "$found" ]] && return
  rm -f "$2"
  die "checksum of $2 differs from the signed index; the file is removed, run the command again"
}

unpack_mysql() {
  local version=$1 new package
  new=$(temporary_folder mysql)
  mkdir -p "$new/root" "$new/source"
  step "unpacking the server"
  while read -r package; do
    [[ $package == mysql-source=* ]] || dpkg-deb -x "$(package_file "$package")" "$new/root"
  done < <(all_packages)
  step "unpacking the sources"
  unpack_sources "$(package_file "mysql-source=$version")" "$new"
  verify_one_version "$new"
  : >"$new/complete"
  put_in_place "$new" "$PQ_STATE/mysql/$version"
  echo "$version" >"$PQ_STATE/mysql/VERSION.new"
  mv "$PQ_STATE/mysql/VERSION.new" "$PQ_STATE/mysql/VERSION"
}

# The tarball inside the package holds one folder; MySQL's own tests are half of it and not needed.
unpack_sources() {
  dpkg-deb --fsys-tarfile "$1" |
    tar -x -O --wildcards './usr/src/mysql/mysql-source.tar*' |
    tar -x -z -C "$2/source" --strip-components=1 --no-same-owner \
      --exclude='*/mysql-test/*' --exclude='*/router/*'
}

# The server, the headers and the sources must agree to the last digit: the extension reaches into
# structures whose layout changes from one patch release to the next.
verify_one_version() {
  local server headers sources
  server=$(version_in "$(server_says "$1/root/usr/sbin/mysqld" run_mysqld "$1/root")")
  headers=$(header_version "$1/root/usr/include/mysql/mysql_version.h")
  sources=$(source_version "$1/source")
  if [[ $headers != "$sources" ]] || ! is_built_from "$server" "$sources"; then
    die "versions differ: server $server, headers $headers, sources $sources"
  fi
  is_known_series "$server" || die "the server is MySQL $server, but the extension supports only $(known_series | paste -s -d' ')"
}

# The series whose internals the extension knows.
known_series() { python_script matrix series; }

# For a series that compiles, and that nobody has loaded yet.
warn_of_untried_series() {
  python_script matrix loaded "$(server_version)" || say "WARNING: nobody has loaded an extension for this series of MySQL yet (docs/install.md). Run ./pq test with the same options before you install it."
}

# is_known_series VERSION: of a server or a package, such as 9.7.4-2.
is_known_series() { known_series | grep -xF "$(grep -oE '^[0-9]+\.[0-9]+' <<<"$1")" >/dev/null; }

# run_mysqld HOME ARGUMENT...: runs the unpacked server.
run_mysqld() {
  mysqld_command "$1"
  in_network "${MYSQL_COMMAND[@]}" "${@:2}"
}

mysql_program() {
  mysql_command "$1/usr/$2" "$1/usr/lib/x86_64-linux-gnu"
  in_network "${MYSQL_COMMAND[@]}" "${@:3}"
}

# mysqld_command HOME: leaves the server's command line, with what it cannot find by itself, in MYSQL_COMMAND. The Java class MysqlHome has the same.
mysqld_command() {
  local base=$1/usr
  if [[ -e $1/basedir ]]; then base=$(realpath "$1/basedir"); fi
  mysql_command "$1/usr/sbin/mysqld" "$1/usr/lib/x86_64-linux-gnu"
  MYSQL_COMMAND+=(--no-defaults --basedir="$base" --lc-messages-dir="$1/usr/share/mysql" --character-sets-dir="$1/usr/share/mysql/charsets"
    --secure-file-priv=NULL)
}

# mysql_command PROGRAM LIBRARIES: leaves a command line in MYSQL_COMMAND. A program that came with its C library is run by that one's loader.
mysql_command() {
  MYSQL_COMMAND=("$1")
  # Libraries that a build names by $ORIGIN lie beside those of its system.
  if [[ -d $2 ]]; then MYSQL_COMMAND=("$2/ld-linux-x86-64.so.2" --library-path "$2:$2/mysql/private:$2/../mysql/private" "$1"); fi
}

# A fresh data directory takes seconds to initialise and a moment to copy. The folder is named for
# the server binary (size and time stamp), where the Java test harness looks for it as well.
datadir_template() {
  local binary
  binary=$(mysql_home)/usr/sbin/mysqld
  printf '%s/datadir-template/%x-%x\n' "$PQ_STATE" "$(stat -L -c %s "$binary")" "$(date -r "$binary" +%s%3N)"
}

make_datadir_template() {
  local new
  [[ -d $(datadir_template) ]] && return
  step "initialising a data directory"
  new=$(temporary_folder template)/data
  run_logged mysql-initialize run_mysqld "$(mysql_home)" --user="$(id -un)" --initialize-insecure \
    --datadir="$new" --innodb-redo-log-capacity=8M --skip-log-bin
  # Each copy makes a server UUID of its own.
  rm -f "$new/auto.cnf"
  put_in_place "$new" "$(datadir_template)"
}
