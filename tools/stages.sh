# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What ./quickstart and ./check share: headings with the seconds gone by and used, a message that names the stage
# that failed, and the installation of missing Debian packages. Sourced, never run.

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

# missing_packages LIST...: the packages named in these files that are not installed.
missing_packages() {
  local package
  sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$@" | while read -r package; do
    dpkg-query -W -f='${Status}\n' "$package" 2>/dev/null | grep -q '^install ok installed$' ||
      echo "$package"
  done
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
  local missing as_root=()
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    echo "This is not a Debian system: install the equivalents of these yourself, if not done yet:"
    sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$@" | paste -sd ' '
    return 0
  fi
  mapfile -t missing < <(missing_packages "$@")
  if [ "${#missing[@]}" -eq 0 ]; then
    echo "All needed packages are installed."
    return 0
  fi
  echo "Going to install: ${missing[*]}"
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "That needs root and there is no sudo. As root, run:" >&2
      echo "  apt-get update && apt-get install --no-install-recommends ${missing[*]}" >&2
      return 1
    fi
    as_root=(sudo)
  fi
  "${as_root[@]}" apt-get update -q
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-install-recommends "${missing[@]}"
}
