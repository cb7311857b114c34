# shellcheck shell=bash
# A MySQL that the user gives by --mysql DIR and --mysql-source DIR: where its parts are, of which version it is, and its sources, configured as
# it was built as far as that can be known.
#
# It gets a folder of its own beside Debian's, mysql/VERSION-KEY. The folder's root has links to the server's parts, at the places where
# Debian's package has them: what runs a server or builds for it looks there and nowhere else.

: "${PQ_MYSQL:=}" "${PQ_MYSQL_SOURCE:=}"

# The parts of a server: place in Debian's package | file in it that it is known by | places in other builds, patterns allowed.
# The last row is of the libraries of a server that came with its C library, as a container's root does.
MYSQL_PARTS=(
  "usr/sbin/mysqld||bin/mysqld usr/sbin/mysqld usr/bin/mysqld runtime_output_directory/mysqld"
  "usr/bin/mysql||bin/mysql usr/bin/mysql runtime_output_directory/mysql"
  "usr/lib/mysql/plugin||lib/plugin usr/lib64/mysql/plugin usr/lib/mysql/plugin plugin_output_directory"
  "usr/include/mysql|/mysql_version.h|include usr/include/mysql"
  "usr/share/mysql|/english/errmsg.sys|share usr/share/mysql-[0-9]* usr/share/mysql"
  "usr/lib/x86_64-linux-gnu|/ld-linux-x86-64.so.2|usr/lib/x86_64-linux-gnu usr/lib64"
)

# The list of options that a server was built with, where its builds put it.
# A build folder has two: what INFO_BIN leaves out, the cache has.
MYSQL_BUILD_INFOS='CMakeCache.txt docs/INFO_BIN Docs/INFO_BIN usr/share/doc/mysql*/INFO_BIN'

# Options that change what the extension sees of the server's structures. All others may differ.
MYSQL_LAYOUT_OPTIONS='CMAKE_BUILD_TYPE|WITH_DEBUG|WITH_INNODB_EXTRA_DEBUG|MUTEXTYPE|ENABLED_PROFILING|DISABLE_ALL_PSI|DISABLE_PSI_[A-Z_]+|WITH_LOCK_ORDER|WITH_HYPERGRAPH_OPTIMIZER|ENABLE_HYPERGRAPH_OPTIMIZER|WITH_CLIENT_PROTOCOL_TRACING|ENABLE_EXPERIMENT_SYSVARS|ENABLE_GCOV'

# What configuring MySQL's sources needs beside what the extension does.
CONFIGURE_NEEDS=(
  "command make make"
  "command bison bison"
  "command pkg-config pkg-config"
  "file /usr/include/curses.h libncurses-dev"
  "file /usr/include/libaio.h libaio-dev"
)

# What the given server says of its version, and what its builder added to that of the sources; its sources, and their configured build
# folder if they have one.
GIVEN_SAYS='' GIVEN_SUFFIX='' GIVEN_SOURCE='' GIVEN_BUILD=''

# Reads the options that say which MySQL, the same for all commands. Leaves the other arguments in PQ_ARGUMENTS.
take_mysql_options() {
  PQ_ARGUMENTS=()
  while [[ $# -gt 0 ]]; do
    case $1 in
      --mysql=* | --mysql-source=*)
        set -- "${1%%=*}" "${1#*=}" "${@:2}"
        continue
        ;;
      --mysql | --mysql-source)
        [[ -n ${2:-} ]] || die "$1 needs a folder"
        if [[ $1 == --mysql ]]; then PQ_MYSQL=$2; else PQ_MYSQL_SOURCE=$2; fi
        shift
        ;;
      *) PQ_ARGUMENTS+=("$1") ;;
    esac
    shift
  done
}

