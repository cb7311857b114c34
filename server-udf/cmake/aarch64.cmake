# Toolchain file: builds for aarch64 on amd64, with Debian's cross compiler; tests run in qemu's user mode.
#
#   cmake -S server-udf -B BUILD -G Ninja --toolchain cmake/aarch64.cmake -DMYSQL_SOURCE_DIR=... -DMYSQL_ROOT=...
#
# MYSQL_ROOT is that of an arm64 server, with the headers of arm64's OpenSSL and zlib.

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc-12)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++-12)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static -L /usr/aarch64-linux-gnu)
