# shellcheck shell=bash
# Stand-ins for the images that ours build on, where none can be pulled, and our own images on top of them. All are made from
# Debian's packages, MySQL's sources and Superset's packages in the state folder, and what Maven built.

PQ_STAND_IN=mysql-pq-stand-in
# Not what a user's own builds are named.
PQ_TESTED_IMAGES=mysql-pq-test
# Superset's stand-in needs Python.
PQ_BUILDER_PACKAGES=g++-12,cmake,make,binutils,libssl-dev,zlib1g-dev,python3,python3-venv

# Settings of docker/compose.yaml, and so arguments of our Dockerfiles, for the stand-ins.
compose_settings() {
  cat <<CONF
MYSQL_BASE=$PQ_STAND_IN/mysql
TRINO_BASE=$PQ_STAND_IN/trino
SUPERSET_BASE=$PQ_STAND_IN/superset
BUILDER_BASE=$PQ_STAND_IN/builder
SOURCES=$PQ_STAND_IN/sources
PLUGIN=given
PQ_MYSQL_IMAGE=$PQ_TESTED_IMAGES/mysql
PQ_TRINO_IMAGE=$PQ_TESTED_IMAGES/trino
PQ_SUPERSET_IMAGE=$PQ_TESTED_IMAGES/superset
INSTALL_TOOLS=true
INSTALL_DRIVER=true
TOOLS_PATH=/usr/local/bin
CXX_COMPILER=g++-12
C_COMPILER=gcc-12
PLUGIN_DIR=/usr/lib/mysql/plugin
PQ_TRINO_PORT=0
PQ_SUPERSET_PORT=0
PQ_TRINO_MEMORY=1500m
TPCH_SCALE=0.01
CONF
}

build_images() {
  local settings=$PQ_DOCKER/compose.env
  compose_settings >"$settings"
  prepare_images
  step "building the stand-in of Trino"
  cp -r "$PQ_ROOT/docker/trino-server/target/trino-server" "$PQ_DOCKER/context/"
  stand_in trino
  step "building our images of MySQL, Trino and Superset"
  run_logged docker-images docker compose --file "$PQ_ROOT/docker/compose.yaml" --env-file "$settings" build passwords mysql superset
}

# The images that hold nothing that Maven builds.
prepare_images() {
  system_image "$PQ_STAND_IN/sid" sid apt,ca-certificates
  system_image "$PQ_STAND_IN/builder" "$(own_release)" "$PQ_BUILDER_PACKAGES"
  sources_image
  step "building the stand-ins"
  stand_in_context
  stand_in mysql
  stand_in java
  stand_in superset
}

# has_image NAME CONTENT: whether there is an image of that name, made of that content.
has_image() { [[ $(docker image inspect --format '{{.Comment}}' "$1" 2>/dev/null) == "$2" ]]; }

# Debian 12, whose g++-12 makes libraries that Oracle Linux 9 can load.
own_release() { echo bookworm; }

# system_image NAME RELEASE PACKAGES: an image of a Debian of its own with these packages.
system_image() {
  has_image "$1" "$3" && return
  step "making an image of Debian $2"
  downloading run_logged "image-$2" make_system_image "$@"
}

make_system_image() {
  mmdebstrap --variant=essential --include="$3" --aptopt='Acquire::Check-Valid-Until "false"' \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
    --dpkgopt='path-exclude=/usr/share/man/*' "$2" - "$(debian_mirror)" | docker import --message "$3" - "$1"
}

# What compiling against MySQL needs of its sources, as in the folder that Debian's package gives.
sources_image() {
  local name=$PQ_STAND_IN/sources
  has_image "$name" "$(mysql_version) with Zstandard" && return
  step "making an image of MySQL's headers"
  run_logged image-sources make_sources_image "$name"
}

make_sources_image() {
  local files
  files=$(temporary_folder sources)
  mkdir -p "$files/source"
  tar -c -C "$(mysql_source)" --exclude='*.cc' --exclude='*.c' --exclude='*.cpp' --exclude=./storage/ndb \
    --exclude=./unittest --exclude=./builddir/unittest --exclude=./man --exclude=./Docs . | tar -x -C "$files/source"
  # Whose sources are compiled into the extension.
  tar -c -C "$(mysql_source)" ./extra/zstd | tar -x -C "$files/source"
  cp "$(mysql_home)/usr/include/mysql/mysqld_error.h" "$files/source/builddir/include/"
  tar -c -C "$files" --owner=0 --group=0 source | docker import --message "$(mysql_version) with Zstandard" - "$1"
}

stand_in_context() {
  local context=$PQ_DOCKER/context
  rm -rf "$context"
  mkdir -p "$context"
  cp -r "$PQ_ROOT"/docker/stand-ins/. "$context/"
  # Of the version that the extension is built for, whatever Debian has by now.
  mkdir "$context/mysql-packages"
  cp "$PQ_DOWNLOADS"/mysql-{server,client}-core_"$(mysql_version)"_*.deb "$context/mysql-packages/"
  # Not copied: 800 MB.
  cp -rl "$PQ_SUPERSET/packages/lib/python3.11/site-packages" "$context/superset-packages"
}

# stand_in NAME: one target of docker/stand-ins/Dockerfile.
stand_in() {
  run_logged "stand-in-$1" docker buildx build --progress=plain --build-arg "DEBIAN=$PQ_STAND_IN/sid" \
    --build-arg "PYTHON=$PQ_STAND_IN/builder" --target "$1" --tag "$PQ_STAND_IN/$1" "$PQ_DOCKER/context"
}
