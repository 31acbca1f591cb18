# SPDX-License-Identifier: Apache-2.0
"""Power loss: what a disk may hold after each step of a recorded run.

The shim writes down every change of files. A disk keeps of it what was synced: the bytes of a file up to its last fsync, the
names of a folder up to the fsync of the folder. Of what came later it may keep anything: the names up to any point or any
selection of them (file systems with a journal keep the order, others need not), and of unsynced bytes all, none, the first half
or zeros of the right length. `states` gives all such disks for a cut at one point.
"""
import itertools
import os
import pathlib

MOST_FREE = 6  # so many unsynced names are tried in every selection; of more only the beginnings
KEEPINGS = ("all", "none", "half", "zeros")


def parse(log):
    """The operations of a log: (letter, words..., bytes of a W)."""
    found, at = [], 0
    while at < len(log):
        end = log.index(b"\n", at)
        letter, rest = log[at:at + 1].decode(), log[at + 2:end].decode(errors="surrogateescape")
        at = end + 1
        if letter == "W":
            file, offset, size = map(int, rest.split())
            found.append(("W", file, offset, log[at:at + size]))
            at += size
        elif letter in "CD":
            file, path = rest.split(" ", 1)
            found.append((letter, int(file), os.path.normpath(path)))
        elif letter == "R":
            found.append(("R", *map(os.path.normpath, rest.split("\t"))))
        elif letter == "U":
            found.append(("U", os.path.normpath(rest)))
        else:
            found.append((letter, int(rest)))
    return found


