# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What ./quickstart and ./check share: headings with the seconds gone by and used, a message that names the stage
# that failed, and the installation of missing packages of Debian or Ubuntu. Sourced, never run.

current_stage="start"
# shellcheck disable=SC2034  # for the scripts that source this file
jobs=$(nproc 2>/dev/null || echo 2)

# Whole seconds of processor time that the finished commands of this script have used, in processor_seconds. By way of a
# file: in a pipeline or in $(times) the shell is a new one that has used nothing yet.
count_processor_seconds() {
  local file parts part
  file=$(mktemp)
  times >"$file"
  { read -r _ && read -ra parts; } <"$file" # the second line is of the commands: user and system, as 1m2.345s
  rm -f "$file"
  processor_seconds=0
  for part in "${parts[@]}"; do
    part=${part%%[.,]*}
    processor_seconds=$((processor_seconds + 60 * ${part%m*} + ${part#*m}))
  done
}

# stage TITLE: announces the next part of the work.
stage() {
  current_stage=$1
  count_processor_seconds
  printf '\n=== [%4d s, %d s of processor time] %s\n' "$SECONDS" "$processor_seconds" "$current_stage"
}

report_failure() {
  local code=$?
  if [ "$code" -ne 0 ]; then
    printf '\n%s: FAILED in stage "%s" after %d s (exit code %d)\n' \
      "${0##*/}" "$current_stage" "$SECONDS" "$code" >&2
  fi
}
trap report_failure EXIT

# package_names LIST...: the packages named in these files; @CLANG@ is the version that choose_clang has chosen.
package_names() {
  sed -e 's/#.*//' -e '/^[[:space:]]*$/d' -e "s/@CLANG@/${clang-}/" "$@"
}

# missing_packages LIST...: those of them that are not installed.
missing_packages() {
  local package
  package_names "$@" | while read -r package; do
    [[ $(dpkg-query -W -f='${Status}\n' "$package" 2>/dev/null) == *'install ok installed'* ]] || echo "$package"
  done
}

# has_package NAME: whether this release of Debian or Ubuntu has it, as far as its lists are here.
has_package() {
  [[ $(LC_ALL=C apt-cache policy "$1" 2>/dev/null) == *'Candidate: '[!\(]* ]]
}

is_debian() {
  command -v apt-get >/dev/null && command -v dpkg-query >/dev/null
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# choose_clang: puts into `clang` the version to check with: 19, which the code is kept free of warnings for, or else the
# newest that is installed or can be.
choose_clang() {
  local version
  if is_debian && ! has_package g++; then as_root apt-get update -q; fi # a new system, without lists of packages
  for version in 19 $(seq 40 -1 16); do
    if command -v "clang++-$version" >/dev/null || has_package "clang-$version"; then
      clang=$version
      return 0
    fi
  done
  clang=19
}

# install_node: node and npm for the report page, from Debian unless they are there already (from anywhere) or the page is,
# as in a source archive.
install_node() {
  if [ -f web/dist/page.html ]; then return 0; fi
  if command -v node >/dev/null && command -v npm >/dev/null; then return 0; fi
  install_packages tools/packages/report
}

# install_packages LIST...: installs what is missing and says so first; silent when nothing is.
install_packages() {
  local missing
  if ! is_debian; then
    echo "This is not a Debian system: install the equivalents of these yourself, if not done yet:"
    package_names "$@" | paste -sd ' '
    return 0
  fi
  mapfile -t missing < <(missing_packages "$@")
  if [ "${#missing[@]}" -eq 0 ]; then
    echo "All needed packages are installed."
    return 0
  fi
  echo "Going to install: ${missing[*]}"
  if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
    echo "That needs root and there is no sudo. As root, run:" >&2
    echo "  apt-get update && apt-get install --no-install-recommends ${missing[*]}" >&2
    return 1
  fi
  as_root apt-get update -q
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
}

# install_optional LIST: the same for packages that not every release has; names those that this one has not.
install_optional() {
  local package found
  if ! is_debian; then return 0; fi
  found=$(mktemp)
  for package in $(missing_packages "$1"); do
    if has_package "$package"; then
      echo "$package" >>"$found"
    else
      echo "This distribution has no $package: what needs it is left out."
    fi
  done
  if [ -s "$found" ]; then install_packages "$found"; fi
  rm -f "$found"
}
