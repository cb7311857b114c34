# shellcheck shell=bash
# Runs the extension in a server under valgrind's memcheck. Valgrind comes from the suite that MySQL comes from, since the
# host's own knows that suite's C library not yet, and with the symbols of that library, without which it does not start.

command_valgrind() {
  [[ $# -eq 0 ]] || die "usage: ./pq valgrind"
  command_build
  fetch_valgrind
  local folder=$PQ_STATE/valgrind log=$PQ_STATE/logs/memcheck.log
  rm -f "$log"
  step "calling all functions under memcheck; this takes some minutes"
  VALGRIND_LIB=$folder/usr/libexec/valgrind PQ_VALGRIND_LOG=$log \
    PQ_VALGRIND_COMMAND="$folder/usr/bin/valgrind --error-limit=no --num-callers=40 --leak-check=full --show-leak-kinds=definite --keep-debuginfo=yes --extra-debuginfo-path=$folder/symbols --log-file=$log" \
    run_logged valgrind maven package -pl server-udf/test/server -am -Dtest=MemoryCheck \
    -Dsurefire.failIfNoSpecifiedTests=false
  grep -h '^memcheck' \
    "$PQ_ROOT/server-udf/test/server/target/surefire-reports/io.mysqlpq.extension.MemoryCheck-output.txt"
  say "all reports: $log"
}

fetch_valgrind() {
  local folder=$PQ_STATE/valgrind unfinished libc package
  [[ -d $folder ]] && return
  step "downloading valgrind and the symbols of MySQL's C library (24 MB)"
  unfinished=$(temporary_folder valgrind)
  libc=$(sed -n 's/^libc6=//p' "$PQ_APT/closure")
  (cd "$unfinished" && downloading run_logged valgrind-download private_apt apt-get download valgrind "libc6-dbg=$libc")
  for package in "$unfinished"/*.deb; do
    dpkg-deb -x "$package" "$unfinished"
  done
  lay_out_symbols "$unfinished"
  mv "$unfinished" "$folder"
}

# Valgrind looks below its path for the folder of the library itself.
lay_out_symbols() {
  local unfinished=$1 libraries library id
  libraries=$(mysql_home)/usr/lib/x86_64-linux-gnu
  mkdir -p "$unfinished/symbols$(realpath "$libraries")"
  for library in ld-linux-x86-64.so.2 libc.so.6; do
    id=$(readelf -n "$libraries/$library" | awk '/Build ID/ { print $3 }')
    cp "$unfinished/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug" "$unfinished/symbols$(realpath "$libraries")/"
  done
}