class Disk:
    """Replays operations; knows what is synced."""

    def __init__(self, before):
        self.files = {}  # number of a file -> [(offset, bytes)], how many of them are synced
        self.names = []  # changes of names: (folder, name, number or None)
        self.synced = set()  # places in self.names
        self.open = {}
        self.current = {}  # name -> number
        for path, content in before.items():
            number = self.add_file([(0, content)])
            self.files[number][1] = 1
            self.current[path] = number
            self.synced.add(len(self.names))
            self.names.append((path, number))

    def add_file(self, writes):
        self.files[len(self.files)] = [writes, 0]
        return len(self.files) - 1

    def rename_to(self, path, number):
        self.names.append((path, number))
        if number is None:
            self.current.pop(path, None)
        else:
            self.current[path] = number

    def do(self, operation):
        letter, *words = operation
        if letter == "C":
            file, path = words
            if path not in self.current:
                self.rename_to(path, self.add_file([]))
            self.open[file] = ("file", self.current[path])
        elif letter == "D":
            self.open[words[0]] = ("folder", words[1])
        elif letter == "X":
            self.open.pop(words[0], None)
        elif letter == "W" and self.open.get(words[0], ("",))[0] == "file":
            self.files[self.open[words[0]][1]][0].append((words[1], words[2]))
        elif letter == "S" and words[0] in self.open:
            kind, what = self.open[words[0]]
            if kind == "file":
                self.files[what][1] = len(self.files[what][0])
            else:
                folder = what
                self.synced |= {place for place, (path, _) in enumerate(self.names)
                                if os.path.normpath(os.path.dirname(path) or ".") == folder}
        elif letter == "R":
            number = self.current.get(words[0])
            if number is not None:
                self.rename_to(words[1], number)
                self.rename_to(words[0], None)
        elif letter == "U":
            self.rename_to(words[0], None)

    def content(self, number, keeping):
        writes, synced = self.files[number]
        kept = bytearray()
        for place, (offset, data) in enumerate(writes):
            if place >= synced:
                if keeping == "none":
                    continue
                if keeping == "half":
                    data = data[:len(data) // 2]
                elif keeping == "zeros":
                    data = bytes(len(data))
            if len(kept) < offset:
                kept.extend(bytes(offset - len(kept)))
            kept[offset:offset + len(data)] = data
        return bytes(kept)

    def states(self, watched):
        """Every disk that may be found now: path -> bytes, of the watched paths."""
        free = [place for place in range(len(self.names)) if place not in self.synced]
        if len(free) <= MOST_FREE:
            chosen = itertools.chain.from_iterable(itertools.combinations(free, n) for n in range(len(free) + 1))
        else:
            chosen = (free[:n] for n in range(len(free) + 1))
        seen = set()
        for some in chosen:
            kept = self.synced | set(some)
            names = {}
            for place, (path, number) in enumerate(self.names):
                if place in kept:
                    names[path] = number
            for keeping in KEEPINGS:
                state = {path: self.content(names[path], keeping) if names.get(path) is not None else None
                         for path in watched}
                key = tuple(state.items())
                if key not in seen:
                    seen.add(key)
                    yield state


def violations(operations, before, watched, allowed, at_the_end):
    """Sentences about disks that are not `allowed(state)`, or after the last operation not `at_the_end(state)`; and how many
    disks were looked at."""
    disk, found, looked = Disk(before), [], 0
    for cut in range(len(operations) + 1):
        if cut > 0:
            disk.do(operations[cut - 1])
            if operations[cut - 1][0] == "X":
                continue  # changes nothing on the disk
        for state in disk.states(watched):
            looked += 1
            if not allowed(state):
                found.append(f"after operation {cut} of {len(operations)}: {describe(state)}")
            elif cut == len(operations) and not at_the_end(state):
                found.append(f"after the program ended: {describe(state)}")
    return found, looked


def describe(state):
    return ", ".join(f"{path}: {'gone' if content is None else f'{len(content)} bytes'}" for path, content in state.items())


def check_outputs(log, before, new):
    """Each output is at any time the one before or the new one, and in the end the new one, whatever the disk kept."""
    old = {path: before.get(path) for path in new}
    return violations(parse(pathlib.Path(log).read_bytes()), before, list(new),
                      lambda state: all(state[path] in (old[path], new[path]) for path in new),
                      lambda state: all(state[path] == new[path] for path in new))


def check_fit(log, before, model, new):
    """The same of a fit with checkpoints; and once a checkpoint is safe, it or the new model is found on every disk."""
    operations = parse(pathlib.Path(log).read_bytes())
    checkpoint = model + ".checkpoint"
    versions, disk = set(), Disk(before)
    for operation in operations:
        disk.do(operation)
        if operation[0] == "R" and operation[2] == checkpoint:
            versions.add(disk.content(disk.current[checkpoint], "all"))
    found, looked = check_outputs(log, before, {model: new})
    safe, disk = False, Disk(before)
    for cut, operation in enumerate(operations):
        disk.do(operation)
        if operation[0] == "X":
            continue
        states = list(disk.states([model, checkpoint]))
        looked += len(states)
        whole = [state[model] == new or state[checkpoint] in versions for state in states]
        torn = [state for state in states if state[checkpoint] is not None and state[checkpoint] not in versions]
        found += [f"after operation {cut + 1}: a torn checkpoint, {describe(state)}" for state in torn[:1]]
        if safe and not all(whole):
            found.append(f"after operation {cut + 1}: neither the checkpoint nor the model")
        safe = safe or all(whole)
    if not safe:
        found.append("no checkpoint was ever safe")
    return found, looked


def check_grown(log, new, state):
    """A folder that fills up: its state file is absent or one of the versions that were ever written, and in the end all files
    are there."""
    operations = parse(pathlib.Path(log).read_bytes())
    versions, disk = {None}, Disk({})
    for operation in operations:
        disk.do(operation)
        if operation[0] == "R" and operation[2] == state:
            versions.add(disk.content(disk.current[state], "all"))
    return violations(operations, {}, list(new),
                      lambda found: found[state] in versions and
                      all(found[path] in (None, new[path]) for path in new if path.endswith(".csv")),
                      lambda found: all(found[path] == new[path] for path in new))
