# shellcheck shell=bash
# Cross-builds the extension for aarch64, against the arm64 server of the same version, and tests it in qemu's user mode.

AARCH64_NEEDS=(
  "command aarch64-linux-gnu-g++-12 g++-12-aarch64-linux-gnu"
  "command qemu-aarch64-static qemu-user-static"
  "file /usr/src/googletest/googletest/CMakeLists.txt googletest"
)

aarch64_home() { echo "$(mysql_folder)/root-aarch64"; }

# The extension, the gate on its symbols, and its unit tests under qemu.
build_aarch64() {
  HOST_NEEDS+=("${AARCH64_NEEDS[@]}")
  command_setup
  setup_aarch64_mysql
  step "building the extension for aarch64"
  run_logged udf-aarch64-configure cmake -S "$PQ_ROOT/server-udf" -B "$PQ_STATE/build/udf-aarch64" -G Ninja \
    --toolchain "$PQ_ROOT/server-udf/cmake/aarch64.cmake" \
    -DMYSQL_SOURCE_DIR="$(mysql_source)" -DMYSQL_ROOT="$(aarch64_home)" \
    -DCMAKE_PROJECT_mysql_pq_INCLUDE="$PQ_ROOT/scripts/compile-together.cmake"
  run_logged udf-aarch64-build cmake --build "$PQ_STATE/build/udf-aarch64" -j "$PQ_JOBS" --target mysql_pq unit_tests
  step "testing it"
  run_logged udf-aarch64-tests ctest --test-dir "$PQ_STATE/build/udf-aarch64" --output-on-failure --no-tests=error -j "$PQ_JOBS"
  try_aarch64_server
  step "aarch64: $PQ_STATE/build/udf-aarch64/mysql_pq.so"
}

# Debian's arm64 packages of the version that was set up, through an apt root of their own: the server and the headers that it was built with.
setup_aarch64_mysql() {
  [[ ! -d $(aarch64_home) ]] || return 0
  local new
  new=$(temporary_folder aarch64)
  step "downloading MySQL $(mysql_version) for arm64"
  (
    # shellcheck disable=SC2030,SC2034  # of this subshell only, read by other parts
    PQ_APT=$PQ_STATE/apt-aarch64 PQ_DOWNLOADS=$PQ_DOWNLOADS/aarch64 DEBIAN_ARCHITECTURE=arm64
    MYSQL_BINARIES=(mysql-server-core mysql-client-core libmysqlclient-dev)
    # shellcheck disable=SC2034  # read by other parts
    MYSQL_EXTRAS=()
    make_apt_root
    [[ $(archived_version) == "$(mysql_version)" ]] ||
      die "the package archive has MySQL $(archived_version) for arm64, but $(mysql_version) is set up"
    run_logged apt-download-aarch64 private_apt apt-get install -y --download-only "${MYSQL_BINARIES[@]}"
    binary_packages >"$PQ_APT/closure"
    verify_packages
    while read -r package; do
      dpkg-deb -x "$(package_file "$package")" "$new"
    done <"$PQ_APT/closure"
  )
  put_in_place "$new" "$(aarch64_home)"
}

# run_aarch64 PROGRAM ARGUMENT...: a program of the arm64 server, with its own loader and libraries.
run_aarch64() {
  local home libraries
  home=$(aarch64_home)
  libraries=$home/usr/lib/aarch64-linux-gnu
  qemu-aarch64-static "$libraries/ld-linux-aarch64.so.1" --library-path "$libraries" "$home/usr/$1" "${@:2}"
}

# The arm64 server loads the library, cuts a table and reads it natively.
try_aarch64_server() {
  local folder
  folder=$(temporary_folder aarch64-server)
  step "loading it into an arm64 MySQL under qemu"
  mkdir "$folder/plugins"
  cp "$PQ_STATE/build/udf-aarch64/mysql_pq.so" "$folder/plugins/"
  run_logged aarch64-initialize run_aarch64_server "$folder" --initialize-insecure
  # A statement a line.
  cat >"$folder/init.sql" <<'SQL'
CREATE DATABASE pq;
CREATE TABLE pq.t (k INT PRIMARY KEY, v INT);
SET SESSION cte_max_recursion_depth = 10000;
INSERT INTO pq.t WITH RECURSIVE s (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM s WHERE n < 9999) SELECT n, n FROM s;
SQL
  run_logged aarch64-server aarch64_answers "$folder"
}

run_aarch64_server() {
  local folder=$1
  shift
  run_aarch64 sbin/mysqld --no-defaults --user="$(id -un)" --basedir="$(aarch64_home)/usr" --datadir="$folder/data" \
    --lc-messages-dir="$(aarch64_home)/usr/share/mysql" --plugin-dir="$folder/plugins" --secure-file-priv=NULL --skip-log-bin \
    --innodb-redo-log-capacity=8M --innodb-use-native-aio=OFF --skip-networking --mysqlx=OFF \
    --socket="$folder/socket" --pid-file="$folder/pid" "$@"
}

aarch64_answers() {
  local status=0
  run_aarch64_server "$1" --plugin-load-add=mysql_pq.so --init-file="$1/init.sql" &
  check_aarch64_answers "$1" $! || status=1
  aarch64_sql "$1" "SHUTDOWN" || kill "$(cat "$1/pid")"
  wait $! || status=1
  return $status
}

# Ranges of 10,000 rows, and all of them read in a snapshot, which the extension's own counter tells.
check_aarch64_answers() {
  local reply
  until reply=$(aarch64_sql "$1" "SELECT COUNT(*) FROM pq.t" 2>/dev/null) && [[ $reply == 10000 ]]; do
    kill -0 "$2" || return 1
    sleep 1
  done
  reply=$(aarch64_sql "$1" "SELECT mysql_pq_version()") || return 1
  say "$reply"
  grep -q '"protocol": 1' <<<"$reply" || return 1
  reply=$(aarch64_sql "$1" "SELECT mysql_pq_ranges('pq', 't', 'PRIMARY', 8)") || return 1
  say "$reply"
  grep -qE '"boundaries": \[(\["[0-9]+"\](, )?){4,7}\]' <<<"$reply" || return 1
  aarch64_sql "$1" "START TRANSACTION READ ONLY; SELECT 1 FROM pq.t LIMIT 0; SELECT mysql_pq_snapshot_export() INTO @reply;
    SET @token = JSON_UNQUOTE(JSON_EXTRACT(@reply, '\$.token'));
    SELECT COUNT(mysql_pq_scan('pq', 't', 'PRIMARY', @token, '{\"columns\": [[\"k\", \"int32\"], [\"v\", \"int32\"]]}'))
    FROM JSON_TABLE('[0,0,0,0]', '\$[*]' COLUMNS (batch FOR ORDINALITY)) batches; COMMIT" || return 1
  reply=$(aarch64_sql "$1" "SHOW GLOBAL STATUS LIKE 'mysql_pq_scan_rows_read'") || return 1
  say "$reply"
  grep -qw 10000 <<<"$reply"
}

aarch64_sql() { mysql_program "$(mysql_home)" bin/mysql --no-defaults -N -B -r -u root --socket="$1/socket" -e "$2"; }
