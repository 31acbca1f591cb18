#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Same data, options and seed: same bytes. Every fit that tests/guard knows (each membership with each inference and each way of
writing rows, the presets, minibatches, labels, chains) is made again with 2, 3, 7 and 64 threads, in other locales and in
another folder, and every byte of the model is compared.

    matrix.py --program build/release/medley                    a line for each difference; exit code 1 if there is any
    matrix.py --program build/release/medley --targets          also how models differ between sets of vector instructions
    matrix.py ... --only 'mixed standard'                       fits whose name begins so
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "guard"))
import runs  # noqa: E402
import small_data  # noqa: E402

THREADS = [2, 3, 7, 64]
LOCALES = ["C", "de_DE", "tr_TR", "ar_EG"]  # a decimal comma; another capital i; other digits
# Highway's numbers of the targets for x86 (hwy/detect_targets.h): what is taken away, so that the rest is the best left.
AVX3 = 1 << 4 | 1 << 6 | 1 << 7 | 1 << 8
TARGETS = {"AVX2": AVX3, "SSE4": AVX3 | 1 << 9, "SSE2": AVX3 | 1 << 9 | 1 << 11 | 1 << 12}


class Matrix:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.runs = self.refused = 0
        self.differences = []

    def fit(self, words, folder, **more):
        """(bytes of the model, what --json said), or None if the fit was refused."""
        model = folder / "made.medley"
        model.unlink(missing_ok=True)
        done = subprocess.run([self.program, *words, "--json", "--quiet", "-o", model.name], cwd=folder,
                              env={**os.environ, **{key: str(value) for key, value in more.items()}},
                              stdin=subprocess.DEVNULL, capture_output=True, check=False)
        self.runs += 1
        if done.returncode == 2:
            return None
        if done.returncode not in (0, 4):
            raise SystemExit(f"{' '.join(words)} ended with {done.returncode}: {done.stderr.decode()}")
        return model.read_bytes(), json.loads(done.stdout)

    def compare(self, name, how, made, whole):
        if made is None or made[0] != whole[0]:
            self.differences.append(f"{name}: another model {how}")

    def make_locales(self, place):
        """Those of LOCALES that can be made here, in a folder of their own."""
        self.place, self.locales = place, ["C"]
        place.mkdir()
        for locale in LOCALES[1:] if shutil.which("localedef") else []:
            done = subprocess.run(["localedef", "-i", locale, "-f", "UTF-8", str(place / f"{locale}.UTF-8")], check=False,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            if done.returncode in (0, 1) and (place / f"{locale}.UTF-8").is_dir():
                self.locales.append(f"{locale}.UTF-8")

    def go_through(self, name, words, other):
        whole = self.fit([*words, "--threads=1"], self.folder)
        if whole is None:
            self.refused += 1
            return None
        for threads in THREADS:
            self.compare(name, f"with {threads} threads", self.fit([*words, f"--threads={threads}"], self.folder), whole)
        for locale in self.locales:
            made = self.fit([*words, "--threads=1"], self.folder, LC_ALL=locale, LANG=locale, LOCPATH=self.place)
            self.compare(name, f"in the locale {locale}", made, whole)
        self.compare(name, "in another folder", self.fit([*words, "--threads=1"], other), whole)
        return whole


def shim(folder):
    library = folder / "targets.so"
    subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-o", library, HERE / "targets.c", "-ldl"], check=True)
    return library


def distance(one, other):
    """How far the bounds on the training rows are apart, relatively."""
    a, b = one[1]["bound"], other[1]["bound"]
    return abs(a - b) / max(1.0, abs(a))


class Shares:
    """What models made with fewer vector instructions have in common with the others. Fits that draw (chains, Monte-Carlo) go
    another way after the first other last digit, so they are counted apart."""

    def __init__(self):
        self.fits = {False: [], True: []}  # whether it draws -> (distance, name), distance None: the same bytes

    def add(self, name, whole, made):
        draws = any(word in name for word in ("gibbs", "monte-carlo", "gom-bayes", "dp-mixture", "concentration"))
        self.fits[draws].append((None if made[0] == whole[0] else distance(whole, made), name))

    def __str__(self):
        parts = []
        for draws, found in self.fits.items():
            others = sorted((one for one in found if one[0] is not None), reverse=True)
            part = f"{len(found) - len(others)} of {len(found)} {'fits that draw' if draws else 'fits'} have the same bytes"
            if others:
                within = sum(one[0] < 1e-9 for one in others)
                part += f", {within} of the others a bound within 1e-9; furthest {others[0][0]:.1e} ({others[0][1]})"
            parts.append(part)
        return "; ".join(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--targets", action="store_true")
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="medley-matrix-") as temporary:
        folder, other = pathlib.Path(temporary) / "here", pathlib.Path(temporary) / "an other, longer place" / "ä"
        for place in (folder, other):
            place.mkdir(parents=True)
            small_data.make(place)
            subprocess.run([arguments.program, "convert", "docs.ldac", "-o", "docs.stream"], cwd=place, check=True,
                           stdout=subprocess.DEVNULL)
        matrix = Matrix(arguments.program, folder)
        matrix.make_locales(pathlib.Path(temporary) / "locales")
        library = shim(pathlib.Path(temporary)) if arguments.targets else None
        shares = {target: Shares() for target in TARGETS}
        listing = subprocess.run([arguments.program, "models"], capture_output=True, text=True, check=True).stdout
        fits = 0
        for name, words in runs.fits(listing).items():
            if not name.startswith(arguments.only) or any(word.startswith("--init=") and word.endswith(".medley") for word in words):
                continue
            whole = matrix.go_through(name, words, other)
            fits += whole is not None
            for target, without in TARGETS.items() if arguments.targets and whole is not None else ():
                made = matrix.fit([*words, "--threads=1"], folder, LD_PRELOAD=library, MEDLEY_TARGETS=without)
                shares[target].add(name, whole, made)
    for sentence in matrix.differences:
        print(sentence)
    print(f"{fits} fits ({matrix.refused} combinations are refused), {matrix.runs} runs, {len(matrix.differences)} differences "
          f"(threads 1, {', '.join(map(str, THREADS))}; locales {', '.join(matrix.locales)}; two folders)")
    for target, found in shares.items() if arguments.targets else ():
        print(f"{target}, against the best that this processor has: {found}")
    return 1 if matrix.differences else 0


if __name__ == "__main__":
    sys.exit(main())
