# shellcheck shell=bash
# Times the business dashboard for many viewers at once, on one split and in parallel: the table of docs/dashboards.md.

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
  start_servers
  step "loading TPC-H at scale $scale"
  run_program running.LoadTpch "$scale"
  stop_server Superset "$SUPERSET_RUN"
  SUPERSET_CACHED_SECONDS=3600 start_superset
  results=$PQ_STATE/bench/dashboards-$(date -u +%Y-%m-%dT%H%M%SZ).json
  mkdir -p "$PQ_STATE/bench"
  step "timing the business dashboard at commit $(source_commit)"
  SUPERSET_ADMIN_PASSWORD=$(cat "$PQ_SUPERSET/password") "$PQ_SUPERSET/packages/bin/python" "$SUPERSET_SOURCE/time_dashboard.py" \
    "$(superset_url)" 127.0.0.1 "$(cat "$TRINO_RUN/port")" --results "$results" "${options[@]}"
  import_dashboards
  say "results: $results"
}
