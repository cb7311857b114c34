# shellcheck shell=sh
# Versions of MySQL, as text: of a server, of headers and of sources. Also read by docker/mysql, whose images have no Bash.
#
# A server's version is that of its sources, and behind it what its builder added: Debian's package 9.7.4-2 is built from 9.7.4. Sources
# have three numbers, a fourth one if they are an update of a release, and perhaps a fork's own: 9.7.4.1, 8.4.3-3.

# server_says MYSQLD COMMAND...: what the server in this file says of its version when it is run by this command.
# From 9.7.4 on it has an option that tells the number of an update too. An older server takes it for a mistake.
server_says() {
  if grep -q version-with-update "$1"; then
    shift
    "$@" --version-with-update
  else
    shift
    "$@" --version
  fi
}

# version_in TEXT: of what mysqld says, such as 9.7.4-2 or 9.7.4.1. Without what it appends to tell of assertions or sanitizers.
version_in() {
  echo "$1" | sed -n -E 's/.* Ver ([0-9]+\.[0-9]+\.[0-9]+[^ ]*).*/\1/p' |
    sed -E 's/(-debug|-valgrind|-asan|-lsan|-ubsan|-tsan)+$//' | without_update_0
}

# is_fork TEXT: whether a server that says this is no MySQL but a fork of it, with other structures of the same version.
is_fork() {
  case ${1#* Ver } in
    *Percona* | *MariaDB*) return 0 ;;
    *) return 1 ;;
  esac
}

# Of a file mysql_version.h; nothing if it is not there.
header_version() {
  [ -f "$1" ] || return 0
  sed -n -E 's/^#define MYSQL_SERVER_VERSION(_WITH_UPDATE)? +"([^"]+)".*/\2/p' "$1" | tail -n 1 | without_update_0
}

# Of a source tree.
source_version() {
  awk -F= '{ value[$1] = $2 } END {
    print value["MYSQL_VERSION_MAJOR"] "." value["MYSQL_VERSION_MINOR"] "." value["MYSQL_VERSION_PATCH"] "." value["MYSQL_VERSION_UPDATE"] + 0 value["MYSQL_VERSION_EXTRA"]
  }' "$1/MYSQL_VERSION" | without_update_0
}

# A release without an update has the number 0, which is seldom written.
without_update_0() { sed -E 's/^([0-9]+\.[0-9]+\.[0-9]+)\.0(-|$)/\1\2/'; }

# is_built_from SERVER SOURCES: whether a server of this version may be.
is_built_from() {
  case $1 in
    "$2" | "$2"-*) return 0 ;;
    *) return 1 ;;
  esac
}

# Of a folder where sources were configured: what the build adds to their version. The header is another one in 8.4 than in 9.7.
configured_suffix() {
  sed -n -E 's/^#define MYSQL_SERVER_SUFFIX_DEF +"(.*)".*/\1/p' "$1"/include/mysql_version.h "$1"/include/mysql_server_suffix.h 2>/dev/null || true
}
