# shellcheck shell=bash
# Java programs: the demo, the benchmark, the SQL prompt and the picture of ranges of the cross-component test module, the doctor of the connector.

PQ_PROGRAMS=io.mysqlpq.cross
PQ_CONNECTORX=$PQ_STATE/connectorx
PQ_SPARK=$PQ_STATE/spark
PQ_PLOTS=$PQ_STATE/plots
SPARK_VERSION=4.1.1
PQ_CONNECTORX_PACKAGES=(connectorx==0.4.6 pyarrow==26.0.1)

command_demo() {
  local scale=1 superset=
  local usage="usage: ./pq demo [--scale N] [--superset] [--replicas N]"
  while [[ $# -gt 0 ]]; do
    case $1 in
      --scale)
        scale=${2:-}
        shift
        ;;
      --superset) superset=yes ;;
      --replicas)
        PQ_REPLICAS=${2:-}
        [[ $PQ_REPLICAS =~ ^[1-9]$ && $PQ_REPLICAS -le $PQ_MOST_REPLICAS ]] || die "--replicas needs a number from 1 to $PQ_MOST_REPLICAS, not: $PQ_REPLICAS"
        shift
        ;;
      *) die "$usage" ;;
    esac
    shift || break
  done
  check_scale "$scale"
  command_build
  if [[ -n $superset ]]; then
    setup_superset
    limit_queries
  fi
  if ((PQ_REPLICAS > 0)); then
    demo_replicas "$scale"
  else
    start_servers
    step "loading TPC-H at scale $scale (at scale 1 some 3 minutes), then comparing one split with parallel ranges"
    run_program demo.Demo "$scale"
  fi
  if [[ -n $superset ]]; then start_superset; fi
  print_addresses
  if [[ -n $superset ]]; then print_superset_address; fi
  print_next_steps
}

# The tables are loaded before MySQL has replicas, which begin with a copy of them.
demo_replicas() {
  local scale=$1 replicas=$PQ_REPLICAS
  PQ_REPLICAS=0
  start_servers
  step "loading TPC-H at scale $scale (at scale 1 some 3 minutes)"
  run_program running.LoadTpch "$scale"
  PQ_REPLICAS=$replicas
  start_servers_with_replicas
  step "running queries at once on $PQ_REPLICAS replicas"
  run_program demo.ReplicaDemo "$PQ_REPLICAS"
}

print_next_steps() {
  cat <<'TEXT'
Try next:
  how a table is read        ./pq sql -e 'EXPLAIN SELECT sum(l_tax) FROM mysql_pq.tpch.lineitem'
  how its B+tree is cut      ./pq sql -e "SELECT * FROM TABLE(mysql_pq.system.ranges('tpch', 'lineitem'))"
  what could be better       ./pq sql -e 'SELECT * FROM TABLE(mysql_pq.system.doctor())'
  your own MySQL and Trino   docs/install.md

TEXT
}

check_scale() { [[ $1 =~ ^[0-9]+(\.[0-9]+)?$ ]] || die "--scale needs a number such as 0.1, 1 or 10, not: $1"; }

