# shellcheck shell=bash
# Examines any MySQL server from the shell, by the code of the table function `doctor`.

command_doctor() {
  [[ $# -eq 2 ]] || die "usage: PQ_PASSWORD=... ./pq doctor URL USER"
  [[ $1 == jdbc:mysql:* ]] || die "doctor needs the URL of a catalog, such as jdbc:mysql://example.net:3306, not: $1"
  [[ -n $(connector_folder) && -d $PQ_ROOT/docker/trino-server/target/trino-server ]] || die "doctor needs the connector: ./pq build"
  find_jdk
  # Trino's own libraries have what a plugin finds there.
  "$JAVA_HOME/bin/java" -Xmx256m --sun-misc-unsafe-memory-access=allow \
    -cp "$(connector_folder)*:$PQ_ROOT/docker/trino-server/target/trino-server/lib/*" \
    io.mysqlpq.trino.doctor.DoctorCommand "$1" "$2"
}
