# shellcheck shell=bash
# Setting up and building: the extension with CMake, the Java modules with Maven.

# The version that packaging trino-plugin needs.
MAVEN_VERSION=3.9.9
PQ_MAVEN=$PQ_STATE/tools/apache-maven-$MAVEN_VERSION

# build_folder NAME: of CMake, for the server in use: builds for Debian's lie in build/NAME, those for others in build/VERSION-KEY/NAME.
build_folder() { echo "$PQ_STATE/build/${GIVEN_NAME:+$GIVEN_NAME/}$1"; }
plugin_file() { echo "$(build_folder udf)/mysql_pq.so"; }

command_setup() {
  check_host
  setup_mysql
  setup_maven
  step "MySQL $(mysql_version), Maven $MAVEN_VERSION, JDK at $JAVA_HOME"
}

# The host's Maven fetches ours as an artifact.
setup_maven() {
  local new
  [[ -x $PQ_MAVEN/bin/mvn ]] && return
  step "fetching Maven $MAVEN_VERSION"
  new=$(temporary_folder maven)
  # Not in the repository's folder: its pom is of no use here.
  downloading run_logged maven-fetch env -C "$new" \
    mvn -B org.apache.maven.plugins:maven-dependency-plugin:3.8.1:unpack \
    -Dartifact="org.apache.maven:apache-maven:$MAVEN_VERSION:zip:bin" -DoutputDirectory="$new"
  chmod +x "$new/apache-maven-$MAVEN_VERSION/bin/mvn"
  put_in_place "$new/apache-maven-$MAVEN_VERSION" "$PQ_MAVEN"
}

command_build() {
  case ${1:-} in
    '') ;;
    --arch)
      [[ ${2:-} == aarch64 && $# -eq 2 ]] || die "usage: ./pq build [--arch aarch64]"
      [[ -z $GIVEN_NAME ]] || die "--arch aarch64 builds for Debian's arm64 server only, and not for the one that --mysql names"
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
  run_logged udf-gates ctest --test-dir "$(build_folder udf)" --output-on-failure --no-tests=error -R '^symbols'
  [[ -f $(plugin_file) ]] || die "the build made no $(plugin_file)"
  if [[ -n $GIVEN_NAME ]]; then
    step "the extension for this server: $(plugin_file)"
    warn_of_untried_series
  fi
}

# build_plugin NAME OPTION...: the plugin library in build/NAME.
build_plugin() {
  local name=$1
  shift
  configure_udf "$name" -DMYSQL_SOURCE_DIR="$(mysql_source)" -DMYSQL_BUILD_DIR="$(mysql_builddir)" -DMYSQL_ROOT="$(mysql_home)" \
    -DCMAKE_PROJECT_mysql_pq_INCLUDE="$PQ_ROOT/scripts/compile-together.cmake" "$@"
  run_logged "$name-build" cmake --build "$(build_folder "$name")" -j "$PQ_JOBS" --target mysql_pq
}

# build_unit_tests NAME OPTION...: the pure parts, their tests and benchmarks in build/NAME; needs no MySQL.
build_unit_tests() {
  configure_udf "$@"
  run_logged "$1-build" cmake --build "$(build_folder "$1")" -j "$PQ_JOBS" --target unit_tests benchmarks
}

build_fuzz_targets() {
  [[ $PQ_FUZZ_SECONDS =~ ^[1-9][0-9]{0,4}$ ]] || die "PQ_FUZZ_SECONDS needs a number of seconds from 1 to 99999, not: $PQ_FUZZ_SECONDS"
  configure_udf udf-fuzz -DPQ_FUZZ=ON -DPQ_FUZZ_SECONDS="$PQ_FUZZ_SECONDS"
  run_logged udf-fuzz-build cmake --build "$(build_folder udf-fuzz)" -j "$PQ_JOBS"
}

configure_udf() {
  local name=$1
  shift
  run_logged "$name-configure" cmake -S "$PQ_ROOT/server-udf" -B "$(build_folder "$name")" -G Ninja \
    -DCMAKE_CXX_COMPILER=g++-12 "$@"
}

# maven ARGUMENT...: runs Maven on the whole project with the properties that tests need.
maven() { maven_with_transfers -ntp "$@"; }

# The same, with a line in the log for the begin and the end of each download.
maven_with_transfers() {
  "$PQ_MAVEN/bin/mvn" -B -f "$PQ_ROOT/pom.xml" \
    -Dorg.slf4j.simpleLogger.showDateTime=true -Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS \
    -Dpq.mysql.home="$(mysql_home)" -Dpq.plugin.file="$(plugin_file)" -Dpq.state="$PQ_STATE" "$@"
}

# maven_classes MODULES CLASSES OPTION...: test classes of some modules. Modules that these need may have none of them.
maven_classes() { maven package -pl "$1" -am -Dtest="$2" -Dsurefire.failIfNoSpecifiedTests=false "${@:3}"; }

# output_of CLASS...: the files with what test classes printed in the last run, which the build keeps apart from Maven's own output.
output_of() {
  local class
  for class in "$@"; do
    compgen -G "$PQ_ROOT/src/test/target/surefire-reports/*.$class-output.txt" ||
      compgen -G "$PQ_ROOT/server-udf/test/server/target/surefire-reports/*.$class-output.txt" ||
      compgen -G "$PQ_ROOT/connector/target/surefire-reports/*.$class-output.txt" || true
  done
}

clear_output() { output_of "$@" | xargs -d '\n' -r rm; }

# Maven is asked only if a source is newer than the last good build.
build_java() {
  local stamp=$PQ_STATE/build/java.stamp began
  java_is_built "$stamp" && return
  step "building the connector, the Trino server and the tests"
  began=$(temporary_folder stamps)/java
  touch "$began"
  run_logged java-build maven_with_transfers package -DskipTests
  PQ_DOWNLOAD_SECONDS=$((PQ_DOWNLOAD_SECONDS + $(python_script downloads "$(log_of java-build)")))
  mv "$began" "$stamp"
}

java_is_built() {
  [[ -f $1 ]] || return 1
  [[ -d $(connector_folder) && -d $PQ_ROOT/docker/trino-server/target/trino-server ]] || return 1
  [[ -z $(find "$PQ_ROOT" -newer "$1" -type f \( -name '*.java' -o -name '*.xml' -o -path '*/resources/*' \) \
    -not -path '*/target/*' -not -path "$PQ_STATE/*" -print -quit) ]]
}

# The plugin directory as Trino wants it. Those of earlier versions may lie beside.
connector_folder() { echo "$PQ_ROOT/connector/target/trino-mysql-pq-$(project_version)/"; }

command_clean() {
  local module
  stop_servers
  remove_docker
  step "removing what was built"
  rm -rf "$PQ_STATE/build" "$PQ_STATE/run" "$PQ_STATE/logs"
  for module in . $(sed -n 's#.*<module>\(.*\)</module>.*#\1#p' "$PQ_ROOT/pom.xml"); do rm -rf "$PQ_ROOT/$module/target"; done
  if [[ ${1:-} == --all ]]; then
    step "removing $PQ_STATE"
    rm -rf "${PQ_STATE:?}"/{apt,apt-aarch64,apt-jdk,release,mysql,tools,connectorx,spark,valgrind,prometheus,superset,clients,python-client,datadir-template,downloads}
  fi
}
