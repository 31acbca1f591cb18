# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C, progress, and other Python threads during long calls."""
import os
import signal
import threading
import time
import warnings

import numpy as np
import pytest

import medley

sparse = pytest.importorskip("scipy.sparse")


@pytest.fixture(autouse=True)
def quiet():
    # A shell that starts the tests in the background has Ctrl-C ignored, and so has what it starts.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="module")
def corpus():
    rng = np.random.default_rng(1)
    return sparse.csr_array(rng.poisson(0.05, (3000, 1500)))


@pytest.fixture(scope="module")
def topics(corpus):
    return medley.fit(corpus, k=40, max_iterations=3)


CALLS = {
    "fit collapsed": lambda corpus, topics: medley.fit(corpus, k=60, max_iterations=10**6, tolerance=1e-30),
    "fit lda": lambda corpus, topics: medley.fit(corpus, k=60, model="lda", max_iterations=10**6, tolerance=1e-30),
    "fit online": lambda corpus, topics: medley.fit(corpus, k=60, model="online-lda", passes=10**6),
    "evaluate": lambda corpus, topics: topics.evaluate(corpus, estimator="left-to-right", samples=3000),
    "select": lambda corpus, topics: medley.select(corpus, k=[50, 60], max_iterations=10**6, tolerance=1e-30),
    "bootstrap": lambda corpus, topics: topics.bootstrap(corpus, replicates=300),
}


@pytest.mark.parametrize("name", CALLS)
def test_ctrl_c_ends_every_long_call(name, corpus, topics):
    sent = []

    def press():
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.7, press)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        CALLS[name](corpus, topics)
    timer.join()
    assert sent, "the call was over before Ctrl-C"
    # The process is usable afterwards.
    assert medley.fit({"a": ["x", "y"] * 20, "b": ["x", "y"] * 20}, k=2).k == 2


def test_ctrl_c_ends_taking_tables_in():
    """Texts that all differ, so that taking them takes long; neither loop runs Python code of its own."""
    pa = pytest.importorskip("pyarrow")
    cells = [str(i) for i in range(1_500_000)]
    table = pa.table({f"c{j}": pa.array(cells) for j in range(4)})
    for take in (lambda: medley.dataset(table), lambda: medley.dataset({"a": cells, "b": cells, "c": cells})):
        timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        begun = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            take()
        assert time.monotonic() - begun < 1.5
        timer.join()


def test_an_interrupted_fit_may_give_what_it_has(corpus):
    timer = threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    model = medley.fit(corpus, k=20, max_iterations=10**6, tolerance=1e-30, on_interrupt="return")
    timer.join()
    assert model.summary.termination == "interrupted" and model.k == 20


class Stop(Exception):
    pass


def test_exceptions_of_a_callback_come_out_unchanged(corpus):
    def callback(step):
        if step["iteration"] >= 2:
            raise Stop("enough")

    with pytest.raises(Stop, match="enough"):
        medley.fit(corpus, k=20, max_iterations=10**6, tolerance=1e-30, callback=callback)


def test_steps_are_told_in_order_and_in_the_calling_thread(two_groups):
    columns, _ = two_groups
    steps, threads = [], set()

    def callback(step):
        steps.append(step)
        threads.add(threading.get_ident())

    model = medley.fit(columns, k=2, restarts=3, callback=callback)
    assert threads == {threading.get_ident()}
    assert {s["restart"] for s in steps} == {0, 1, 2} and all(s["restarts"] == 3 for s in steps)
    kept = [s["bound"] for s in steps if s["stage"] == "fit" and s["restart"] == model.summary.best_restart]
    assert len(kept) >= 1 and set(kept) <= set(model.summary.traces[model.summary.best_restart])


def test_other_threads_run_meanwhile(corpus):
    ticks, done = [0], threading.Event()

    def count():
        while not done.is_set():
            ticks[0] += 1
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    medley.fit(corpus, k=40, max_iterations=5)
    done.set()
    counter.join()
    assert ticks[0] > 20


def test_threads_may_fit_at_the_same_time(two_groups):
    columns, _ = two_groups
    wanted = medley.fit(columns, k=2).to_bytes()
    found = []
    workers = [threading.Thread(target=lambda: found.append(medley.fit(columns, k=2).to_bytes())) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert found == [wanted] * 4


def test_progress_shows_a_bar(corpus, capsys):
    pytest.importorskip("tqdm")
    medley.fit(corpus, k=10, max_iterations=4, progress=True)
    assert "steps" in capsys.readouterr().err
    medley.fit(corpus, k=10, max_iterations=2, progress=False)
    assert capsys.readouterr().err == ""
