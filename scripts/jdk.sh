# shellcheck shell=bash
# A JDK 25 from Debian's archive, for hosts that have none. It lies in the state folder; nothing is installed.

JDK_SUITE=trixie
JDK_PACKAGES=(openjdk-25-jdk-headless openjdk-25-jre-headless)
# The C library that these were built for, which is newer than Debian 12's, and what puts it in.
JDK_LIBRARIES=(libc6 libgcc-s1 libstdc++6 zlib1g patchelf)
PQ_JDK=$PQ_STATE/tools/jdk-$JDK_VERSION

setup_jdk() {
  # shellcheck disable=SC2034  # read by make_apt_root
  local new PQ_APT=$PQ_STATE/apt-jdk DEBIAN_SUITE=$JDK_SUITE
  step "no JDK $JDK_VERSION on this machine: downloading Debian's (400 MB)"
  downloading make_apt_root
  new=$(temporary_folder jdk)
  unpack_packages "$new" "${JDK_PACKAGES[@]}" "${JDK_LIBRARIES[@]}"
  complete_jdk "$new" "$new/usr/lib/jvm/java-$JDK_VERSION-openjdk-amd64"
  put_in_place "$new/usr/lib/jvm/java-$JDK_VERSION-openjdk-amd64" "$PQ_JDK"
  find_jdk || die "the JDK from Debian's archive is not complete: $PQ_JDK"
}

# complete_jdk ROOT JDK: makes an unpacked JDK one that runs at its place in the state folder.
complete_jdk() {
  local link libraries=$1/usr/lib/x86_64-linux-gnu program
  # Its settings would be in the host's /etc. Certificates of the host are used, which Maven's package brings.
  while read -r link; do
    if [[ -e $1$(readlink "$link") ]]; then cp --remove-destination "$1$(readlink "$link")" "$link"; fi
  done < <(find "$2" -type l -lname '/*')
  # Its programs find them in its own folder of libraries, by a path (RPATH) that the libraries that they load follow too.
  cp -L "$libraries"/{ld-linux-x86-64,libc,libm,libdl,libpthread,librt,libz,libstdc++,libgcc_s}.so.[0-9]* "$2/lib/"
  while read -r program; do
    "$libraries/ld-linux-x86-64.so.2" --library-path "$libraries" "$1/usr/bin/patchelf" \
      --set-interpreter "$PQ_JDK/lib/ld-linux-x86-64.so.2" --force-rpath --set-rpath "\$ORIGIN:\$ORIGIN/../lib" "$program"
  done < <(find "$2/bin" "$2/lib" -type f -perm -u+x | while read -r program; do has_interpreter "$program" && echo "$program"; done)
}

# Whether it is a program, and no library or script.
has_interpreter() { readelf -l "$1" 2>/dev/null | grep INTERP >/dev/null; }
