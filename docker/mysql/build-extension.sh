#!/bin/sh
# Compiles the extension in /server-udf against /source, and proves it against the server in /server.
set -eu
. /scripts/versions.sh

version=$(cat /server/mysql-version)
sources=$(source_version /source)
if ! is_built_from "$version" "$sources"; then
  echo "the server is MySQL $version, but the sources are of $sources" >&2
  exit 1
fi

cmake -S /server-udf -B /build -G "Unix Makefiles" -DPQ_TESTS=OFF -DCMAKE_CXX_COMPILER="$CXX" -DCMAKE_C_COMPILER="$CC" \
  -DMYSQL_SOURCE_DIR=/source -DMYSQL_ROOT=/server -DCMAKE_PROJECT_mysql_pq_INCLUDE=/scripts/compile-together.cmake
cmake --build /build -j "$(nproc)" --target mysql_pq
ctest --test-dir /build --output-on-failure --no-tests=error -R '^symbols'
strip --strip-debug -o /mysql_pq.so /build/mysql_pq.so
