# shellcheck shell=bash
# shellcheck disable=SC2317  # functions that stand in for others are called by those under test
# Tests of --mysql and --mysql-source, on pretended servers and sources.

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
# shellcheck source=scripts/test/expect.sh
source "$repository/scripts/test/expect.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
server=$work/server sources=$work/sources

load_parts() {
  export PQ_ROOT=$repository PQ_STATE=$work/state PQ_DOWNLOADS=$work/state/downloads
  unset PQ_MYSQL PQ_MYSQL_SOURCE
  mkdir -p "$PQ_STATE"
  local part
  for part in "$repository"/scripts/*.sh; do
    # shellcheck source=/dev/null
    source "$part"
  done
}

# pretend_server VERSION MYSQLD CLIENT PLUGINS SHARE: a server with its parts at these places. It says what it is called with.
pretend_server() {
  mkdir -p "$server"/{"$(dirname "$2")","$(dirname "$3")","$4","$5"/english}
  printf '#!/bin/sh\necho "mysqld  Ver %s for Linux on x86_64 (MySQL Community Server - GPL)"\necho "$@"\n' "$1" >"$server/$2"
  printf '#!/bin/sh\necho client\n' >"$server/$3"
  chmod +x "$server/$2" "$server/$3"
  touch "$server/$4/validate.so" "$server/$5/english/errmsg.sys"
}

pretend_tarball() {
  pretend_server "$1" bin/mysqld bin/mysql lib/plugin share
  mkdir -p "$server/share/charsets"
}

# pretend_sources VERSION: not configured.
pretend_sources() {
  local major minor patch update
  IFS=. read -r major minor patch update <<<"$1"
  mkdir -p "$sources/share/charsets"
  printf 'MYSQL_VERSION_%s\n' MAJOR="$major" MINOR="$minor" PATCH="$patch" UPDATE="$update" EXTRA= >"$sources/MYSQL_VERSION"
}

# pretend_build FOLDER VERSION [SUFFIX]: a folder that they were configured in.
pretend_build() {
  mkdir -p "$1"/{include,storage/innobase/CMakeFiles/innobase.dir}
  printf '%s\n' "CMAKE_HOME_DIRECTORY:INTERNAL=$sources" WITH_DEBUG:BOOL=OFF CMAKE_BUILD_TYPE:STRING=RelWithDebInfo >"$1/CMakeCache.txt"
  echo "#define MYSQL_SERVER_VERSION       \"$2\"" >"$1/include/mysql_version.h"
  echo "#define MYSQL_SERVER_SUFFIX_DEF    \"${3:-}\"" >"$1/include/mysql_server_suffix.h"
  touch "$1/storage/innobase/CMakeFiles/innobase.dir/flags.make" "$1/include/mysqld_error.h"
}

# What ./pq does with its arguments before it does anything else.
give() {
  take_mysql_options "$@"
  find_given_mysql
}

# set_up ARGUMENT...: makes the server's folder, on a machine that has all that configuring needs.
set_up() {
  give "$@"
  install_missing_packages() { :; }
  setup_given_mysql >"$work/said"
}

# part PATH: where a link of the server's root leads.
part() { realpath "$(mysql_home)/$1"; }

test_options_are_read_wherever_they_stand() {
  load_parts
  take_mysql_options --scale 1 --mysql here --mysql-source there --superset
  [[ "${PQ_ARGUMENTS[*]}" == "--scale 1 --superset" && $PQ_MYSQL == here && $PQ_MYSQL_SOURCE == there ]]
  take_mysql_options --mysql=here=too --mysql-source=there status
  [[ "${PQ_ARGUMENTS[*]}" == status && $PQ_MYSQL == here=too && $PQ_MYSQL_SOURCE == there ]]
  fails_with "--mysql needs a folder" take_mysql_options --mysql
  fails_with "--mysql needs a folder" take_mysql_options --mysql=
}

test_without_a_given_server_debians_is_used() {
  load_parts
  give
  mkdir -p "$PQ_STATE/mysql"
  echo 9.7.4-2 >"$PQ_STATE/mysql/VERSION"
  [[ $(mysql_version) == 9.7.4-2 && $(server_version) == 9.7.4-2 && $(plugin_file) == "$PQ_STATE/build/udf/mysql_pq.so" ]]
  [[ $(mysql_builddir) == "$PQ_STATE/mysql/9.7.4-2/source/builddir" && $(mysql_data) == "$MYSQL_RUN/data" ]]
}

test_parts_of_a_tarball() {
  load_parts
  pretend_tarball 9.7.4
  pretend_sources 9.7.4
  pretend_build "$sources/builddir" 9.7.4
  set_up --mysql "$server" --mysql-source "$sources"
  [[ $(part usr/sbin/mysqld) == "$server/bin/mysqld" && $(part usr/bin/mysql) == "$server/bin/mysql" ]]
  [[ $(part usr/lib/mysql/plugin) == "$server/lib/plugin" && $(part usr/share/mysql/charsets) == "$server/share/charsets" ]]
  [[ $(part basedir) == "$server" && $(realpath "$(mysql_source)") == "$sources" && $(realpath "$(mysql_builddir)") == "$sources/builddir" ]]
  # The host's loader runs it, and it finds its messages.
  run_mysqld "$(mysql_home)" --verbose | grep -F -- "--basedir=$server --lc-messages-dir=$(mysql_home)/usr/share/mysql" >/dev/null
}

# As of packages for Red Hat's systems: the server comes with the C library of the system that it was made for.
test_parts_of_a_root() {
  load_parts
  pretend_server 9.7.4 usr/sbin/mysqld usr/bin/mysql usr/lib64/mysql/plugin usr/share/mysql-9.7
  printf '#!/bin/sh\nshift 2\nexec "$@" by-own-loader\n' >"$server/usr/lib64/ld-linux-x86-64.so.2"
  chmod +x "$server/usr/lib64/ld-linux-x86-64.so.2"
  pretend_sources 9.7.4
  pretend_build "$sources/builddir" 9.7.4
  set_up --mysql "$server" --mysql-source "$sources"
  [[ $(part usr/lib/mysql/plugin) == "$server/usr/lib64/mysql/plugin" && $(part basedir) == "$server/usr" ]]
  [[ $(part usr/share/mysql/english) == "$server/usr/share/mysql-9.7/english" ]]
  run_mysqld "$(mysql_home)" --verbose | grep by-own-loader >/dev/null
}

# It is server and sources in one. Character sets lie among the sources.
test_build_folder() {
  load_parts
  pretend_server 9.7.4 runtime_output_directory/mysqld runtime_output_directory/mysql plugin_output_directory share
  pretend_sources 9.7.4
  pretend_build "$server" 9.7.4
  set_up --mysql "$server"
  [[ $(realpath "$(mysql_source)") == "$sources" && $(realpath "$(mysql_builddir)") == "$server" ]]
  [[ $(part usr/share/mysql/charsets) == "$sources/share/charsets" && $(part usr/share/mysql/english) == "$server/share/english" ]]
}

test_other_sources_are_refused() {
  load_parts
  pretend_tarball 9.7.5
  pretend_sources 9.7.4
  fails_with "is MySQL 9.7.5, but the sources in $sources are of 9.7.4" give --mysql "$server" --mysql-source "$sources"
  fails_with "the tag mysql-9.7.5" give --mysql "$server" --mysql-source "$sources"
  pretend_sources 9.7.5
  mkdir "$server/include"
  echo '#define MYSQL_SERVER_VERSION "9.7.3"' >"$server/include/mysql_version.h"
  fails_with "are of 9.7.3" give --mysql "$server" --mysql-source "$sources"
}

test_incomplete_options() {
  load_parts
  pretend_tarball 9.7.4
  mkdir -p "$sources"
  fails_with "--mysql-source needs --mysql" give --mysql-source "$sources"
  fails_with "no such folder: $work/none" give --mysql "$work/none"
  fails_with "no MySQL server in $sources: it has none of bin/mysqld" give --mysql "$sources"
  fails_with "--mysql needs --mysql-source too" give --mysql "$server"
  fails_with "no MySQL sources in $sources" give --mysql "$server" --mysql-source "$sources"
}

test_unknown_series_is_refused() {
  load_parts
  pretend_tarball 7.7.7
  pretend_sources 7.7.7
  fails_with "is MySQL 7.7.7, but the extension supports only" give --mysql "$server" --mysql-source "$sources"
}

test_server_that_does_not_run_here() {
  load_parts
  pretend_tarball 9.7.4
  printf '#!/bin/sh\necho "libfoo.so.1: cannot open shared object file"\nexit 127\n' >"$server/bin/mysqld"
  fails_with "libfoo.so.1" give --mysql "$server" --mysql-source "$sources"
}

# Each server has a folder of its own for all that is made for it, and so has the same server after an upgrade in place.
test_servers_are_kept_apart() {
  load_parts
  pretend_tarball 9.7.4
  pretend_sources 9.7.4
  pretend_build "$sources/builddir" 9.7.4
  mkdir -p "$PQ_STATE/mysql"
  echo 9.7.4-2 >"$PQ_STATE/mysql/VERSION"
  set_up --mysql "$server" --mysql-source "$sources"
  local first
  first=$(mysql_folder)
  [[ $(basename "$first") == 9.7.4-????????  && $(plugin_file) == "$PQ_STATE/build/$(basename "$first")/udf/mysql_pq.so" ]]
  [[ $(mysql_data) == "$MYSQL_RUN/data-$(basename "$first")" && $(cat "$PQ_STATE/mysql/VERSION") == 9.7.4-2 ]]
  give --mysql "$server" --mysql-source "$sources"
  [[ $(mysql_folder) == "$first" ]]
  touch -d 2020-01-01 "$server/bin/mysqld"
  give --mysql "$server" --mysql-source "$sources"
  [[ $(mysql_folder) != "$first" ]]
}

# configured OPTION...: sets up, and whether CMake was asked for these.
configured() {
  local option
  cmake() { echo "$*" >>"$work/cmake"; }
  set_up --mysql "$server" --mysql-source "$sources"
  for option in "$@"; do grep -qF -- "$option" "$work/cmake" || { cat "$work/cmake" && return 1; }; done
}

test_plain_sources_are_configured_as_the_server_says() {
  load_parts
  pretend_tarball 9.7.4
  pretend_sources 9.7.4
  mkdir "$server/docs"
  printf '%s\n' "-- Cache values" CMAKE_BUILD_TYPE:STRING=RelWithDebInfo WITH_LOCK_ORDER:BOOL=ON WITH_SSL:STRING=/oracle/openssl \
    "===== Compiler flags used: =====" "CMAKE_CXX_FLAGS: -O2 -D_GLIBCXX_DEBUG -D_FORTIFY_SOURCE=2 -fabi-version=17" >"$server/docs/INFO_BIN"
  configured "-S $sources" -DWITH_LOCK_ORDER:BOOL=ON -DCMAKE_BUILD_TYPE:STRING=RelWithDebInfo "-DCMAKE_CXX_FLAGS=-D_GLIBCXX_DEBUG -fabi-version=17" "--target GenError"
  if grep /oracle/openssl "$work/cmake"; then return 1; fi
  [[ $(find "$sources" | wc -l) -eq 4 ]]
}

# Debian's 9.7.4-2 is built from 9.7.4.
test_what_the_builder_adds_to_the_version_is_configured() {
  load_parts
  pretend_tarball 9.7.4-2
  pretend_sources 9.7.4
  pretend_build "$sources/builddir" 9.7.4 -3
  configured -DMYSQL_SERVER_SUFFIX=-2
  grep -F "with its patches in" "$work/said"
  [[ ! -L $(mysql_builddir) && $(server_version) == 9.7.4-2 ]]
  pretend_build "$sources/builddir" 9.7.4 -2
  give --mysql "$server" --mysql-source "$sources"
  [[ $GIVEN_BUILD == "$sources/builddir" ]]
}

# From 9.7.4 on a release may be followed by updates, which have a fourth number.
test_update_of_a_release() {
  load_parts
  pretend_tarball 9.7.4-2
  # shellcheck disable=SC2016  # for the pretended server
  printf '#!/bin/sh\ncase $* in *--version-with-update*) version=9.7.4.1-2 ;; *) version=9.7.4-2 ;; esac\necho "mysqld  Ver $version for Linux on x86_64 (MySQL)"\n' >"$server/bin/mysqld"
  pretend_sources 9.7.4
  fails_with "is MySQL 9.7.4.1-2, but the sources in $sources are of 9.7.4" give --mysql "$server" --mysql-source "$sources"
  pretend_sources 9.7.4.1
  give --mysql "$server" --mysql-source "$sources"
  [[ $(server_version) == 9.7.4.1-2 && $GIVEN_SUFFIX == -2 ]]
}

test_forks_are_refused() {
  load_parts
  pretend_tarball 8.4.3-3
  sed -i 's/MySQL Community Server - GPL/Percona Server (GPL), Release 3, Revision 1234567/' "$server/bin/mysqld"
  pretend_sources 8.4.3
  fails_with "is a fork of MySQL" give --mysql "$server" --mysql-source "$sources"
}

test_debug_server_is_known_by_its_version() {
  load_parts
  pretend_tarball 9.7.4-debug
  pretend_sources 9.7.4
  configured -DWITH_DEBUG=ON -DCMAKE_BUILD_TYPE=Debug
}

# Sources that lie there configured for a release do not fit it.
test_release_configuration_is_not_used_for_a_debug_server() {
  load_parts
  pretend_tarball 9.7.4-debug
  pretend_sources 9.7.4
  pretend_build "$sources/builddir" 9.7.4
  configured -DWITH_DEBUG=ON
  [[ ! -L $(mysql_builddir) ]]
}

# Nor do such that lie there configured with other options than the server lists.
test_configuration_with_other_options_is_not_used() {
  load_parts
  pretend_tarball 9.7.4
  pretend_sources 9.7.4
  pretend_build "$sources/builddir" 9.7.4
  mkdir "$server/docs"
  printf '%s\n' CMAKE_BUILD_TYPE:STRING=RelWithDebInfo WITH_DEBUG:BOOL=OFF >"$server/docs/INFO_BIN"
  set_up --mysql "$server" --mysql-source "$sources"
  [[ $(realpath "$(mysql_builddir)") == "$sources/builddir" ]]
  echo WITH_LOCK_ORDER:BOOL=ON >>"$server/docs/INFO_BIN"
  configured -DWITH_LOCK_ORDER:BOOL=ON
  [[ ! -L $(mysql_builddir) ]]
}

# Nor a folder where they were configured and never built: it lacks a header.
test_configuration_without_generated_headers_is_not_used() {
  load_parts
  pretend_tarball 9.7.4
  pretend_sources 9.7.4
  pretend_build "$sources/builddir" 9.7.4
  rm "$sources/builddir/include/mysqld_error.h"
  configured "-S $sources"
}

# As of Debian's packages, whose sources are configured and not built.
test_header_of_error_numbers_may_come_with_the_server() {
  load_parts
  pretend_tarball 9.7.4
  pretend_sources 9.7.4
  pretend_build "$sources/builddir" 9.7.4
  mkdir "$server/include"
  echo '#define MYSQL_SERVER_VERSION "9.7.4"' >"$server/include/mysql_version.h"
  mv "$sources/builddir/include/mysqld_error.h" "$server/include"
  set_up --mysql "$server" --mysql-source "$sources"
  [[ $(realpath "$(mysql_builddir)") == "$sources/builddir" ]]
}

# Who stops or removes what runs needs no server.
test_down_without_the_given_server() {
  load_parts
  PQ_MYSQL=$work/gone "$repository/pq" down
  fails_with "no such folder: $work/gone" env PQ_MYSQL="$work/gone" "$repository/pq" build
}

test_series_that_was_never_loaded() {
  load_parts
  python_script() { echo "$*" >"$work/asked" && return 1; }
  warn_of_untried_series | grep -F "nobody has loaded an extension for this series" >/dev/null
}

# A build folder that says nothing of how InnoDB is compiled, since it was made with Ninja, still tells the options.
test_build_folder_of_another_generator() {
  load_parts
  pretend_server 9.7.4 runtime_output_directory/mysqld runtime_output_directory/mysql plugin_output_directory share
  pretend_sources 9.7.4
  pretend_build "$server" 9.7.4
  rm "$server/storage/innobase/CMakeFiles/innobase.dir/flags.make"
  sed -i s/RelWithDebInfo/Debug/ "$server/CMakeCache.txt"
  configured -DCMAKE_BUILD_TYPE:STRING=Debug -DWITH_DEBUG:BOOL=OFF
}
