#!/bin/bash
# Prepares a data directory at the first start, with what the official image's variables ask for, then runs the server.
set -euo pipefail

socket=/var/run/mysqld/mysqld.sock
data=/var/lib/mysql

# secret NAME: the variable's value, or the content of the file that NAME_FILE names.
secret() {
  local file=${1}_FILE
  if [[ -n ${!file:-} ]]; then
    cat "${!file}"
  else
    echo "${!1:-}"
  fi
}

if [[ ${1:-} == -* ]]; then set -- mysqld "$@"; fi
if [[ ${1:-} == mysqld && $EUID -eq 0 ]]; then
  exec setpriv --reuid=mysql --regid=mysql --clear-groups "$0" "$@"
fi
[[ ${1:-} == mysqld && ! -d $data/mysql ]] || exec "$@"

root=$(secret MYSQL_ROOT_PASSWORD)
if [[ -z $root && -z ${MYSQL_ALLOW_EMPTY_PASSWORD:-} ]]; then
  echo "MYSQL_ROOT_PASSWORD or MYSQL_ALLOW_EMPTY_PASSWORD is needed" >&2
  exit 1
fi

"$@" --initialize-insecure
"$@" --skip-networking &
server=$!
until mysqladmin --silent --socket="$socket" --user=root ping; do
  kill -0 "$server"
  sleep 0.2
done

schema=()
if [[ -n ${MYSQL_DATABASE:-} ]]; then
  mysql --user=root -e "CREATE DATABASE \`$MYSQL_DATABASE\`"
  schema=("$MYSQL_DATABASE")
fi
if [[ -n ${MYSQL_USER:-} ]]; then
  mysql --user=root -e "CREATE USER '$MYSQL_USER'@'%' IDENTIFIED BY '$(secret MYSQL_PASSWORD)'"
  if [[ -n ${MYSQL_DATABASE:-} ]]; then
    mysql --user=root -e "GRANT ALL ON \`$MYSQL_DATABASE\`.* TO '$MYSQL_USER'@'%'"
  fi
fi
for file in /docker-entrypoint-initdb.d/*.sql; do
  if [[ -f $file ]]; then mysql --user=root "${schema[@]}" <"$file"; fi
done
mysql --user=root <<SQL
CREATE USER 'root'@'%' IDENTIFIED BY '$root';
GRANT ALL ON *.* TO 'root'@'%' WITH GRANT OPTION;
ALTER USER 'root'@'localhost' IDENTIFIED BY '$root';
SQL
kill "$server"
wait "$server" || true
exec "$@"
