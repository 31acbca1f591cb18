# SPDX-License-Identifier: Apache-2.0
"""kill -9 at random moments, then --resume, until a run comes to its end: the bytes must be those of a run nobody killed,
no file may be half written at any of these moments, and nothing may be left beside the outputs.
"""
import random
import subprocess
import time

import world

LONG = ["--id=id", "--ignore=group,weight"]
SAFE = ["--checkpoint-every=0", "--quiet", "--threads=1"]
# name -> (words, the output: a file or a folder)
RUNS = {
    "levels": (["fit", "long.csv", *LONG, "--k=4", "--max-iterations=60", "--tolerance=1e-12", "-o", "k.medley", *SAFE], "k.medley"),
    "several starts": (["fit", "levels.csv", *LONG, "--k=3", "--model=mnb", "--restarts=3", "--max-iterations=60", "-o", "k.medley",
                        *SAFE], "k.medley"),
    "words": (["fit", "docs.ldac", "--k=4", "--tolerance=1e-9", "-o", "k.medley", *SAFE], "k.medley"),
    "numbers": (["fit", "numbers.csv", *LONG, "--k=3", "--max-iterations=60", "-o", "k.medley", *SAFE], "k.medley"),
    "monte-carlo": (["fit", "levels.csv", *LONG, "--k=3", "--inference=monte-carlo", "--max-iterations=20", "-o", "k.medley",
                     *SAFE], "k.medley"),
    "batch": (["fit", "docs.stream", "--k=3", "--batch=10", "--passes=6", "-o", "k.medley", *SAFE], "k.medley"),
    "chains": (["fit", "levels.csv", *LONG, "--k=3", "--model=gom-bayes", "--chains=2", "--sweeps=60", "--burn-in=20",
                "--draws=10", "-o", "k.medley", *SAFE], "k.medley"),
    "clusters": (["fit", "levels.csv", *LONG, "--model=dp-mixture", "--chains=2", "--sweeps=60", "--burn-in=20", "--draws=10",
                  "-o", "k.medley", *SAFE], "k.medley"),
    "select": (["select", "levels.csv", *LONG, "--k=2..4", "--folds=2", "--restarts=2", "-o", "kept", "--quiet", "--threads=1"],
               "kept"),
}


class Kills:
    def __init__(self, program, made, folder):
        self.program, self.made, self.folder = program, made, folder
        self.kills, self.courses, self.broken = 0, 0, []

    def result(self, output):
        path = self.folder / output
        if path.is_dir():
            return {file.name: file.read_bytes() for file in path.iterdir()}
        return path.read_bytes() if path.exists() else None

    def course(self, name, whole, took, draw, most):
        words, output = RUNS[name]
        world.fresh(self.made, self.folder)
        killed = 0
        while True:
            more = ["--resume"] if killed else []
            with subprocess.Popen([self.program, *words, *more], cwd=self.folder, env=world.environment(),
                                  stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as running:
                if killed < most:
                    # Often in the first moments, where files are made, else anywhere.
                    wait = draw.uniform(0, took * (0.2 if draw.random() < 0.3 else 1.0))
                    try:
                        running.wait(wait)
                    except subprocess.TimeoutExpired:
                        running.kill()
                else:
                    try:
                        running.wait(300)
                    except subprocess.TimeoutExpired:
                        running.kill()
                        self.broken.append(f"{name}: hangs after {killed} kills")
                        return
                errors = running.stderr.read().decode(errors="replace")
            if running.returncode != -9:
                break
            killed += 1
            self.kills += 1
            if output != "kept" and self.result(output) not in (None, whole):
                self.broken.append(f"{name}: {output} is half written after a kill")
        self.courses += 1
        if running.returncode != 0:
            self.broken.append(f"{name}: after {killed} kills it ended with {running.returncode}: {errors[-300:]}")
        elif self.result(output) != whole:
            self.broken.append(f"{name}: after {killed} kills the result has other bytes")
        if world.temporaries(self.folder):
            self.broken.append(f"{name}: after {killed} kills these are left: {world.temporaries(self.folder)}")

    def run(self, names, rounds, seed, until):
        draw = random.Random(seed)
        for name in names:
            words, output = RUNS[name]
            world.fresh(self.made, self.folder)
            begun = time.monotonic()
            code, _, errors = world.run(self.program, words, self.folder, seconds=600)
            took = time.monotonic() - begun
            if code != 0:
                raise SystemExit(f"{name} ended with {code}: {errors.decode()}")
            whole = self.result(output)
            for _ in range(rounds):
                if until():
                    return
                self.course(name, whole, took, draw, draw.randint(1, 4))
