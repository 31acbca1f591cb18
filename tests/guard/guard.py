#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hashes of models and outputs, to be the same before and after a change that should change no result.

    guard.py --program MEDLEY [-o FILE]          one line `sha256  name` per model file and output
    guard.py --program MEDLEY --against FILE     what differs from such a list; exit code 1 if anything does
    guard.py --program MEDLEY --with OTHER       what differs between two programs

Everything is fitted from rows made here (small_data.py) or bundled, in a temporary folder with one thread, so no path
and no number of cores shows. Before hashing these are taken out, and nothing else:

    model files          library_version; options that sentences name are read as flags, as earlier versions wrote them
    JSON                 seconds, seconds_learning, peak_bytes
    report               the page around the data, which is what the build of web/ makes it, and the version in the data

Fits with two threads and fits that were interrupted have lines of their own; if they are not the bits of the plain fit,
that is said and the exit code is 1. Bits may differ between machines and compilers: lists are made, not committed.
"""
import argparse
import base64
import gzip
import hashlib
import json
import pathlib
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time

import runs
import small_data

VARYING = {"seconds", "seconds_learning", "peak_bytes"}


def as_flags(text):
    """`k=3` as --k 3: what the library writes into files, as earlier versions wrote it."""
    def flag(found):
        name, value = found[1].replace("_", "-"), (found[2] or "").strip('"')
        return f"--{name}" + (f" {value}" if value and value != "true" else "")
    return re.sub(r"`([a-z][a-z0-9_]*)(?:=([^`]*))?`", flag, text)


def digest(*parts):
    found = hashlib.sha256()
    for part in parts:
        found.update(len(part).to_bytes(8, "little") + part)
    return found.hexdigest()


def header_and_rest(data, size):
    """A JSON text behind its length ("<Q" or "<I"), and the bytes after it."""
    start = struct.calcsize(size)
    (length,) = struct.unpack(size, data[:start])
    return json.loads(data[start:start + length]), data[start + length:]


def as_bytes(value):
    return json.dumps(value, sort_keys=True).encode()


def model_hash(path):
    header, tensors = header_and_rest(path.read_bytes(), "<Q")
    del header["__metadata__"]["library_version"]
    header["__metadata__"] = {key: as_flags(value.replace('\\"', '')) for key, value in header["__metadata__"].items()}
    return digest(as_bytes(header), tensors)


def report_hash(path):
    packed = re.search(r'id="medley-data">([^<]*)<', path.read_text(encoding="utf-8"))[1]
    data, arrays = header_and_rest(gzip.decompress(base64.b64decode(packed)), "<I")
    del data["medley"]
    return digest(as_bytes(data), arrays)


def without_varying(value):
    if isinstance(value, dict):
        return {key: without_varying(inner) for key, inner in value.items() if key not in VARYING}
    return [without_varying(inner) for inner in value] if isinstance(value, list) else value


def text_hash(text):
    """Of what was printed: JSON is compared as JSON."""
    try:
        return digest(as_flags(json.dumps(without_varying(json.loads(text)), sort_keys=True).replace('\\"', '')).encode())
    except ValueError:
        return digest(text.encode())


class Guard:
    """Runs everything with one program; `lines` is name -> hash, `broken` what is wrong in itself."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.lines, self.broken = {}, []

    def medley(self, *words):
        """Ends everything if the words were neither done nor refused."""
        done = subprocess.run([self.program, *words], cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, check=False)
        if done.returncode not in (0, 2):
            sys.exit(f"guard: exit code {done.returncode} of medley {' '.join(words)}\n{done.stderr}")
        return done

    def run(self, name, *words, may_be_refused=False):
        """Hashes what is printed, or the refusal, and every file that is written; whether it was not refused."""
        before = {path: path.stat().st_mtime_ns for path in self.files()}
        done = self.medley(*words)
        self.lines[name] = text_hash(done.stdout) if done.returncode == 0 else digest(b"refused", done.stderr.encode())
        for path in self.files():
            if before.get(path) != path.stat().st_mtime_ns:
                own = path.name == f"{name}.medley"
                self.lines[path.name if own else f"{name}: {path.relative_to(self.folder)}"] = self.file_hash(path)
        if done.returncode != 0 and not may_be_refused:
            self.broken.append(f"{name} is refused: {done.stderr.strip()}")
        return done.returncode == 0

    def files(self):
        return sorted(path for path in self.folder.rglob("*") if path.is_file())

    @staticmethod
    def file_hash(path):
        kind = {".medley": model_hash, ".html": report_hash, ".json": lambda p: text_hash(p.read_text())}
        return kind.get(path.suffix, lambda p: digest(p.read_bytes()))(path)

    def same(self, name, other):
        if self.lines[name] != self.lines[other]:
            self.broken.append(f"{name} is not what {other} is")

    def fit_all(self):
        self.medley("convert", "docs.ldac", "-o", "docs.stream")
        needed = [*runs.OTHER_FITS, *runs.THREADED, *runs.UPON_ROWS]
        for name, words in runs.fits(self.medley("models").stdout).items():
            words = [*words, "--json", "--quiet"]
            model, again = f"{name}.medley", f"{name}, 2 threads"
            fitted = self.run(name, *words, "--threads=1", "-o", model, may_be_refused=name not in needed)
            if fitted and name in runs.THREADED:
                self.run(again, *words, "--threads=2", "-o", f"{again}.medley")
                self.same(f"{again}.medley", model)

    def interrupt(self):
        """A fit stopped by a signal and resumed; one that ended before the signal is started again."""
        words = ["fit", *runs.INTERRUPTED, "--quiet"]
        self.medley(*words, "-o", "whole.medley")
        trace, model = self.folder / "trace.csv", self.folder / "resumed.medley"
        for _ in range(20):
            trace.unlink(missing_ok=True)
            with subprocess.Popen([self.program, *words, "--trace=trace.csv", "-o", model.name], cwd=self.folder,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
                while running.poll() is None and not (trace.exists() and trace.read_text().count("\n") > 5):
                    time.sleep(0.002)
                running.send_signal(signal.SIGINT)
            if running.returncode != 0:
                break
        else:
            self.broken.append("no fit could be interrupted: each had ended before the signal")
            return
        self.medley(*words, "-o", model.name, "--resume")
        for path in (self.folder / "whole.medley", model):
            self.lines[path.name] = model_hash(path)
        self.same(model.name, "whole.medley")

    def use_all(self):
        words_of = runs.fits(self.medley("models").stdout)
        for name, commands in runs.UPON_ROWS.items():
            rows = runs.rows_of(words_of[name][1:])
            for command, *options in [*commands, *runs.ALONE]:
                given = [] if [command, *options] in runs.ALONE else rows
                output = ["-o", "page.html"] if command == "report" else []
                self.run(f"{' '.join([command, *options])} of {name}", command, f"{name}.medley", *given, *options,
                         *output)
        for name, words in runs.UPON_DATA.items():
            self.run(name, *words)


def hashes(program):
    """(name -> hash, what is wrong in itself)"""
    with tempfile.TemporaryDirectory(prefix="medley-guard-") as folder:
        guard = Guard(str(pathlib.Path(program).resolve()), pathlib.Path(folder))
        small_data.make(guard.folder)
        guard.fit_all()
        guard.interrupt()
        guard.use_all()
        return guard.lines, guard.broken


def read_list(path):
    lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
    return {name: value for value, name in (line.split("  ", 1) for line in lines)}


def differences(lines, others, other):
    """One sentence per name whose hash is not in both."""
    found = [f"differs: {name}" for name in lines if name in others and lines[name] != others[name]]
    found += [f"not in {other}: {name}" for name in lines if name not in others]
    return found + [f"only in {other}: {name}" for name in others if name not in lines]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, metavar="MEDLEY", help="the program")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("-o", metavar="FILE", help="write the list there")
    what.add_argument("--against", metavar="FILE", help="compare with the list of an earlier run")
    what.add_argument("--with", dest="other", metavar="OTHER", help="compare with another program")
    arguments = parser.parse_args()
    others = read_list(arguments.against) if arguments.against else None
    lines, wrong = hashes(arguments.program)
    if arguments.other:
        others, broken = hashes(arguments.other)
        wrong += [f"{arguments.other}: {sentence}" for sentence in broken]
    if others is not None:
        wrong += differences(lines, others, arguments.against or arguments.other)
        print("\n".join(wrong) if wrong else f"{len(lines)} hashes are the same.")
        return 1 if wrong else 0
    text = "".join(f"{value}  {name}\n" for name, value in lines.items())
    if arguments.o:
        pathlib.Path(arguments.o).write_text(text, encoding="utf-8")
    else:
        print(text, end="")
    print("\n".join(wrong), end="\n" if wrong else "", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
