#!/bin/sh
# Usage: configure-source.sh ARCHIVE CMAKE_OPTION...
#
# Fetches the sources of the version that stands in /mysql-version into /source and configures them in
# /source/builddir. ARCHIVE is the address of a .tar.gz, with @VERSION@ where the version goes.
set -eu
. /scripts/versions.sh

version=$(cat /mysql-version)
address=$(echo "$1" | sed "s/@VERSION@/${version%%-*}/g")
shift
mkdir -p /source
curl -fsSL "$address" | tar -xz -C /source --strip-components=1 --exclude='*/mysql-test/*'

sources=$(source_version /source)
if ! is_built_from "$version" "$sources"; then
  echo "the server is MySQL $version, but the sources are of $sources" >&2
  exit 1
fi

mkdir -p /source/mysql-test
cmake -S /source -B /source/builddir -G "Unix Makefiles" -DCMAKE_BUILD_TYPE=RelWithDebInfo \
  -DWITH_UNIT_TESTS=OFF -DWITH_ROUTER=OFF -DWITH_MYSQLX=OFF -DWITHOUT_GROUP_REPLICATION=ON \
  "-DMYSQL_SERVER_SUFFIX=${version#"$sources"}" "$@"
# The header of error numbers, which the sources make.
cmake --build /source/builddir --target GenError -j "$(nproc)"
