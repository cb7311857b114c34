# shellcheck shell=bash
# Replicas of the MySQL that ./pq runs: servers with a copy of its data, which apply what it writes.

# shellcheck disable=SC2034  # of other parts
PQ_MOST_REPLICAS=8
# How many there are to be. The demo sets it.
PQ_REPLICAS=0
# They share the machine with the source.
PQ_REPLICA_POOL=512M

replica_folders() { compgen -G "$PQ_RUN/mysql-replica-*" || true; }

# How a replica or its source numbers and logs its transactions.
replication_options() { printf '%s\n' --server-id="$1" --log-bin=binlog --gtid-mode=ON --enforce-gtid-consistency=ON; }

# Starts MySQL, its replicas, and Trino, which reads from the replicas. MySQL stops for a moment: its data is copied.
start_servers_with_replicas() {
  local number
  stop_servers
  delete_replicas
  for ((number = 1; number <= PQ_REPLICAS; number++)); do copy_server "$number"; done
  mapfile -t MYSQL_OPTIONS < <(replication_options 1)
  start_mysql
  for ((number = 1; number <= PQ_REPLICAS; number++)); do start_replica "$number"; done
  # Without any transaction, nobody knows whether replicas have the same.
  mysql_client <<<"ANALYZE TABLE tpch.region" >/dev/null
  start_trino
}

stop_replicas() {
  local folder
  while IFS= read -r folder; do
    [[ -z $folder ]] || stop_server "${folder##*/}" "$folder"
  done < <(replica_folders)
}

delete_replicas() {
  local folder
  while IFS= read -r folder; do
    [[ -z $folder ]] || rm -rf "$folder"
  done < <(replica_folders)
}

# A copy is a server of its own: it draws a UUID of its own. What it has in common with the source is the password.
copy_server() {
  local folder=$PQ_RUN/mysql-replica-$1
  step "copying MySQL's data for replica $1"
  mkdir -p "$folder"
  cp -p "$MYSQL_RUN/password" "$folder/"
  cp -r "$(mysql_data)" "$folder/data${GIVEN_NAME:+-$GIVEN_NAME}"
  rm -f "$folder"/data*/auto.cnf
}

# The functions that start MySQL take its folder from MYSQL_RUN.
start_replica() {
  local source_port password MYSQL_OPTIONS
  # shellcheck disable=SC2034  # read by those functions
  local PQ_MYSQL_PORT=
  source_port=$(cat "$MYSQL_RUN/port")
  password=$(cat "$MYSQL_RUN/password")
  local MYSQL_RUN=$PQ_RUN/mysql-replica-$1
  mapfile -t MYSQL_OPTIONS < <(replication_options "$((1 + $1))")
  MYSQL_OPTIONS+=(--super-read-only=ON --innodb-buffer-pool-size="$PQ_REPLICA_POOL")
  start_mysql
  mysql_client <<<"CHANGE REPLICATION SOURCE TO SOURCE_HOST = '127.0.0.1', SOURCE_PORT = $source_port, SOURCE_USER = 'root', SOURCE_PASSWORD = '$password', SOURCE_AUTO_POSITION = 1, GET_SOURCE_PUBLIC_KEY = 1; START REPLICA"
}

# The property replica-hosts of the catalog, or nothing.
replica_hosts() {
  local number hosts=()
  for ((number = 1; number <= PQ_REPLICAS; number++)); do hosts+=("127.0.0.1:$(cat "$PQ_RUN/mysql-replica-$number/port")"); done
  if [[ ${#hosts[@]} -gt 0 ]]; then (
    IFS=,
    echo "replica-hosts=${hosts[*]}"
  ); fi
}