# Finds the given server and its sources, and sets the variables that name them.
find_given_mysql() {
  local mysqld server
  [[ -n $PQ_MYSQL$PQ_MYSQL_SOURCE ]] || return 0
  # It is asked which series are known.
  have python3 || install_missing_packages
  [[ -n $PQ_MYSQL ]] || die "--mysql-source needs --mysql too: the folder of the server that runs"
  [[ -d $PQ_MYSQL ]] || die "--mysql: no such folder: $PQ_MYSQL"
  PQ_MYSQL=$(realpath "$PQ_MYSQL")
  mysqld=$(given_part usr/sbin/mysqld) ||
    die "no MySQL server in $PQ_MYSQL: it has none of $(places_of usr/sbin/mysqld).
--mysql takes an unpacked tarball, the root of unpacked packages or of a container, a build folder, or / for the server of this machine."
  GIVEN_SAYS=$(given_server_says)
  server=$(version_in "$GIVEN_SAYS")
  find_given_source "$server"
  # Programs of ours start ./pq again.
  export PQ_MYSQL PQ_MYSQL_SOURCE
  GIVEN_NAME=$server-$(printf '%s\n' "$(realpath "$mysqld")" "$(stat -L -c '%s %Y' "$mysqld")" "$GIVEN_SOURCE" "$GIVEN_BUILD" |
    sha256sum | cut -c 1-8)
}

# places_of PART: all places where it is looked for.
places_of() { part_row "$1" | cut -d'|' -f3; }

part_row() { printf '%s\n' "${MYSQL_PARTS[@]}" | grep -F "$1|"; }

# given_part PART: the path of this part of the given server. Fails if it has none.
given_part() {
  local _ file places found
  IFS='|' read -r _ file places <<<"$(part_row "$1")"
  # shellcheck disable=SC2086  # these are patterns
  for found in $(cd "$PQ_MYSQL" && printf '%s\n' $places); do
    if [[ -e $PQ_MYSQL/$found$file ]]; then
      echo "${PQ_MYSQL%/}/$found"
      return
    fi
  done
  return 1
}

given_server_says() {
  local said mysqld
  mysqld=$(given_part usr/sbin/mysqld)
  mysql_command "$mysqld" "$(given_part usr/lib/x86_64-linux-gnu || true)"
  said=$(server_says "$mysqld" "${MYSQL_COMMAND[@]}" --no-defaults 2>&1) || die "the server in $PQ_MYSQL does not run on this machine:
$said"
  [[ -n $(version_in "$said") ]] || die "the server in $PQ_MYSQL does not say its version: $said"
  ! is_fork "$said" ||
    die "the server in $PQ_MYSQL is a fork of MySQL, whose InnoDB differs: $said
docs/install.md lists the builds that were tried."
  echo "$said"
}

