# shellcheck shell=bash
# Superset with the dashboards beside the running servers, and Python for the examples of clients: all from PyPI, in the state folder.

PQ_SUPERSET=$PQ_STATE/superset
PQ_CLIENTS=$PQ_STATE/clients
SUPERSET_SOURCE=$PQ_ROOT/docker/superset
SUPERSET_START_SECONDS=180

# Superset's packages have wheels for this Python, which is Debian 12's.
PQ_PYTHON=python3.11

setup_superset() {
  install_superset
  make_superset_template
}

install_superset() {
  install_python
  install_packages "$PQ_SUPERSET/packages" "$SUPERSET_SOURCE"
}

setup_clients() {
  install_python
  install_packages "$PQ_CLIENTS" "$PQ_ROOT/docs/examples"
}

install_python() {
  local HOST_NEEDS=("command $PQ_PYTHON python3.11")
  # Debian keeps it apart from Python itself.
  "$PQ_PYTHON" -c 'import ensurepip' 2>/dev/null || HOST_NEEDS+=("file /usr/lib/python3.11/ensurepip/__init__.py python3.11-venv")
  install_missing_packages
}

# For tests only: who runs the demo has a browser.
install_browser() {
  # shellcheck disable=SC2034  # for install_missing_packages
  local HOST_NEEDS=("command chromium chromium" "file /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf fonts-dejavu-core")
  install_missing_packages
}

# install_packages FOLDER SOURCE: what SOURCE/requirements.txt names, at the versions of SOURCE/constraints.txt. A stamp says which.
install_packages() {
  local folder=$1 source=$2 name wanted
  name=$(basename "$source")
  wanted=$(cat "$source/requirements.txt" "$source/constraints.txt" | sha256sum)
  [[ $(cat "$folder/stamp" 2>/dev/null) == "$wanted" ]] && return
  step "installing Python packages of ${source#"$PQ_ROOT/"}"
  rm -rf "$folder"
  run_logged "python-$name" "$PQ_PYTHON" -m venv "$folder"
  downloading run_logged "packages-$name" "$folder/bin/python" -m pip install --prefer-binary \
    -r "$source/requirements.txt" -c "$source/constraints.txt"
  echo "$wanted" >"$folder/stamp"
}

# Superset's own tables, roles and admin, made once and copied by every start anew.
make_superset_template() {
  local new
  [[ -f $PQ_SUPERSET/template/superset.db && $PQ_SUPERSET/template/stamp -nt $PQ_SUPERSET/packages/stamp ]] && return
  step "preparing Superset's metadata"
  (umask 077 && random_text >"$PQ_SUPERSET/key" && random_text >"$PQ_SUPERSET/password")
  new=$(temporary_folder superset)
  run_logged superset-prepare run_superset_preparation "$new"
  touch "$new/stamp"
  put_in_place "$new" "$PQ_SUPERSET/template"
}

run_superset_preparation() {
  set_superset_environment "$1"
  "$PQ_SUPERSET/packages/bin/python" "$SUPERSET_SOURCE/prepare.py"
}

random_text() { head -c 33 /dev/urandom | base64 | tr '+/' '-_'; }

# Sets what superset_config.py reads, for a command in a subshell: on its command line others would see the key.
set_superset_environment() {
  export SUPERSET_HOME=$1 SUPERSET_CONFIG_PATH=$SUPERSET_SOURCE/superset_config.py
  SUPERSET_SECRET_KEY=$(cat "$PQ_SUPERSET/key")
  SUPERSET_ADMIN_PASSWORD=$(cat "$PQ_SUPERSET/password")
  export SUPERSET_SECRET_KEY SUPERSET_ADMIN_PASSWORD
}

start_superset() {
  if running "$SUPERSET_RUN"; then
    step "Superset is running"
  else
    prepare_superset
    step "starting Superset on port $(cat "$SUPERSET_RUN/port")"
    run_in_background_superset
    await_server Superset "$SUPERSET_RUN" "$SUPERSET_START_SECONDS" superset_answers
  fi
  import_dashboards
}

