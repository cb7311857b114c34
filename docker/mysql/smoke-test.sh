#!/bin/sh
# Starts this image's own server with the extension, cuts a table of it and reads it natively. What fails ends the build.
set -eu

rows=5000
folder=$(mktemp -d)
chown mysql "$folder"

server() { mysqld --no-defaults --user=mysql --datadir="$folder/data" --secure-file-priv=NULL "$@"; }

# ask SQL...: one statement each, in one session; prints the last one's value.
ask() {
  said=$(printf '%s;\n' "$@" | mysql --no-defaults --user=root --socket="$folder/socket" --skip-column-names --batch) || return 1
  echo "$said" | tail -n 1
}

fail() {
  echo "$1" >&2
  cat "$folder/log" >&2
  exit 1
}

server --initialize-insecure >"$folder/log" 2>&1 || fail "the server makes no data directory"
server --socket="$folder/socket" --pid-file="$folder/pid" --skip-networking --loose-mysqlx=OFF --plugin-load-add=mysql_pq.so >>"$folder/log" 2>&1 &
left=60
until ask "SELECT 1" >/dev/null 2>&1; do
  left=$((left - 1))
  [ "$left" -gt 0 ] || fail "the server did not start in a minute"
  sleep 1
done

ask "SELECT mysql_pq_version()" || fail "the server does not have the extension"
ask "CREATE SCHEMA smoke" "CREATE TABLE smoke.numbers (id INT PRIMARY KEY, text VARCHAR(100))" \
  "SET SESSION cte_max_recursion_depth = $rows" \
  "INSERT INTO smoke.numbers WITH RECURSIVE list AS (SELECT 1 AS id UNION ALL SELECT id + 1 FROM list WHERE id < $rows) SELECT id, REPEAT('a', 100) FROM list" >/dev/null || fail "the server makes no table"
boundaries=$(ask "SELECT JSON_LENGTH(mysql_pq_ranges('smoke', 'numbers', 'PRIMARY', 4, NULL), '$.boundaries')") || fail "the extension cuts no table"
[ "$boundaries" -gt 0 ] || fail "the extension found $boundaries boundaries"
# The number of rows stands in the first batch's head.
read=$(ask "START TRANSACTION READ ONLY" "SELECT 1 FROM smoke.numbers LIMIT 0" "SELECT JSON_VALUE(mysql_pq_snapshot_export(), '$.token') INTO @token" \
  "SELECT CONV(HEX(REVERSE(SUBSTR(mysql_pq_scan('smoke', 'numbers', 'PRIMARY', @token, '{\"columns\": [[\"id\", \"int32\"], [\"text\", \"bytes\"]]}'), 9, 4))), 16, 10)") ||
  fail "the extension reads no table"
[ "$read" -eq "$rows" ] || fail "the extension read $read rows of $rows"
ask "SHUTDOWN" >/dev/null
wait
echo "the server of this image cuts tables into ranges and reads them by the extension"
