# shellcheck shell=bash
# The demo and the SQL prompt: Java programs of the cross-component test module.

PQ_DEMO_CLASSES=io.mysqlpq.cross.demo

command_demo() {
  local scale=0.1
  case ${1:-} in
    '') ;;
    --scale) scale=${2:-} ;;
    *) die "usage: ./pq demo [--scale N]" ;;
  esac
  [[ $scale =~ ^[0-9]+(\.[0-9]+)?$ ]] || die "--scale needs a number such as 0.1, 1 or 10, not: $scale"
  command_build
  start_servers
  step "loading TPC-H at scale $scale through Trino, then comparing one split with parallel ranges"
  run_demo_program Demo "$scale"
  print_addresses
}

command_sql() {
  find_jdk
  if ! running "$MYSQL_RUN" || ! running "$TRINO_RUN"; then
    die "the servers are not running: start them with ./pq up (or ./pq demo)"
  fi
  case ${1:-} in
    '') run_demo_program SqlPrompt ;;
    -e) run_demo_program SqlPrompt "${2:?-e needs a statement}" ;;
    *) die "usage: ./pq sql [-e SQL]" ;;
  esac
}

run_demo_program() {
  local class=$1
  shift
  PQ_RUNNING_MYSQL_PORT=$(cat "$MYSQL_RUN/port") \
    PQ_RUNNING_MYSQL_PASSWORD=$(cat "$MYSQL_RUN/password") \
    PQ_RUNNING_TRINO_PORT=$(cat "$TRINO_RUN/port") \
    "$JAVA_HOME/bin/java" -Xmx512m -Djdk.console=jdk.internal.le --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
    -cp "$PQ_ROOT/src/test/target/test-classes:$(cat "$PQ_ROOT/src/test/target/class-path")" \
    "$PQ_DEMO_CLASSES.$class" "$@"
}
