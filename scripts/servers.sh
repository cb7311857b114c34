# shellcheck shell=bash
# Starts and stops the two servers: mysqld with the extension, Trino with the connector.
# Both listen on 127.0.0.1 only and keep everything in the state folder.

PQ_RUN=$PQ_STATE/run
MYSQL_RUN=$PQ_RUN/mysql
TRINO_RUN=$PQ_RUN/trino
SUPERSET_RUN=$PQ_RUN/superset
MYSQL_START_SECONDS=120
TRINO_START_SECONDS=180
# What MySQL is started with besides. A server that nobody copies needs no binary log.
MYSQL_OPTIONS=(--skip-log-bin)

command_up() {
  command_build
  start_servers
  print_addresses
}

start_servers() {
  # MySQL has a binary log for those that are not wanted any more.
  if [[ -n $(replica_folders) ]]; then
    stop_servers
    delete_replicas
  fi
  start_mysql
  start_trino
}

command_down() {
  stop_servers
}

stop_servers() {
  stop_server Superset "$SUPERSET_RUN"
  stop_server Trino "$TRINO_RUN"
  stop_replicas
  stop_server MySQL "$MYSQL_RUN"
}

command_status() {
  report "JDK $JDK_VERSION" found_jdk
  report "MySQL unpacked" unpacked_mysql
  report "extension built" compgen -G "$(plugin_file)"
  report "connector built" connector_folder
  report "MySQL running" server_address "$MYSQL_RUN"
  report "Trino running" server_address "$TRINO_RUN"
  report "Superset running" server_address "$SUPERSET_RUN"
}

# report NAME COMMAND...: what the command prints, or "no" if it fails.
report() {
  local name=$1 what
  shift
  what=$("$@" 2>/dev/null) || what=no
  printf '%-16s %s\n' "$name" "$what"
}

found_jdk() { find_jdk && echo "$JAVA_HOME"; }
unpacked_mysql() { mysql_is_ready && mysql_version; }

server_address() {
  running "$1" && echo "127.0.0.1:$(cat "$1/port") (process $(cat "$1/pid"))"
}

print_addresses() {
  say
  say "Trino's web UI  http://127.0.0.1:$(cat "$TRINO_RUN/port")/ui/"
  say "your own SQL    ./pq sql"
  say "MySQL           127.0.0.1:$(cat "$MYSQL_RUN/port"), user root, password in $MYSQL_RUN/password"
  say "stop all        ./pq down"
  say
}

# --- processes ---

# running FOLDER: whether the process of this folder lives. Its command line names the folder, so a
# process id that was given to somebody else since is not taken for it.
running() {
  [[ -f $1/pid ]] && tr '\0' '\n' 2>/dev/null <"/proc/$(cat "$1/pid")/cmdline" | grep -F "$1" >/dev/null
}

# start_server FOLDER COMMAND...: runs the command in a session of its own with its output in FOLDER/log.
start_server() {
  local folder=$1
  shift
  setsid env -C "$folder" "$@" >"$folder/log" 2>&1 </dev/null 9>&- &
  echo $! >"$folder/pid"
  disown
  # Until it has begun it has the command line of this script, and would be taken for somebody else's.
  while cmp -s "/proc/$$/cmdline" "/proc/$(cat "$folder/pid")/cmdline"; do sleep 0.01; done
}

# --- a network of our own, for ./pq bench --link ---

# Set while both servers, and what talks to them, are in a network namespace of their own. Its one device is the loopback, which
# may be made as slow as a network without slowing anything else down.
PQ_NETWORK=

# Runs a command where the servers are.
in_network() {
  if [[ -n $PQ_NETWORK ]]; then
    ip netns exec "$PQ_NETWORK" "$@"
  else
    "$@"
  fi
}

start_in_network() {
  local folder=$1
  shift
  if [[ -n $PQ_NETWORK ]]; then
    start_server "$folder" ip netns exec "$PQ_NETWORK" "$@"
  else
    start_server "$folder" "$@"
  fi
}

enter_network() {
  local name=pq-$$
  [[ $EUID -eq 0 ]] || die "--link needs root, for a network namespace"
  if ! have ip || ! have tc; then die "--link needs the programs ip and tc: apt-get install iproute2"; fi
  ip netns add "$name" || die "--link needs network namespaces, and this system makes none"
  PQ_NETWORK=$name
  in_network ip link set lo up
  in_network tc qdisc add dev lo root tbf rate 1gbit burst 256kb limit 4mb ||
    die "--link needs the token bucket filter (tbf), which this kernel does not have"
  in_network tc qdisc del dev lo root
}

