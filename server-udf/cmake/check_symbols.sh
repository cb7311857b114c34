#!/bin/sh
# Usage: check_symbols.sh mysql_pq.so mysqld
#
# Fails unless each symbol that the library needs is exported by that mysqld or versioned by the C or
# C++ runtime, and none is newer than Oracle Linux 9 has (the base of the official image).
set -eu

library=$1
mysqld=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

nm -D --undefined-only "$library" | awk '{ print $NF }' | sort -u > "$work/needed"
nm -D --defined-only "$mysqld" | awk '{ print $NF }' | sed 's/@.*//' | sort -u > "$work/exported"

# Versioned names (name@GLIBC_2.34) come from a runtime library; weak ones without a version may stay
# unresolved.
grep -v '@' "$work/needed" > "$work/unversioned" || true
nm -D --undefined-only "$library" | awk '$1 == "w" { print $2 }' | sort -u > "$work/weak"
missing=$(comm -23 "$work/unversioned" "$work/exported" | comm -23 - "$work/weak")
if [ -n "$missing" ]; then
  echo "not exported by $mysqld:"
  echo "$missing"
  exit 1
fi

# A library with the other string ABI of libstdc++ asks for other names, so that no server loads it. This holds while it asks for
# one with a string among its arguments.
grep -q 'NSt7__cxx1112basic_string' "$work/unversioned" || {
  echo "no symbol tells which std::string the library was built with"
  exit 1
}

newest() {
  sed -n "s/.*@$1_\([0-9.]*\)\$/\1/p" "$work/needed" | sort -Vu | tail -n 1
}

# Usage: at_most family limit
at_most() {
  found=$(newest "$1")
  echo "$1 ${found:-none} (at most $2)"
  [ -z "$found" ] || [ "$(printf '%s\n%s\n' "$found" "$2" | sort -V | tail -n 1)" = "$2" ]
}

at_most GLIBC 2.34
at_most GLIBCXX 3.4.29
at_most CXXABI 1.3.13
at_most GCC 12.0.0
