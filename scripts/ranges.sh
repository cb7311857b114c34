# shellcheck shell=bash
# Draws the ranges of a table's B+tree as SVG, of any MySQL that has the extension. The picture goes to descriptor 3.

command_ranges() {
  local degree=16 usage="usage: PQ_PASSWORD=... ./pq ranges [--degree N] jdbc:mysql://HOST:PORT USER SCHEMA.TABLE [INDEX] > FILE.svg"
  if [[ ${1:-} == --degree ]]; then
    degree=${2:-}
    shift $(($# > 1 ? 2 : 1))
  fi
  [[ $degree =~ ^[1-9][0-9]{0,4}$ ]] || die "--degree needs a number from 1 to 99999, not: ${degree:-(none)}"
  [[ $# -eq 3 || $# -eq 4 ]] || die "$usage"
  [[ $1 == jdbc:mysql://* ]] || die "the URL must begin with jdbc:mysql://, not: $1
$usage"
  [[ $3 == ?*.?* ]] || die "the table needs its schema, such as shop.orders, not: $3"
  command_build
  step "asking for $degree ranges of $3"
  cross_program ranges.RangesPicture "$degree" "$1" "$2" "$3" "${4:-PRIMARY}" >&3
}
