# shellcheck shell=bash
# Prometheus, promtool and MySQL's exporter, which TestMonitoring runs. They come from the suite that MySQL comes from, whose index is
# asked for anew since it may be older than the archive, and are unpacked, not installed: so no daemon starts on the host.

PQ_PROMETHEUS=$PQ_STATE/prometheus

fetch_prometheus() {
  local unfinished package
  [[ -d $PQ_PROMETHEUS ]] && return
  step "downloading Prometheus and MySQL's exporter for it (40 MB)"
  downloading make_apt_root
  unfinished=$(temporary_folder prometheus)
  downloading run_logged prometheus-download private_apt env -C "$unfinished" \
    apt-get download prometheus promtool prometheus-mysqld-exporter
  for package in "$unfinished"/*.deb; do
    dpkg-deb -x "$package" "$unfinished"
    rm "$package"
  done
  put_in_place "$unfinished" "$PQ_PROMETHEUS"
}