command_bench() {
  case ${1:-} in
    --micro)
      micro_bench "${@:2}"
      return
      ;;
    --dashboards)
      dashboards_bench "${@:2}"
      return
      ;;
    --draw)
      draw_pictures "${@:2}"
      return
      ;;
    --replicas)
      bench_replicas "${@:2}"
      return
      ;;
  esac
  local scale=1 rounds=7 results connectorx='' spark='' link='' options=() usage began status=0
  usage="usage: ./pq bench [--scale N] [--rounds N] [--queries Q1,Q6,...] [--assert] [--link] [--busy] [--cold] [--model] [--connectorx] [--spark] [--stock-plugin DIR] [--resume RESULTS.json] [--tuned 'mysql_pq.max_ranges_per_scan = 16']..."
  while [[ $# -gt 0 ]]; do
    case $1 in
      --assert | --busy | --model) options+=("${1#--}" true) ;;
      --cold) options+=(restart "$PQ_ROOT/pq") ;;
      --connectorx) connectorx=$PQ_CONNECTORX/bin/python ;;
      --spark) spark=$PQ_SPARK/$SPARK_VERSION ;;
      --link) link=true ;;
      *)
        [[ $# -ge 2 ]] || die "$usage"
        case $1 in
          --scale) scale=$2 ;;
          --rounds) rounds=$2 ;;
          --queries | --tuned) options+=("${1#--}" "$2") ;;
          --stock-plugin)
            PQ_STOCK_PLUGIN=$(stock_plugin "$2")
            export PQ_STOCK_PLUGIN
            options+=(stock true)
            ;;
          --resume)
            [[ -f $2 ]] || die "--resume needs the results of an earlier run, a file such as .pq/bench/bench-....json, not: $2"
            options+=(resume "$(readlink -f "$2")")
            ;;
          *) die "$usage" ;;
        esac
        shift
        ;;
    esac
    shift
  done
  check_scale "$scale"
  [[ $rounds =~ ^[1-9][0-9]*$ ]] || die "--rounds needs a number such as 7, not: $rounds"
  command_build
  setup_plots
  if [[ -n $connectorx ]]; then
    setup_connectorx
    options+=(connectorx "$connectorx")
  fi
  if [[ -n $spark ]]; then
    setup_spark
    options+=(spark "$spark")
  fi
  if [[ -n $link ]]; then
    options+=(link true)
    stop_servers
    enter_network
  fi
  start_servers
  step "loading TPC-H at scale $scale through Trino, then timing each query $rounds times on each side"
  began=$(temporary_folder bench)
  run_program bench.Bench scale "$scale" rounds "$rounds" folder "$PQ_STATE/bench" commit "$(source_commit)" "${options[@]}" || status=$?
  # A run that misses goals has results too.
  while IFS= read -r results; do draw_pictures "$results"; done < <(find "$PQ_STATE/bench" -name 'bench-*.json' -newer "$began")
  return "$status"
}

