# SPDX-License-Identifier: Apache-2.0
"""What the attacks run: small files and models, and a line for every command that writes something.

A scenario is (words of the command, files it writes). Everything runs with one thread unless the words say otherwise, so that
the bytes of every output are known beforehand.
"""
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "guard"))
import small_data  # noqa: E402

PLAIN = ["--id=id", "--ignore=group,weight"]
LABEL = ["--id=id", "--ignore=weight", "--label=group"]
QUICK = ["--quiet", "--threads=1"]

# Made once, before anything is attacked.
MADE = [
    ["fit", "levels.csv", *PLAIN, "--k=2", "-o", "m.medley", *QUICK],
    ["fit", "mixed.csv", *LABEL, "--column=says=text", "--k=2", "--max-iterations=10", "-o", "l.medley", *QUICK],
    ["fit", "docs.ldac", "--k=2", "--inference=standard", "-o", "t.medley", *QUICK],
    ["fit", "docs.ldac", "--k=2", "--model=correlated-nmf", "--max-iterations=10", "-o", "c.medley", *QUICK],
    ["fit", "levels.csv", *PLAIN, "--k=2", "--model=gom-bayes", "--chains=2", "--sweeps=10", "--burn-in=5", "--draws=5", "-o",
     "g.medley", *QUICK],
    ["fit", "docs.ldac", "--k=2", "--batch=20", "-o", "b.medley", *QUICK],
    ["fit", "ratings.csv", "--format=triplets", "--column=value=categorical", "--k=2", "-o", "r.medley", *QUICK],
    ["convert", "docs.ldac", "-o", "docs.stream"],
    ["schema", "mixed.csv", "-o", "mixed.toml"],
    ["select", "levels.csv", *PLAIN, "--k=2,3", "--folds=2", "--restarts=1", "-o", "choice", *QUICK],
]

# name -> (words, files written). The short part takes those in SHORT.
SCENARIOS = {
    "fit levels": (["fit", "levels.csv", *PLAIN, "--k=2", "--checkpoint-every=0", "-o", "new.medley", *QUICK], ["new.medley"]),
    "fit threads": (["fit", "levels.csv", *PLAIN, "--k=2", "--quiet", "--threads=4", "-o", "new.medley"], ["new.medley"]),
    "fit words": (["fit", "docs.ldac", "--k=2", "-o", "new.medley", *QUICK], ["new.medley"]),
    "fit mixed": (["fit", "mixed.csv", *LABEL, "--column=says=text", "--k=2", "--max-iterations=5", "-o", "new.medley", *QUICK],
                  ["new.medley"]),
    "fit batch": (["fit", "docs.stream", "--k=2", "--batch=20", "--checkpoint-every=0", "-o", "new.medley", *QUICK],
                  ["new.medley"]),
    "fit chains": (["fit", "levels.csv", *PLAIN, "--k=2", "--model=gom-bayes", "--chains=2", "--sweeps=10", "--burn-in=5",
                    "--draws=5", "--checkpoint-every=0", "-o", "new.medley", *QUICK], ["new.medley"]),
    "update": (["update", "b.medley", "docs.ldac", "-o", "new.medley", *QUICK], ["new.medley"]),
    "name": (["name", "m.medley", "2=Frail"], ["m.medley"]),
    "transform": (["transform", "m.medley", "levels.csv", "--append", "--threads=1", "-o", "out.csv"], ["out.csv"]),
    "predict": (["predict", "l.medley", "mixed.csv", "--threads=1", "-o", "out.csv"], ["out.csv"]),
    "impute": (["impute", "m.medley", "levels.csv", "--threads=1", "-o", "out.csv"], ["out.csv"]),
    "recommend": (["recommend", "r.medley", "ratings.csv", "--format=triplets", "--all", "--top=2", "--threads=1", "-o",
                   "out.csv"], ["out.csv"]),
    "similar": (["similar", "t.medley", "docs.ldac", "--row=3", "--threads=1", "-o", "out.csv"], ["out.csv"]),
    "groups": (["groups", "m.medley", "levels.csv", "--by=group", "--threads=1", "-o", "out.csv"], ["out.csv"]),
    "bootstrap": (["bootstrap", "m.medley", "levels.csv", "--replicates=2", "--quiet", "--threads=1", "-o", "out.csv"],
                  ["out.csv"]),
    "correlations": (["correlations", "c.medley", "--matrix", "-o", "out.csv"], ["out.csv"]),
    "evaluate": (["evaluate", "m.medley", "levels.csv", "--per-row", "--threads=1"], []),
    "diagnose": (["diagnose", "g.medley"], []),
    "compare": (["compare", "m.medley", "g.medley", "levels.csv"], []),
    "inspect": (["inspect", "l.medley", "-o", "out.csv"], ["out.csv"]),
    "export": (["export", "l.medley", "-o", "out.json"], ["out.json"]),
    "report": (["report", "l.medley", "mixed.csv", "--threads=1", "-o", "out.html"], ["out.html"]),
    "report folder": (["report", "choice", "levels.csv", "--threads=1", "-o", "out.html"], ["out.html"]),
    "convert": (["convert", "mixed.csv", "-o", "out.stream"], ["out.stream"]),
    "schema": (["schema", "mixed.csv", "-o", "out.toml"], ["out.toml"]),
    "simulate": (["simulate", "mmnb", "--k=2", "--columns=categorical:3x4,gaussian:2", "-n", "50", "-o", "out.csv",
                  "--model-out", "new.medley"], ["out.csv", "new.medley"]),
    "select": (["select", "levels.csv", *PLAIN, "--k=2,3", "--folds=2", "--restarts=1", "-o", "fresh", *QUICK],
               ["fresh/select.json", "fresh/criteria.csv", "fresh/k02.medley", "fresh/k03.medley"]),
    "models": (["models"], []),
    "help": (["fit", "--help"], []),
}
SHORT = ["fit levels", "transform", "convert", "name", "help"]

OLD = b"what was here before\n"


def environment(**more):
    kept = {key: value for key, value in os.environ.items() if not key.startswith("MEDLEY_")}
    return {**kept, **{key: str(value) for key, value in more.items()}}


def run(program, words, folder, seconds=120, **more):
    """(code, stdout, stderr); the code of a run that hangs is None."""
    try:
        done = subprocess.run([program, *words], cwd=folder, env=environment(**more), stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return None, b"", b""
    return done.returncode, done.stdout, done.stderr


def make(program, folder):
    """Writes the files and the models that the scenarios start from."""
    folder.mkdir(parents=True, exist_ok=True)
    small_data.make(folder)
    for words in MADE:
        code, _, errors = run(program, words, folder)
        if code != 0:
            raise SystemExit(f"{' '.join(words)}\nended with {code}: {errors.decode()}")


def fresh(made, folder):
    """A copy of the made folder, in place of what was there."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(made, folder)
    return folder


def put_old(folder, files):
    """What was there before a command: files of the made folder as they are, others with OLD in them. Returns name -> bytes."""
    before = {}
    for name in files:
        if not (folder / name).parent.is_dir():
            continue
        if not (folder / name).exists():
            (folder / name).write_bytes(OLD)
        before[name] = (folder / name).read_bytes()
    return before


def temporaries(folder):
    """Files that only a killed run may leave."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*")
                  if ".tmp-" in path.name or path.name.startswith(".medley-spool"))


def compiled_shim(folder):
    """The library that is preloaded."""
    library = folder / "shim.so"
    compiler = os.environ.get("CC", "cc")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", str(library), str(HERE / "shim.c"), "-ldl"], check=True)
    return library