leave_network() {
  stop_servers
  ip netns del "$PQ_NETWORK"
  PQ_NETWORK=
}

# await_server NAME FOLDER SECONDS CHECK: until CHECK succeeds; fails early if the process ends.
await_server() {
  local name=$1 folder=$2 limit=$3 check=$4 began=$SECONDS told=$SECONDS
  until "$check"; do
    running "$folder" || server_failed "$name" "$folder" "ended while starting"
    ((SECONDS - began < limit)) || server_failed "$name" "$folder" "was not ready after $limit s"
    if ((SECONDS - told >= 10)); then
      step "  $name: starting, $((SECONDS - began)) s"
      told=$SECONDS
    fi
    sleep 0.2
  done
}

server_failed() {
  tail -n 40 "$2/log" >&2
  stop_server "$1" "$2"
  die "$1 $3; its log: $2/log"
}

stop_server() {
  local name=$1 folder=$2 process waited=0
  if ! running "$folder"; then
    rm -f "$folder/pid"
    return
  fi
  step "stopping $name"
  process=$(cat "$folder/pid")
  kill "$process" 2>/dev/null || true
  while running "$folder" && ((waited++ < 300)); do sleep 0.1; done
  if running "$folder"; then
    step "$name did not stop in 30 s, killing it"
    kill -9 "$process" 2>/dev/null || true
    while running "$folder"; do sleep 0.1; done
  fi
  rm -f "$folder/pid"
}

# --- ports ---

# choose_port NAME WANTED FIRST: the wanted port if it is free, else an error; with none wanted the first
# free one from FIRST.
choose_port() {
  local name=$1 wanted=$2 port=$3
  if [[ -n $wanted ]]; then
    [[ $wanted =~ ^[1-9][0-9]{0,4}$ && $wanted -le 65535 ]] || die "$name is not a port number: $wanted"
    port_is_free "$wanted" || die "$name: port $wanted is in use; set another one, or leave it unset for a free one"
    echo "$wanted"
    return
  fi
  for ((; port < $3 + 200; port++)); do
    if port_is_free "$port"; then
      echo "$port"
      return
    fi
  done
  die "no free port from $3 to $((port - 1)); set $name"
}

# shellcheck disable=SC2016  # for the shell that asks
port_is_free() { ! in_network bash -c 'exec 3<>"/dev/tcp/127.0.0.1/$1"' bash "$1" 2>/dev/null; }

# --- MySQL ---

start_mysql() {
  if running "$MYSQL_RUN"; then
    if [[ $(cat "$MYSQL_RUN/version" 2>/dev/null) == "$(mysql_version)" ]] && cmp -s "$(plugin_file)" "$MYSQL_RUN/plugin/mysql_pq.so"; then
      step "MySQL is running"
      return
    fi
    stop_servers
  fi
  prepare_mysql
  step "starting MySQL $(mysql_version) on port $(cat "$MYSQL_RUN/port")"
  run_in_background_mysqld
  await_server MySQL "$MYSQL_RUN" "$MYSQL_START_SECONDS" mysql_answers
  [[ $(mysql_client -N -e 'SELECT mysql_pq_version()' 2>>"$MYSQL_RUN/log") == '{'* ]] ||
    server_failed MySQL "$MYSQL_RUN" "did not load the extension"
}

# The data of a server that --mysql names stays apart from that of others.
mysql_data() { echo "$MYSQL_RUN/data${GIVEN_NAME:+-$GIVEN_NAME}"; }

prepare_mysql() {
  local port data
  [[ -x $(mysql_home)/usr/bin/mysql ]] || die "the server in $PQ_MYSQL has no client program mysql beside it, which starts and asks it"
  mkdir -p "$MYSQL_RUN/plugin"
  mysql_version >"$MYSQL_RUN/version"
  port=$(choose_port PQ_MYSQL_PORT "${PQ_MYSQL_PORT:-}" 23306)
  echo "$port" >"$MYSQL_RUN/port"
  cp "$(plugin_file)" "$MYSQL_RUN/plugin/"
  if [[ ! -f $MYSQL_RUN/password ]]; then
    (umask 077 && head -c 18 /dev/urandom | base64 | tr -d '+/' >"$MYSQL_RUN/password")
    rm -rf "$(mysql_data)"
  fi
  if [[ ! -d $(mysql_data) ]]; then
    data=$(temporary_folder run)/data
    cp -r "$(datadir_template)" "$data"
    put_in_place "$data" "$(mysql_data)"
  fi
  (umask 077 && printf '%s\n' 'SET sql_log_bin = 0;' "ALTER USER root@localhost IDENTIFIED BY '$(cat "$MYSQL_RUN/password")';" >"$MYSQL_RUN/init.sql")
}

