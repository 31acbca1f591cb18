# SPDX-License-Identifier: Apache-2.0
"""Commands whose results are kept: the work folder of the experiments.

A step is a medley command or a Python function with its arguments. Its result is a JSON file named by a hash of the
command, in which the folders of data and work are written as DATA and WORK, so that the work folder can be moved.
With it
stand the seconds it took, by the clock and by the processor.
"""
import contextlib
import hashlib
import json
import os
import re
import resource
import shlex
import subprocess
import sys
import time


# The smoothing of topics where a paper names none: that of every other preset. The default of `lda` is another one.
LIKE_THE_OTHERS = ["--smoothing", "0.01"]


def as_published(words):
    """A command with the smoothing that the other models of the papers have, where LDA would choose its own."""
    lda = any(pair in (("--model", "lda"), ("--model", "fast-lda")) for pair in zip(words, words[1:]))
    chosen = "--smoothing" in words or "collapsed" in words
    return [*words, *LIKE_THE_OTHERS] if lda and not chosen else words


class NotKept(Exception):
    """A step that would have to be run, where only kept ones are asked for (--kept)."""


def processor_seconds():
    """Of this process and its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in used)


def stage(line):
    """What a line of a trace belongs to: the fit, a candidate for its beginning, or a start."""
    return line[8] if len(line) > 8 and line[8] else "fit"


def begun_with(summary):
    """The candidate that the best restart went on from, if several were tried."""
    restarts = summary.get("restarts")
    if not isinstance(restarts, list) or not restarts:
        return []
    best = restarts[min(max(int(summary.get("best_restart", 1)), 1), len(restarts)) - 1]
    return [tried["name"] for tried in best.get("tried", [])[:1]]


class Work:
    def __init__(self, options):
        self.data = os.path.abspath(options.data)
        self.folder = os.path.abspath(options.work)
        self.program = os.path.abspath(options.medley)
        self.quick = options.quick
        self.only_kept = getattr(options, "kept", False)
        self.seconds = 0.0  # what the steps took when they were run, kept ones too
        self.cpu = 0.0  # of all threads
        self.fresh = 0  # steps run now
        self.counted = set()  # steps asked for, once each
        os.makedirs(os.path.join(self.folder, "steps"), exist_ok=True)
        os.makedirs(os.path.join(self.folder, "files"), exist_ok=True)

    def source(self, *parts):
        """A file of the data folder."""
        return os.path.join(self.data, *parts)

    def file(self, name):
        """Where a step puts a file."""
        return os.path.join(self.folder, "files", name)

    def plain(self, words):
        return [str(w).replace(self.folder, "WORK").replace(self.data, "DATA") for w in words]

    def kept(self, key, make):
        """The result of make(), from the step file of `key` if there is one."""
        name = hashlib.sha256(json.dumps(key).encode()).hexdigest()[:24]
        path = os.path.join(self.folder, "steps", name + ".json")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                step = json.load(file)
        elif self.only_kept:
            raise NotKept
        else:
            begun, used = time.monotonic(), processor_seconds()
            result = make()
            step = {"step": key, "seconds": time.monotonic() - begun,
                "cpu": processor_seconds() - used, "result": result}
            self.fresh += 1
            with open(path + ".new", "w", encoding="utf-8") as file:
                json.dump(step, file)
            os.replace(path + ".new", path)
        if name not in self.counted:
            self.counted.add(name)
            self.seconds += step["seconds"]
            self.cpu += step["cpu"]
        return step["result"]

    def forget(self, model):
        """Drops what was kept about a model file that has just been written anew."""
        folder = os.path.join(self.folder, "steps")
        for name in os.listdir(folder):
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8") as file:
                step = json.load(file)["step"]
            if model in step:
                os.remove(path)

    def compute(self, function, *arguments):
        """function(*arguments), JSON in and out, kept by the function's name and its arguments."""
        return self.kept([function.__module__, function.__name__, *self.plain(arguments)],
                         lambda: function(*arguments))

    def run(self, *words, times=1):
        """A medley command: {"out": standard output, "cpu": seconds of all its threads, the least of some times,
        "clock": seconds by the clock, the last time}.

        Through a shell that forks: a process begins with the peak memory of the one it was forked from, and ours is
        large.
        """
        words = as_published([str(word) for word in words])
        command = ["sh", "-c", '"$@"; exit $?', "sh", self.program, *words]

        def make():
            print("  medley " + shlex.join(self.plain(words))[:150], flush=True)
            anew = words[0] == "fit" and os.path.exists(words[words.index("-o") + 1])
            cpu = []
            for _ in range(times):
                before, begun = processor_seconds(), time.monotonic()
                done = subprocess.run(command, capture_output=True, text=True, check=False)
                cpu.append(processor_seconds() - before)
                clock = time.monotonic() - begun
                if done.returncode != 0:
                    sys.exit(f"medley {shlex.join(words)}\n{done.stderr}")
                if cpu[-1] > 2:
                    break  # long enough to be timed once
            if anew:
                self.forget(self.plain(words)[words.index("-o") + 1])
            return {"out": done.stdout, "cpu": min(cpu), "clock": clock}

        return self.kept(["medley", *self.plain(words), *([f"times {times}"] if times > 1 else [])], make)

    def json(self, *words, times=1):
        """A command with --json --quiet, with its processor time as "cpu" and its time by the clock as "clock"."""
        quiet = [] if words[0] in ("evaluate", "diagnose", "compare") and "--k" not in words else ["--quiet"]
        done = self.run(*words, *quiet, "--json", times=times)
        found = json.loads(done["out"])
        found["cpu"], found["clock"] = done["cpu"], done["clock"]
        return found

    def fit(self, name, *words, times=1):
        """A fit whose model and trace are files of this name; the summary, with "file" and two parts of the trace:
        "climb", the iterations after the beginning was chosen, in which the objective never falls, and "curve", these
        after the iterations of the candidate that the fit went on from."""
        model = self.file(name + ".medley")
        summary = self.json("fit", *words, "-o", model, "--trace", self.file(name + ".csv"), times=times)
        summary["file"] = model
        with open(self.file(name + ".csv"), encoding="utf-8") as file:
            lines = [line.rstrip("\n").split(",") for line in file][1:]
        summary["climb"] = [line for line in lines if stage(line) == "fit"]
        chosen = {"fit", *begun_with(summary)}
        summary["curve"] = [line for line in lines if stage(line) in chosen]
        return summary

    def learning(self, name, *words):
        """A fit on one thread, and the processor seconds of all of it: start, first and further iterations.

        Of the processor time of the whole command (the least of three) the share of the clock from the beginning of
        the fit to the end of its last iteration; reading the data before and scoring the rows after are no part of
        what the papers compare.
        """
        fitted = self.fit(name, *words, "--threads", 1, times=3)
        return fitted, max(fitted["cpu"] * float(fitted["curve"][-1][1]) / fitted["clock"], 1e-6)

    def folds(self, *words, folds=10):
        return self.json("evaluate", *words, "--folds", folds)

    def export(self, model):
        return json.loads(self.run("export", model)["out"])

    def rows(self, *words):
        """The lines of a command that prints CSV, as dictionaries."""
        lines = self.run(*words)["out"].splitlines()
        head = lines[0].split(",")
        return [dict(zip(head, line.split(","))) for line in lines[1:]]


@contextlib.contextmanager
def writing(path):
    """A file that is complete or not there."""
    with open(path + ".new", "w", encoding="utf-8", newline="") as file:
        yield file
    os.replace(path + ".new", path)


def slug(*parts):
    return re.sub(r"[^A-Za-z0-9.+-]+", "_", "-".join(str(p) for p in parts))
