# SPDX-License-Identifier: Apache-2.0
"""Calls that fail: the n-th malloc, write, fsync ... of a run returns an error, once or from then on.

Whatever fails, a run must end by itself (no signal, no hang) with one of the exit codes of the program. With 0, all outputs are
there, byte for byte as without the fault; with another code there is a sentence, and every output is whole: the file that was
there before, or the new one. A fit that cannot save its model leaves a checkpoint, and --resume ends with the model.
"""
import errno
import random

import world

ERRORS = {
    "malloc": [errno.ENOMEM], "open": [errno.EACCES, errno.EMFILE], "close": [errno.EIO], "read": [errno.EIO, errno.EINTR],
    "write": [errno.ENOSPC, errno.EIO, errno.EINTR], "fsync": [errno.EIO, errno.ENOSPC], "rename": [errno.EACCES, errno.ENOSPC],
    "unlink": [errno.EPERM], "mmap": [errno.ENOMEM], "thread": [errno.EAGAIN],
}
CODES = {0, 1, 2, 4, 130, 141}


class Attack:
    def __init__(self, program, made, shim, folder):
        self.program, self.made, self.shim, self.folder = program, made, shim, folder
        self.done, self.broken, self.left = 0, [], 0
        self.codes = {}

    def outputs(self, files):
        return {name: (self.folder / name).read_bytes() if (self.folder / name).is_file() else None for name in files}

    def prepare(self, files):
        world.fresh(self.made, self.folder)
        world.put_old(self.folder, files)

    def reference(self, name):
        """What a run without faults writes, and how many calls of each kind it makes."""
        words, files = world.SCENARIOS[name]
        self.prepare(files)
        counts = self.folder / "counts"
        code, _, errors = world.run(self.program, words, self.folder, LD_PRELOAD=self.shim, MEDLEY_FAULT_COUNT=counts)
        if code != 0:
            raise SystemExit(f"{name} ended with {code} without any fault: {errors.decode()}")
        calls = {kind: int(number) for kind, number in (line.split() for line in counts.read_text().splitlines())}
        return self.outputs(files), calls

    def inject(self, name, new, fault):
        words, files = world.SCENARIOS[name]
        self.prepare(files)
        before = self.outputs(files)
        code, _, errors = world.run(self.program, words, self.folder, LD_PRELOAD=self.shim, MEDLEY_FAULT=fault)
        self.done += 1
        self.codes[code] = self.codes.get(code, 0) + 1
        wrong = []
        if code is None:
            wrong.append("hangs")
        elif code not in CODES:
            wrong.append(f"ended with {code}: {errors[-200:].decode(errors='replace')}")
        elif code != 0 and not errors:
            wrong.append(f"ended with {code} and without a word")
        for file, content in self.outputs(files).items():
            if code == 0 and content != new[file]:
                wrong.append(f"ended with 0, but {file} is not what it should be")
            elif content not in (before[file], new[file]) and not file.startswith("fresh/"):
                wrong.append(f"{file} is neither the old nor the new one ({len(content or b'')} bytes)")
        if code == 1 and fault.split(":")[0] in ("write", "fsync", "rename") and "--checkpoint-every=0" in words:
            wrong += self.taken_up(words, files[0], new, fault)
        if world.temporaries(self.folder):
            self.left += 1
            if not fault.startswith(("unlink", "malloc")):
                wrong.append(f"left {world.temporaries(self.folder)}")
        self.broken += [f"{name}: {fault}: {what}" for what in wrong]

    def taken_up(self, words, model, new, fault):
        """What is wrong with the state that such a fit has left. One failure, or those at the end, cannot have cost it all."""
        if self.outputs([model])[model] == new[model]:
            return []
        _, place, _ = fault.split(":")
        late = "+" not in place or int(place.rstrip("+")) > 20
        if late and not (self.folder / (model + ".checkpoint")).exists():
            return [f"{model} was not saved, and there is no checkpoint"]
        code, _, errors = world.run(self.program, [*words, "--resume"], self.folder)
        if code != 0 or self.outputs([model])[model] != new[model]:
            return [f"--resume afterwards ended with {code} and another {model}: {errors[-200:].decode(errors='replace')}"]
        return []

    def run(self, names, budget, seed, until):
        """Goes through the calls of every scenario: all of the rare ones, of the others `budget` at random."""
        draw = random.Random(seed)
        for name in names:
            new, calls = self.reference(name)
            again, _ = self.reference(name)
            if new != again:
                self.broken.append(f"{name}: two runs without faults differ")
                continue
            for kind, errors in ERRORS.items():
                places = list(range(1, calls.get(kind, 0) + 1))
                if len(places) > budget:
                    places = sorted(draw.sample(places, budget))
                for place in places:
                    for error in errors if budget > 5 else [draw.choice(errors)]:
                        on = "+" if error != errno.EINTR and draw.random() < 0.5 else ""
                        if until():
                            return
                        self.inject(name, new, f"{kind}:{place}{on}:{error}")