# run_in_background_mysqld OPTION...
run_in_background_mysqld() {
  mysqld_command "$(mysql_home)"
  start_in_network "$MYSQL_RUN" "${MYSQL_COMMAND[@]}" --user="$(id -un)" --loose-mysqlx=OFF \
    --bind-address=127.0.0.1 --port="$(cat "$MYSQL_RUN/port")" --datadir="$(mysql_data)" --socket=mysql.sock --init-file="$MYSQL_RUN/init.sql" \
    --plugin-dir="$MYSQL_RUN/plugin" --plugin-load-add=mysql_pq.so \
    --innodb-buffer-pool-size="$(buffer_pool_megabytes)M" --innodb-redo-log-capacity=1G \
    --innodb-flush-log-at-trx-commit=2 --max-connections=500 --local-infile=ON "${MYSQL_OPTIONS[@]}" "$@"
}

# Ends MySQL and starts it at the same port with nothing in memory: no pages that it had when it ended, none of its files in
# the system's cache. The last line is the new process id.
command_restart_cold() {
  running "$MYSQL_RUN" || die "MySQL is not running"
  stop_server MySQL "$MYSQL_RUN"
  sync
  if [[ -w /proc/sys/vm/drop_caches ]]; then echo 1 >/proc/sys/vm/drop_caches; fi
  run_in_background_mysqld --innodb-buffer-pool-load-at-startup=OFF --innodb-flush-method=O_DIRECT
  await_server MySQL "$MYSQL_RUN" "$MYSQL_START_SECONDS" mysql_answers
  cat "$MYSQL_RUN/pid"
}

# A quarter of the memory, between half a gigabyte and two.
buffer_pool_megabytes() { megabytes_between 512 2048; }

megabytes_between() {
  local quarter
  quarter=$(awk '/^MemTotal:/ { print int($2 / 4096) }' /proc/meminfo)
  echo $((quarter < $1 ? $1 : quarter > $2 ? $2 : quarter))
}

mysql_answers() { mysql_client -e 'SELECT 1' >/dev/null 2>&1; }

mysql_client() {
  MYSQL_PWD=$(cat "$MYSQL_RUN/password") mysql_program "$(mysql_home)" bin/mysql --no-defaults \
    --protocol=TCP --host=127.0.0.1 --port="$(cat "$MYSQL_RUN/port")" --user=root "$@"
}

# --- Trino ---

# Charts of many viewers at once are sooner done a few at a time: docs/dashboards.md has the measurement.
limit_queries() { PQ_QUERIES_AT_ONCE=$((2 * $(nproc))); }

start_trino() {
  if running "$TRINO_RUN"; then
    if trino_is_current; then
      step "Trino is running"
      return
    fi
    stop_server Trino "$TRINO_RUN"
  fi
  prepare_trino
  step "starting Trino on port $(cat "$TRINO_RUN/port")"
  run_in_background_trino
  await_server Trino "$TRINO_RUN" "$TRINO_START_SECONDS" trino_answers
}

# Trino must be of the last build, have the limit that is wanted, and know the port that MySQL has now.
trino_is_current() {
  [[ $TRINO_RUN/pid -nt $PQ_STATE/build/java.stamp ]] &&
    [[ -z ${PQ_STOCK_PLUGIN:-} || -d $TRINO_RUN/plugin/stock ]] &&
    [[ $(sed -n 's/^query.max-concurrent-queries=//p' "$TRINO_RUN/etc/config.properties") == "${PQ_QUERIES_AT_ONCE:-}" ]] &&
    [[ $(grep '^replica-hosts=' "$TRINO_RUN/etc/catalog/mysql_pq.properties") == "$(replica_hosts)" ]] &&
    grep -qF "127.0.0.1:$(cat "$MYSQL_RUN/port")" "$TRINO_RUN/etc/catalog/mysql_pq.properties"
}