prepare_superset() {
  local port
  mkdir -p "$SUPERSET_RUN"
  port=$(choose_port PQ_SUPERSET_PORT "${PQ_SUPERSET_PORT:-}" 28088)
  echo "$port" >"$SUPERSET_RUN/port"
  # Charts that somebody made are kept for as long as they can be read.
  if [[ ! $SUPERSET_RUN/home/stamp -nt $PQ_SUPERSET/packages/stamp ]]; then
    rm -rf "${SUPERSET_RUN:?}/home"
    cp -r "$PQ_SUPERSET/template" "$SUPERSET_RUN/home"
  fi
}

# The folder in the process's name tells it from others: see running().
run_in_background_superset() (
  set_superset_environment "$SUPERSET_RUN/home"
  start_server "$SUPERSET_RUN" "$PQ_SUPERSET/packages/bin/python" -m gunicorn --no-control-socket --pid "$SUPERSET_RUN/gunicorn.pid" \
    --workers 2 --worker-class gthread --threads 8 --timeout 120 --bind "127.0.0.1:$(cat "$SUPERSET_RUN/port")" 'superset.app:create_app()'
)

superset_answers() { curl -sf --max-time 5 "$(superset_url)/health" >/dev/null; }
superset_url() { echo "http://127.0.0.1:$(cat "$SUPERSET_RUN/port")"; }

import_dashboards() {
  step "importing the dashboards"
  SUPERSET_ADMIN_PASSWORD=$(cat "$PQ_SUPERSET/password") run_logged superset-import "$PQ_SUPERSET/packages/bin/python" "$SUPERSET_SOURCE/bundle.py" \
    import "$(superset_url)" --trino "trino://pq@127.0.0.1:$(cat "$TRINO_RUN/port")/mysql_pq"
}

print_superset_address() {
  say "dashboards      $(superset_url)/superset/dashboard/mysql-pq-business/"
  say "                $(superset_url)/superset/dashboard/mysql-pq-operations/"
  say "login           admin, password in $PQ_SUPERSET/password"
  say
}

# Times the business dashboard for one viewer and for many at once: the tables of docs/dashboards.md.
dashboards_bench() {
  local scale=1 options=() results usage="usage: ./pq bench --dashboards [--scale N] [--viewers N] [--rounds N]"
  while [[ $# -gt 0 ]]; do
    [[ $# -ge 2 ]] || die "$usage"
    case $1 in
      --scale) scale=$2 ;;
      --viewers | --rounds)
        [[ $2 =~ ^[1-9][0-9]*$ ]] || die "$1 needs a number such as 5, not: $2"
        options+=("$1" "$2")
        ;;
      *) die "$usage" ;;
    esac
    shift 2
  done
  check_scale "$scale"
  command_build
  setup_superset
  setup_plots
  limit_queries
  start_servers
  step "loading TPC-H at scale $scale"
  run_program running.LoadTpch "$scale"
  stop_server Superset "$SUPERSET_RUN"
  SUPERSET_CACHED_SECONDS=3600 start_superset
  results=$PQ_STATE/bench/dashboards-$(date -u +%Y-%m-%dT%H%M%SZ).json
  mkdir -p "$PQ_STATE/bench"
  step "timing the business dashboard at commit $(source_commit)"
  SUPERSET_ADMIN_PASSWORD=$(cat "$PQ_SUPERSET/password") MYSQL_PASSWORD=$(cat "$MYSQL_RUN/password") "$PQ_SUPERSET/packages/bin/python" "$SUPERSET_SOURCE/time_dashboard.py" \
    "$(superset_url)" 127.0.0.1 "$(cat "$TRINO_RUN/port")" "$(cat "$MYSQL_RUN/port")" --results "$results" \
    --process MySQL="$(cat "$MYSQL_RUN/pid")" --process Trino="$(cat "$TRINO_RUN/pid")" --process Superset="$(cat "$SUPERSET_RUN/pid")" "${options[@]}"
  import_dashboards
  say "results: $results"
  draw_pictures "$results"
}
