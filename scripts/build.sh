# shellcheck shell=bash
# Setting up and building: the extension with CMake, the Java modules with Maven.

PQ_UDF_BUILD=$PQ_STATE/build/udf
plugin_file() { echo "$PQ_UDF_BUILD/mysql_pq.so"; }

command_setup() {
  check_host
  setup_mysql
  setup_maven
  step "MySQL $(mysql_version), Maven $MAVEN_VERSION, JDK at $JAVA_HOME"
}

command_build() {
  case ${1:-} in
    '') ;;
    --arch)
      [[ ${2:-} == aarch64 ]] || die "usage: ./pq build [--arch aarch64]"
      build_aarch64
      return
      ;;
    *) die "usage: ./pq build [--arch aarch64]" ;;
  esac
  command_setup
  build_extension
  build_java
}

build_extension() {
  step "building the extension"
  build_plugin udf
  run_logged udf-gates ctest --test-dir "$PQ_UDF_BUILD" --output-on-failure --no-tests=error -R '^symbols'
  [[ -f $(plugin_file) ]] || die "the build made no $(plugin_file)"
}

# build_plugin NAME OPTION...: the plugin library in build/NAME.
build_plugin() {
  local name=$1
  shift
  configure_udf "$name" -DMYSQL_SOURCE_DIR="$(mysql_source)" -DMYSQL_ROOT="$(mysql_home)" \
    -DCMAKE_PROJECT_mysql_pq_INCLUDE="$PQ_ROOT/scripts/compile-together.cmake" "$@"
  run_logged "$name-build" cmake --build "$PQ_STATE/build/$name" -j "$PQ_JOBS" --target mysql_pq
}

# build_unit_tests NAME OPTION...: the pure parts, their tests and benchmarks in build/NAME; needs no MySQL.
build_unit_tests() {
  configure_udf "$@"
  run_logged "$1-build" cmake --build "$PQ_STATE/build/$1" -j "$PQ_JOBS" --target unit_tests benchmarks
}

build_fuzz_targets() {
  [[ $PQ_FUZZ_SECONDS =~ ^[1-9][0-9]{0,4}$ ]] || die "PQ_FUZZ_SECONDS needs a number of seconds from 1 to 99999, not: $PQ_FUZZ_SECONDS"
  configure_udf udf-fuzz -DPQ_FUZZ=ON -DPQ_FUZZ_SECONDS="$PQ_FUZZ_SECONDS"
  run_logged udf-fuzz-build cmake --build "$PQ_STATE/build/udf-fuzz" -j "$PQ_JOBS"
}

configure_udf() {
  local name=$1
  shift
  run_logged "$name-configure" cmake -S "$PQ_ROOT/server-udf" -B "$PQ_STATE/build/$name" -G Ninja \
    -DCMAKE_CXX_COMPILER=g++-12 "$@"
}

# Maven is asked only if a source is newer than the last good build.
build_java() {
  local stamp=$PQ_STATE/build/java.stamp began
  java_is_built "$stamp" && return
  step "building the connector, the Trino server and the tests"
  began=$(temporary_folder stamps)/java
  touch "$began"
  run_logged java-build maven_with_transfers package -DskipTests
  PQ_DOWNLOAD_SECONDS=$((PQ_DOWNLOAD_SECONDS + $(download_seconds "$(log_of java-build)")))
  mv "$began" "$stamp"
}

java_is_built() {
  [[ -f $1 ]] || return 1
  [[ -d $(connector_folder) && -d $PQ_ROOT/docker/trino-server/target/trino-server ]] || return 1
  [[ -z $(find "$PQ_ROOT" -newer "$1" -type f \( -name '*.java' -o -name '*.xml' -o -path '*/resources/*' \) \
    -not -path '*/target/*' -not -path "$PQ_STATE/*" -print -quit) ]]
}

# The plugin directory as Trino wants it.
connector_folder() {
  compgen -G "$PQ_ROOT/connector/target/trino-mysql-pq-*/"
}

command_clean() {
  stop_servers
  remove_docker
  step "removing what was built"
  rm -rf "$PQ_STATE/build" "$PQ_STATE/run" "$PQ_STATE/logs"
  find "$PQ_ROOT" -name target -type d -not -path "$PQ_STATE/*" -prune -exec rm -rf {} +
  if [[ ${1:-} == --all ]]; then
    step "removing $PQ_STATE"
    rm -rf "${PQ_STATE:?}"/{apt,apt-aarch64,release,mysql,tools,connectorx,spark,valgrind,prometheus,superset,clients,python-client,datadir-template,downloads}
  fi
}
