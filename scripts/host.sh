# shellcheck shell=bash
# What the machine must offer: the system, a JDK 25, compilers and tools.

# shellcheck disable=SC2034  # read by other parts
JDK_VERSION=25
JDK_FOLDER=/usr/lib/jvm

# need: what to look for ( command | file, which may be a pattern ) and the Debian package that brings it
HOST_NEEDS=(
  "command g++-12 g++-12"
  "command cmake cmake"
  "command ninja ninja-build"
  "command mvn maven"
  "command curl curl"
  "command nm binutils"
  "command python3 python3"
  "file /usr/lib/python3*/ensurepip/__init__.py python3-venv"
  "file /usr/include/gtest/gtest.h libgtest-dev"
  "file /usr/include/benchmark/benchmark.h libbenchmark-dev"
  "file /usr/include/openssl/ssl.h libssl-dev"
  "file /usr/include/zlib.h zlib1g-dev"
  "file /usr/share/keyrings/debian-archive-keyring.gpg debian-archive-keyring"
)

# What checks and tests need beside that. Debian 13 does not have them any more.
TEST_NEEDS=(
  "command clang-format-14 clang-format-14"
  "command shellcheck shellcheck"
  "file /usr/lib/llvm-14/lib/clang/14.0.6/lib/linux/libclang_rt.fuzzer-x86_64.a libclang-rt-14-dev"
)

check_host() {
  check_system
  install_missing_packages
  find_jdk || setup_jdk
}

check_system() {
  [[ $(uname -s) == Linux ]] || die "this machine is not supported: $(uname -s); needs Debian 12 on amd64"
  [[ $(uname -m) == x86_64 ]] || die "this machine is not supported: $(uname -m); needs Debian 12 on amd64"
  have apt-get || die "this machine is not supported: no apt-get; needs Debian 12 (or a near relative) on amd64"
}

# Sets JAVA_HOME to a JDK 25: the given one, then the usual places, then the PATH, then the one that ./pq setup got. Fails if there is none.
find_jdk() {
  local home
  for home in "${JAVA_HOME:-}" "$JDK_FOLDER"/*"$JDK_VERSION"* "$(home_of_javac)" "$PQ_JDK"; do
    if is_jdk "$home"; then
      export JAVA_HOME=$home
      return
    fi
  done
  return 1
}

# For commands that set up nothing.
need_jdk() {
  find_jdk || die "no JDK $JDK_VERSION found (looked at JAVA_HOME, $JDK_FOLDER, javac in the PATH and $PQ_JDK): ./pq setup gets one from Debian's archive"
}

home_of_javac() {
  local javac
  javac=$(command -v javac) || return 0
  dirname "$(dirname "$(readlink -f "$javac")")"
}

is_jdk() {
  [[ -n $1 && -x $1/bin/javac && -f $1/release ]] && grep -q "^JAVA_VERSION=\"$JDK_VERSION" "$1/release"
}

install_missing_packages() {
  local missing sudo
  mapfile -t missing < <(missing_packages)
  [[ ${#missing[@]} -eq 0 ]] && return
  sudo=$(root_command) ||
    die "packages are missing and this user is not root. Install them with:
  sudo apt-get install --no-install-recommends ${missing[*]}"
  step "installing packages: ${missing[*]}"
  # shellcheck disable=SC2086  # empty for root
  downloading run_logged apt-update $sudo apt-get update
  # shellcheck disable=SC2086
  downloading run_logged apt-install $sudo env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends "${missing[@]}"
  mapfile -t missing < <(missing_packages)
  [[ ${#missing[@]} -eq 0 ]] || die "still missing after apt-get install: ${missing[*]}"
}

missing_packages() {
  local need kind what package
  for need in "${HOST_NEEDS[@]}"; do
    read -r kind what package <<<"$need"
    case $kind in
      command) have "$what" || echo "$package" ;;
      file) compgen -G "$what" >/dev/null || echo "$package" ;;
    esac
  done
}

# Prints what to put before a command to run it as root; fails if that is not possible.
root_command() {
  if [[ $EUID -eq 0 ]]; then
    echo
  elif have sudo && sudo -n true 2>/dev/null; then
    echo sudo
  else
    return 1
  fi
}

PQ_JOBS=${PQ_JOBS:-$(nproc)}
