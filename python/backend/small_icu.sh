#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# small_icu.sh FOLDER: writes FOLDER/libicudata.so.N with what medley uses of ICU's data: how text breaks into words, and how
# case is folded (src/data/text/tokenise.cpp). 3.7 MB of 31. Needs the tools of libicu-dev (icupkg) and gcc.
# auditwheel takes it into the wheel in place of the system's, if LD_LIBRARY_PATH names the folder.
set -euo pipefail
folder=$(mkdir -p "$1" && cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PATH=$PATH:/usr/sbin

library=$(ldconfig -p | sed -n 's/.*libicudata\.so\.[0-9]* .*=> //p' | head -n 1)
soname=$(objdump -p "$library" | sed -n 's/ *SONAME *//p')
version=${soname##*.}
symbol="icudt${version}_dat"
size=$(nm -DS "$library" | sed -n "s/^[0-9a-f]* \([0-9a-f]*\) R $symbol\$/\1/p")

cat >"$work/dump.c" <<END
#include <stdio.h>
extern const char ${symbol}[];
int main(void) { return fwrite($symbol, 1, 0x$size, stdout) == 0x$size ? 0 : 1; }
END
gcc "$work/dump.c" -o "$work/dump" "$library"
mkdir "$work/all" "$work/small" "$work/parts" "$work/parts/brkitr"
"$work/dump" >"$work/all/icudt${version}l.dat"

cd "$work"
icupkg -l "all/icudt${version}l.dat" | grep -E '^brkitr/|^nfkc|^cnvalias|^pool|^res_index' >keep.txt
icupkg -x keep.txt -d parts "all/icudt${version}l.dat"
icupkg -tl -a keep.txt -s parts new "small/icudt${version}l.dat"  # the file's name is that of the package in it

cat >data.S <<END
.section .rodata
.globl $symbol
.type $symbol, @object
.balign 16
$symbol:
.incbin "small/icudt${version}l.dat"
.size $symbol, . - $symbol
.section .note.GNU-stack, "", @progbits
END
gcc -shared -nostdlib -Wl,-soname,"$soname" -o "$folder/$soname" data.S
ls -l "$folder/$soname"