# The tree that was given, or the one that a build folder was configured from. Of exactly the server's version.
find_given_source() {
  local server=$1 folder sources
  is_build_folder "$PQ_MYSQL" && : "${PQ_MYSQL_SOURCE:=$PQ_MYSQL}"
  [[ -n $PQ_MYSQL_SOURCE ]] || die "--mysql needs --mysql-source too: the sources of MySQL $server, which the extension is compiled against.
$(source_advice "$server")"
  [[ -d $PQ_MYSQL_SOURCE ]] || die "--mysql-source: no such folder: $PQ_MYSQL_SOURCE"
  PQ_MYSQL_SOURCE=$(realpath "$PQ_MYSQL_SOURCE")
  GIVEN_SOURCE=$PQ_MYSQL_SOURCE GIVEN_BUILD=''
  if [[ ! -f $GIVEN_SOURCE/MYSQL_VERSION ]] && is_build_folder "$GIVEN_SOURCE"; then GIVEN_SOURCE=$(configured_from "$GIVEN_SOURCE"); fi
  [[ -f $GIVEN_SOURCE/MYSQL_VERSION ]] || die "no MySQL sources in $GIVEN_SOURCE: there is no file MYSQL_VERSION"
  sources=$(source_version "$GIVEN_SOURCE")
  is_built_from "$server" "$sources" || die "the server in $PQ_MYSQL is MySQL $server, but the sources in $GIVEN_SOURCE are of $sources.
An extension fits only the version that it is compiled against. $(source_advice "$server")"
  GIVEN_SUFFIX=${server#"$sources"}
  check_given_headers "$sources"
  is_known_series "$server" || die "the server in $PQ_MYSQL is MySQL $server, but the extension supports only $(known_series | paste -s -d' '). docs/DEVELOPMENT.md, \"Another series of MySQL\", says how to add one"
  for folder in "$PQ_MYSQL_SOURCE" "$PQ_MYSQL" "$GIVEN_SOURCE/builddir"; do
    if is_usable_build "$folder"; then
      GIVEN_BUILD=$folder
      return
    fi
  done
}

source_advice() {
  cat <<TEXT
Sources of ${1%%-*} come from whoever built the server: Oracle's are the archive mysql-${1%%-*}.tar.gz or the tag mysql-${1%%-*} of https://github.com/mysql/mysql-server; a distribution has a source package. Unpack them and name their folder by --mysql-source.
TEXT
}

# check_given_headers SOURCES: headers that came with the server are of the sources' version.
check_given_headers() {
  local include headers
  include=$(given_part usr/include/mysql) || return 0
  headers=$(header_version "$include/mysql_version.h")
  [[ -z $headers || $headers == "$1" ]] || die "the server in $PQ_MYSQL and its sources are MySQL $1, but its headers in $include are of $headers: they were left behind by another version"
}

is_build_folder() { [[ -f $1/CMakeCache.txt ]]; }

configured_from() { sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$1/CMakeCache.txt"; }

# Whether sources were configured there, for the same version, with assertions or without like the server, with the options that the server
# lists and with what it adds to its version, and by a generator that says how InnoDB is compiled. The header of error numbers is made by building them, or comes with the server.
is_usable_build() {
  is_build_folder "$1" && [[ -f $1/storage/innobase/CMakeFiles/innobase.dir/flags.make ]] &&
    [[ -f $1/include/mysqld_error.h || -f $(given_part usr/include/mysql)/mysqld_error.h ]] &&
    [[ $(header_version "$1/include/mysql_version.h") == "$(source_version "$GIVEN_SOURCE")" && $(configured_suffix "$1") == "$GIVEN_SUFFIX" ]] &&
    [[ $(is_debug_build "$1" && echo debug) == "$(is_debug_server && echo debug)" ]] &&
    has_options_of_server "$1"
}

has_options_of_server() {
  local info name value
  info=$(given_build_info) || return 0
  while IFS='=' read -r name value; do
    grep -qE "^$name:[A-Z]+=$value\$" "$1/CMakeCache.txt" || return 1
  done < <(layout_options "$info" | sed -E 's/:[A-Z]+=/=/')
}

is_debug_build() { grep -qE '^(WITH_DEBUG:[A-Z]+=(ON|1)|CMAKE_BUILD_TYPE:[A-Z]+=Debug)$' "$1/CMakeCache.txt"; }

# A server with assertions adds this to its version.
is_debug_server() { [[ $GIVEN_SAYS == *-debug* ]]; }

# --- its folder in the state ---

setup_given_mysql() {
  local new folder
  folder=$(mysql_folder)
  [[ ! -f $folder/complete ]] || return 0
  step "MySQL $GIVEN_NAME: the server in $PQ_MYSQL, sources in $GIVEN_SOURCE"
  new=$(temporary_folder mysql)
  link_given_parts "$new/root"
  ln -s "$GIVEN_SOURCE" "$new/source"
  if [[ -n $GIVEN_BUILD ]]; then
    step "the sources are configured in $GIVEN_BUILD"
    ln -s "$GIVEN_BUILD" "$new/builddir"
  else
    [[ -z $GIVEN_SUFFIX ]] || say "WARNING: who built this MySQL added $GIVEN_SUFFIX to its version, so there may be patches too. Sources have to be those of the package, with its patches in."
    configure_given_source "$new"
  fi
  : >"$new/complete"
  put_in_place "$new" "$folder"
}

# link_given_parts ROOT: links to all parts that the server has. Its messages and character sets may be in two folders.
link_given_parts() {
  local row part found
  for row in "${MYSQL_PARTS[@]}"; do
    part=${row%%|*}
    found=$(given_part "$part") || continue
    mkdir -p "$1/${part%/*}"
    if [[ $part == usr/share/mysql ]]; then
      mkdir "$1/$part"
      ln -s "$found"/* "$1/$part/"
    else
      ln -s "$found" "$1/$part"
    fi
  done
  if [[ -n $GIVEN_SOURCE && ! -e $1/usr/share/mysql/charsets ]]; then
    mkdir -p "$1/usr/share/mysql"
    ln -s "$GIVEN_SOURCE/share/charsets" "$1/usr/share/mysql/charsets"
  fi
  found=$(given_part usr/sbin/mysqld)
  ln -s "$(dirname "$(dirname "$found")")" "$1/basedir"
}

# configure_given_source FOLDER: configures the sources in FOLDER/builddir. Nothing is written into their own folder.
configure_given_source() {
  local options=()
  HOST_NEEDS+=("${CONFIGURE_NEEDS[@]}")
  install_missing_packages
  mapfile -t options < <(given_build_options)
  step "configuring the sources as the server was built: ${options[*]}"
  run_logged mysql-configure cmake -S "$GIVEN_SOURCE" -B "$1/builddir" -G "Unix Makefiles" -DCMAKE_C_COMPILER=gcc-12 -DCMAKE_CXX_COMPILER=g++-12 \
    -DWITH_SSL=system -DWITH_UNIT_TESTS=OFF -DWITH_ROUTER=OFF -DWITH_MYSQLX=OFF -DWITHOUT_GROUP_REPLICATION=ON -DWITH_NDB=OFF \
    -DWITH_CURL=0 -DWITH_AUTHENTICATION_WEBAUTHN=OFF -DWITH_AUTHENTICATION_CLIENT_PLUGINS=OFF -DMYSQL_MAINTAINER_MODE=OFF "${options[@]}"
  # The header of error numbers, which the sources make.
  run_logged mysql-errors cmake --build "$1/builddir" -j "$PQ_JOBS" --target GenError
}

# What is known of how the server was built, as options of CMake, one a line: from the list of options that came with it, or from its version.
given_build_options() {
  local info
  [[ -z $GIVEN_SUFFIX ]] || echo "-DMYSQL_SERVER_SUFFIX=$GIVEN_SUFFIX"
  if info=$(given_build_info); then
    layout_options "$info" | sed 's/^/-D/'
    # Macros and flags of the ABI that the builder added.
    sed -n -E 's/^CMAKE_CXX_FLAGS(:STRING=|: )//p' "$info" | head -n 1 | tr ' ' '\n' | grep -E '^(-D|-fabi|-m)' | grep -v _FORTIFY_SOURCE | paste -s -d' ' | sed -n 's/^./-DCMAKE_CXX_FLAGS=&/p'
  elif is_debug_server; then
    printf '%s\n' -DCMAKE_BUILD_TYPE=Debug -DWITH_DEBUG=ON
  else
    echo -DCMAKE_BUILD_TYPE=RelWithDebInfo
  fi
}

# layout_options FILE: options of this list that change what the extension sees, one a line, such as WITH_DEBUG:BOOL=OFF.
layout_options() { sed -n -E "s/^(($MYSQL_LAYOUT_OPTIONS):[A-Z]+=.*)/\1/p" "$1"; }

# The file that lists them, such as docs/INFO_BIN of Oracle's tarballs. Fails if there is none.
given_build_info() {
  local found
  # shellcheck disable=SC2086  # these are patterns
  for found in $(cd "$PQ_MYSQL" && printf '%s\n' $MYSQL_BUILD_INFOS); do
    if [[ -f $PQ_MYSQL/$found ]]; then
      echo "$PQ_MYSQL/$found"
      return
    fi
  done
  if is_build_folder "$PQ_MYSQL_SOURCE"; then echo "$PQ_MYSQL_SOURCE/CMakeCache.txt"; else return 1; fi
}
