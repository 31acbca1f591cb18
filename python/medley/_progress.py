# SPDX-License-Identifier: Apache-2.0
"""Progress of long calls: a bar where somebody looks, the caller's function, or nothing."""
from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any, Union

from ._errors import wrong

#: One step of a fit: stage, restart, iteration, bound, change, seconds, seconds_left ...
Step = dict[str, Any]
Callback = Callable[[Step], Any]
#: "auto": a bar in a terminal or notebook, once a call has lasted two seconds. True: at once. False: none.
Progress = Union[str, bool]

_PATIENCE = 2.0  # seconds before a bar is worth showing


def _somebody_looks() -> bool:
    if "ipykernel" in sys.modules:
        return True
    return bool(getattr(sys.stderr, "isatty", lambda: False)())


class _Bar:
    def __init__(self, patience: float) -> None:
        self.begun = time.monotonic()
        self.patience = patience
        self.bar: Any = None
        self.silent = False

    def __call__(self, step: Step) -> None:
        if self.silent or time.monotonic() - self.begun < self.patience:
            return
        if self.bar is None:
            try:
                from tqdm.auto import tqdm
            except ImportError:
                self.silent = True
                return
            self.bar = tqdm(desc="medley", unit=" steps", leave=False, dynamic_ncols=True)
        what = str(step["stage"])
        if step["restarts"] > 1:
            what += f" {step['restart'] + 1}/{step['restarts']}"
        self.bar.set_description(what, refresh=False)
        shown = {"bound": f"{step['bound']:.6g}", "change": f"{step['change']:.1e}"}
        if step["seconds_left"] is not None:
            shown["left"] = f"{step['seconds_left']:.0f} s"
        self.bar.set_postfix(shown, refresh=False)
        self.bar.update(1)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()


class watching:
    """with watching(progress, callback) as watch: the argument of a call of the core."""

    def __init__(self, progress: Progress = "auto", callback: Callback | None = None) -> None:
        if callback is not None and not callable(callback):
            raise wrong("callback", f"{callback!r} cannot be called", "give a function of one argument, a dict")
        self.callback = callback
        self.bar: _Bar | None = None
        if progress is True:
            self.bar = _Bar(0.0)
        elif progress == "auto" and callback is None and _somebody_looks():
            self.bar = _Bar(_PATIENCE)

    def __enter__(self) -> Callback | None:
        if self.bar is None:
            return self.callback
        if self.callback is None:
            return self.bar
        bar, callback = self.bar, self.callback

        def both(step: Step) -> None:
            bar(step)
            callback(step)

        return both

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.close()