# The server runs on a copy, so that a build may go on beside it.
prepare_trino() {
  local port
  rm -rf "$TRINO_RUN"
  mkdir -p "$TRINO_RUN/etc/catalog"
  port=$(choose_port PQ_TRINO_PORT "${PQ_TRINO_PORT:-}" 28080)
  echo "$port" >"$TRINO_RUN/port"
  cp -r "$PQ_ROOT"/docker/trino-server/target/trino-server/{lib,plugin} "$TRINO_RUN/"
  cp -r "$(connector_folder)" "$TRINO_RUN/plugin/mysql_pq"
  if [[ -n ${PQ_STOCK_PLUGIN:-} ]]; then cp -r "$PQ_STOCK_PLUGIN" "$TRINO_RUN/plugin/stock"; fi
  write_trino_configuration "$port"
  write_catalogs
}

write_trino_configuration() {
  cat >"$TRINO_RUN/etc/config.properties" <<CONF
coordinator=true
node-scheduler.include-coordinator=true
node.environment=pq
node.id=pq-coordinator
node.bind-ip=127.0.0.1
node.internal-address=127.0.0.1
http-server.http.port=$1
discovery.uri=http://127.0.0.1:$1
plugin.dir=$TRINO_RUN/plugin
catalog.config-dir=$TRINO_RUN/etc/catalog
log.levels-file=$TRINO_RUN/etc/log.properties
web-ui.authentication.type=fixed
web-ui.user=pq
# A hundred queries are kept in any case. Trino goes through all that it keeps, again and again.
query.min-expire-age=30s
CONF
  if [[ -n ${PQ_QUERIES_AT_ONCE:-} ]]; then
    echo "query.max-concurrent-queries=$PQ_QUERIES_AT_ONCE" >>"$TRINO_RUN/etc/config.properties"
  fi
  cat >"$TRINO_RUN/etc/log.properties" <<CONF
=WARN
io.trino=INFO
io.mysqlpq=INFO
CONF
}

write_catalogs() {
  printf '%s\n' connector.name=tpch tpch.column-naming=STANDARD tpch.double-type-mapping=DECIMAL \
    >"$TRINO_RUN/etc/catalog/tpch.properties"
  # The benchmark copies lineitem of scale 1, not a gigabyte in memory, into it.
  printf '%s\n' connector.name=memory memory.max-data-per-node=2GB >"$TRINO_RUN/etc/catalog/memory.properties"
  write_mysql_catalog mysql_pq mysql_pq
  replica_hosts >>"$TRINO_RUN/etc/catalog/mysql_pq.properties"
  if [[ -n ${PQ_STOCK_PLUGIN:-} ]]; then write_mysql_catalog stock mysql; fi
}

# write_mysql_catalog NAME CONNECTOR
write_mysql_catalog() {
  (umask 077 && cat >"$TRINO_RUN/etc/catalog/$1.properties") <<CONF
connector.name=$2
connection-url=jdbc:mysql://127.0.0.1:$(cat "$MYSQL_RUN/port")?sslMode=DISABLED&allowPublicKeyRetrieval=true
connection-user=root
connection-password=$(cat "$MYSQL_RUN/password")
CONF
}

run_in_background_trino() {
  start_in_network "$TRINO_RUN" "$JAVA_HOME/bin/java" -Xmx"$(megabytes_between 1536 4096)m" \
    -XX:+UseG1GC -XX:G1HeapRegionSize=32M -XX:+ExplicitGCInvokesConcurrent -XX:+ExitOnOutOfMemoryError \
    -XX:-OmitStackTraceInFastThrow -XX:ReservedCodeCacheSize=512M -XX:+EnableDynamicAgentLoading \
    -XX:PerMethodRecompilationCutoff=10000 -XX:PerBytecodeRecompilationCutoff=10000 \
    --add-modules=jdk.incubator.vector --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
    -Djdk.attach.allowAttachSelf=true -Djdk.nio.maxCachedBufferSize=2000000 -Dfile.encoding=UTF-8 \
    -Dconfig="$TRINO_RUN/etc/config.properties" -cp "$TRINO_RUN/lib/*" io.mysqlpq.server.TrinoServer
}

trino_answers() {
  in_network curl -sf --max-time 2 "http://127.0.0.1:$(cat "$TRINO_RUN/port")/v1/info" | grep '"starting":false' >/dev/null
}