# bench_replicas NUMBER [--scale N] [--rounds N]: queries that read from several replicas, each behind a link of 1 Gb/s.
bench_replicas() {
  local replicas=${1:-} scale=1 rounds=3 number ports=()
  local usage="usage: ./pq bench --replicas N [--scale N] [--rounds N]"
  [[ $replicas =~ ^[2-9]$ && $replicas -le $PQ_MOST_REPLICAS ]] || die "--replicas needs a number from 2 to $PQ_MOST_REPLICAS, not: $replicas"
  shift
  while [[ $# -gt 0 ]]; do
    [[ $# -ge 2 ]] || die "$usage"
    case $1 in
      --scale) scale=$2 ;;
      --rounds) rounds=$2 ;;
      *) die "$usage" ;;
    esac
    shift 2
  done
  check_scale "$scale"
  [[ $rounds =~ ^[1-9][0-9]*$ ]] || die "--rounds needs a number such as 3, not: $rounds"
  command_build
  stop_servers
  enter_network
  start_servers
  step "loading TPC-H and the bench's tables at scale $scale"
  run_program bench.ReplicaBench load "$scale"
  PQ_REPLICAS=$replicas
  # shellcheck disable=SC2034  # read by start_replica
  PQ_REPLICA_POOL=2G
  start_servers_with_replicas
  for ((number = 1; number <= replicas; number++)); do ports+=("$(cat "$PQ_RUN/mysql-replica-$number/port")"); done
  step "timing each query $rounds times from 1 to $replicas replicas"
  run_program bench.ReplicaBench measure "$rounds" "${ports[@]}"
}

# draw_pictures [RESULTS.json]: of results of `./pq bench`, beside them, or all of docs/ anew.
draw_pictures() {
  [[ $# -eq 0 || ($# -eq 1 && -f $1) ]] || die "usage: ./pq bench --draw [RESULTS.json]"
  setup_plots
  plots_python plots "$@"
}

# matplotlib in a Python environment of its own.
setup_plots() {
  install_python
  install_packages "$PQ_PLOTS" "$PQ_ROOT/scripts/plots"
}

# plots_python NAME ARGUMENT...: runs scripts/plots/NAME.py.
plots_python() { "$PQ_PLOTS/bin/python" -B -X utf8 "$PQ_ROOT/scripts/plots/$1.py" "${@:2}"; }

# micro_bench: google-benchmark on the extension's pure parts, then JMH on the connector's decoders.
# PQ_MICRO_MILLISECONDS shortens each measurement, for a look whether all run.
micro_bench() {
  local folder=$PQ_STATE/bench name milliseconds=${PQ_MICRO_MILLISECONDS:-200} build
  [[ $# -eq 0 ]] || die "usage: ./pq bench --micro"
  [[ $milliseconds =~ ^[1-9][0-9]*$ ]] || die "PQ_MICRO_MILLISECONDS needs a number such as 200, not: $milliseconds"
  command_build
  build=$(build_folder udf)
  run_logged micro-build cmake --build "$build" -j "$PQ_JOBS" --target benchmarks
  mkdir -p "$folder"
  name=$folder/micro-$(date -u +%Y-%m-%dT%H%M%SZ)
  step "measuring the extension's pure parts"
  "$build/benchmarks" --benchmark_min_time="$(awk -v time="$milliseconds" 'BEGIN { print time / 1000 }')" \
    --benchmark_repetitions=3 --benchmark_report_aggregates_only=true \
    --benchmark_out="$name-extension.json" --benchmark_out_format=json --benchmark_context=commit="$(source_commit)"
  step "measuring the connector's decoders"
  cross_program bench.micro.MicroBench "$name-connector.json" "$milliseconds" "$(source_commit)"
  say "results: $name-extension.json"
  say "results: $name-connector.json"
}

# The directory of Trino's own MySQL connector, of the same Trino version.
stock_plugin() {
  compgen -G "$1/*.jar" >/dev/null || die "--stock-plugin needs the directory of Trino's MySQL connector, which holds its jars, not: $1"
  readlink -f "$1"
}

# ConnectorX in a Python environment of its own, whose stamp says which packages it has.
setup_connectorx() {
  local stamp=$PQ_CONNECTORX/packages
  [[ $(cat "$stamp" 2>/dev/null) == "${PQ_CONNECTORX_PACKAGES[*]}" ]] && return
  step "installing ${PQ_CONNECTORX_PACKAGES[*]}"
  rm -rf "$PQ_CONNECTORX"
  run_logged connectorx-environment python3 -m venv "$PQ_CONNECTORX"
  downloading run_logged connectorx-packages "$PQ_CONNECTORX/bin/python" -m pip install --only-binary :all: "${PQ_CONNECTORX_PACKAGES[@]}"
  echo "${PQ_CONNECTORX_PACKAGES[*]}" >"$stamp"
}

# Spark SQL and all that it needs, 290 MB, as Maven artifacts.
setup_spark() {
  local new
  [[ -d $PQ_SPARK/$SPARK_VERSION ]] && return
  step "fetching Spark $SPARK_VERSION"
  new=$(temporary_folder spark)
  cat >"$new/pom.xml" <<POM
<project xmlns="http://maven.apache.org/POM/4.0.0">
    <modelVersion>4.0.0</modelVersion>
    <groupId>io.mysqlpq</groupId>
    <artifactId>spark</artifactId>
    <version>1</version>
    <packaging>pom</packaging>
    <dependencies>
        <dependency>
            <groupId>org.apache.spark</groupId>
            <artifactId>spark-sql_2.13</artifactId>
            <version>$SPARK_VERSION</version>
        </dependency>
    </dependencies>
</project>
POM
  downloading run_logged spark-fetch "$PQ_MAVEN/bin/mvn" -B -ntp -f "$new/pom.xml" \
    org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory="$new/jars"
  put_in_place "$new/jars" "$PQ_SPARK/$SPARK_VERSION"
}

# The commit that is measured, with a mark if files differ from it.
source_commit() { git -C "$PQ_ROOT" describe --always --dirty --exclude '*' 2>/dev/null || echo unknown; }

command_sql() {
  need_jdk
  if ! running "$MYSQL_RUN" || ! running "$TRINO_RUN"; then
    die "the servers are not running: start them with ./pq up (or ./pq demo)"
  fi
  case ${1:-} in
    '') run_program prompt.SqlPrompt ;;
    -e) run_program prompt.SqlPrompt "${2:?-e needs a statement}" ;;
    *) die "usage: ./pq sql [-e SQL]" ;;
  esac
}

# Draws the ranges of a table's B+tree as SVG, of any MySQL that has the extension. The picture goes to descriptor 3.
command_ranges() {
  local degree=16 usage="usage: PQ_PASSWORD=... ./pq ranges [--degree N] jdbc:mysql://HOST:PORT USER SCHEMA.TABLE [INDEX] > FILE.svg"
  if [[ ${1:-} == --degree ]]; then
    degree=${2:-}
    shift $(($# > 1 ? 2 : 1))
  fi
  [[ $degree =~ ^[1-9][0-9]{0,4}$ ]] || die "--degree needs a number from 1 to 99999, not: ${degree:-(none)}"
  [[ $# -eq 3 || $# -eq 4 ]] || die "$usage"
  [[ $1 == jdbc:mysql://* ]] || die "the URL must begin with jdbc:mysql://, not: $1
$usage"
  [[ $3 == ?*.?* ]] || die "the table needs its schema, such as shop.orders, not: $3"
  command_build
  step "asking for $degree ranges of $3"
  cross_program ranges.RangesPicture "$degree" "$1" "$2" "$3" "${4:-PRIMARY}" >&3
}

# Examines any MySQL server from the shell, by the code of the table function `doctor`.
command_doctor() {
  [[ $# -eq 2 ]] || die "usage: PQ_PASSWORD=... ./pq doctor URL USER"
  [[ $1 == jdbc:mysql:* ]] || die "doctor needs the URL of a catalog, such as jdbc:mysql://example.net:3306, not: $1"
  [[ -n $(connector_folder) && -d $PQ_ROOT/docker/trino-server/target/trino-server ]] || die "doctor needs the connector: ./pq build"
  need_jdk
  # Trino's own libraries have what a plugin finds there.
  "$JAVA_HOME/bin/java" -Xmx256m --sun-misc-unsafe-memory-access=allow \
    -cp "$(connector_folder)*:$PQ_ROOT/docker/trino-server/target/trino-server/lib/*" \
    io.mysqlpq.trino.doctor.DoctorCommand "$1" "$2"
}

run_program() {
  local class=$1
  shift
  PQ_RUNNING_MYSQL_PORT=$(cat "$MYSQL_RUN/port") \
    PQ_RUNNING_MYSQL_PASSWORD=$(cat "$MYSQL_RUN/password") \
    PQ_RUNNING_MYSQL_PROCESS=$(cat "$MYSQL_RUN/pid") \
    PQ_RUNNING_TRINO_PORT=$(cat "$TRINO_RUN/port") \
    PQ_RUNNING_TRINO_PROCESS=$(cat "$TRINO_RUN/pid") \
    cross_program "$class" "$@"
}

# The same without the servers.
cross_program() {
  local class=$1
  shift
  in_network "$JAVA_HOME/bin/java" -Xmx512m -Djdk.console=jdk.internal.le --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
    -cp "$(cross_class_path)" \
    "$PQ_PROGRAMS.$class" "$@"
}

# The classes of the cross-component test module, and all that they need.
cross_class_path() { echo "$PQ_ROOT/src/test/target/test-classes:$(cat "$PQ_ROOT/src/test/target/class-path")"; }
