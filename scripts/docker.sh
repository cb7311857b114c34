# shellcheck shell=bash
# A Docker daemon for the tests of containers: the one that runs already, or one of our own in the state folder, which ends with
# the tests. Only root can start one.

PQ_DOCKER=$PQ_STATE/docker
PQ_DOCKER_START_SECONDS=60
PQ_DOCKER_STARTS=3
DOCKER_NEEDS=(
  "command dockerd docker.io"
  "command mmdebstrap mmdebstrap"
)
DOCKER_PLUGINS=(docker-compose docker-buildx)

# Succeeds if tests can have a daemon here, and sets what its clients need. Who is not root can make no images of Debian either.
docker_is_possible() {
  export DOCKER_CONFIG=$PQ_DOCKER/config TESTCONTAINERS_RYUK_DISABLED=true
  [[ $EUID -eq 0 ]] || return 1
  docker_answers && return
  # Its ports are this machine's, also where that is a container itself.
  export DOCKER_HOST=unix://$PQ_DOCKER/docker.sock TESTCONTAINERS_HOST_OVERRIDE=127.0.0.1
}

prepare_docker() {
  # shellcheck disable=SC2034  # for install_missing_packages
  local HOST_NEEDS=("${DOCKER_NEEDS[@]}")
  install_missing_packages
  setup_docker_plugins
}

# Fails if there is no daemon and none can be started, as in a container without the rights for it.
start_docker() {
  local start
  if docker_answers; then
    step "a Docker daemon runs already"
    return
  fi
  mkdir -p "$PQ_DOCKER"
  for ((start = 1; start <= PQ_DOCKER_STARTS; start++)); do
    step "starting a Docker daemon"
    if start_docker_once; then return; fi
    # Not to the error output, which CI does not keep.
    say "it did not start; the end of its log:"
    tail -n 20 "$PQ_DOCKER/log"
  done
  return 1
}

start_docker_once() {
  local began=$SECONDS
  # A daemon that was killed leaves its number as a process, which may be somebody else's now.
  rm -f "$PQ_DOCKER/dockerd.pid"
  [[ -e /sys/class/net/docker0 ]] || : >"$PQ_DOCKER/made-bridge"
  start_server "$PQ_DOCKER" dockerd --data-root "$PQ_DOCKER/data" --exec-root "$PQ_DOCKER/exec" \
    --pidfile "$PQ_DOCKER/dockerd.pid" --host "$DOCKER_HOST"
  until docker_answers; do
    if ! running "$PQ_DOCKER" || ((SECONDS - began >= PQ_DOCKER_START_SECONDS)); then
      stop_docker
      return 1
    fi
    sleep 0.2
  done
}

docker_answers() { docker version >/dev/null 2>&1; }

# Ends our own daemon, which ends its containers. Images stay for the next run, until `./pq clean`.
stop_docker() {
  stop_server Docker "$PQ_DOCKER"
  if [[ -e $PQ_DOCKER/made-bridge ]]; then
    ip link delete docker0 2>/dev/null || true
    rm -f "$PQ_DOCKER/made-bridge"
  fi
}

remove_docker() {
  stop_docker
  rm -rf "$PQ_DOCKER"
}

# Compose and buildx of a client of our own, from Debian's packages.
setup_docker_plugins() {
  local new
  [[ -x $DOCKER_CONFIG/cli-plugins/docker-buildx ]] && return
  step "fetching ${DOCKER_PLUGINS[*]}"
  [[ -f $PQ_APT/apt.conf ]] || downloading make_apt_root
  new=$(temporary_folder docker)
  unpack_packages "$new" "${DOCKER_PLUGINS[@]}"
  put_in_place "$new/usr/libexec/docker/cli-plugins" "$DOCKER_CONFIG/cli-plugins"
}
