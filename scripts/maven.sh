# shellcheck shell=bash
# Maven of the version that packaging trino-plugin needs, fetched as a Maven artifact by the host's Maven.

MAVEN_VERSION=3.9.9
PQ_MAVEN=$PQ_STATE/tools/apache-maven-$MAVEN_VERSION

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

# maven ARGUMENT...: runs Maven on the whole project with the properties that tests need.
maven() { maven_with_transfers -ntp "$@"; }

# The same, with a line in the log for the begin and the end of each download.
maven_with_transfers() {
  "$PQ_MAVEN/bin/mvn" -B -f "$PQ_ROOT/pom.xml" \
    -Dorg.slf4j.simpleLogger.showDateTime=true -Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS \
    -Dpq.mysql.home="$(mysql_home)" -Dpq.plugin.file="$(plugin_file)" -Dpq.state="$PQ_STATE" "$@"
}

# download_seconds LOG: how long downloads were under way, by the times of the lines that begin and end them.
download_seconds() {
  awk '
    match($1, /^[0-9][0-9]:[0-9][0-9]:[0-9][0-9]\.[0-9]+$/) {
      split($1, clock, ":")
      now = clock[1] * 3600 + clock[2] * 60 + clock[3]
      if (now < before) now += 86400
      if (under_way > 0) sum += now - before
      before = now
      if (/ Downloading from /) under_way++
      else if (/ Downloaded from /) under_way--
      else under_way = 0
    }
    END { printf "%.0f\n", sum }' "$1"
}
