"""One projector for many threads and for forked processes: the same answers as alone."""

from __future__ import annotations

import copy
import json
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from random import Random
from types import ModuleType
from typing import Any

import pytest
from apus import ApusError, Projector
from chats import CHAT, CLAUDE, GPT
from damage import damage
from histories import DIALECTS, Teller, valid

THREADS = 8
INPUTS = 120


def transcripts() -> list[Any]:
    """Mixed inputs: all dialects, sound and damaged, objects and bytes, and some that are no transcript."""
    made: list[Any] = [5, b"{oops", {"model": "m"}]
    for seed in range(INPUTS):
        teller = Teller(Random(seed), DIALECTS[seed % 3])
        messages: list[Any] = valid(teller, seed % 4)
        damage(messages, teller, seed % 5)
        made.append(messages if seed % 2 else json.dumps(messages).encode())
    return made


def outcome(projector: Projector, transcript: Any) -> Any:
    try:
        made = projector.project(transcript)
    except ApusError as error:
        return type(error).__name__, str(error)
    return made.payload_json, made.repairs, made.id_map, made.changed, made.tokens


@pytest.mark.parametrize("target", [GPT, CLAUDE])
def test_threads_share_a_projector(core: ModuleType, target: str) -> None:
    projector = Projector(target, _core=core)
    given = transcripts()
    kept = copy.deepcopy(given)
    alone = [outcome(projector, transcript) for transcript in given]
    start = threading.Barrier(THREADS)

    def run(number: int) -> list[Any]:
        start.wait()
        order = Random(number).sample(range(len(given)), len(given))
        return [(at, outcome(projector, given[at])) for at in order]

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(THREADS) as pool:
            answers = list(pool.map(run, range(THREADS)))
    finally:
        sys.setswitchinterval(before)
    assert all(made == alone[at] for answer in answers for at, made in answer)
    assert given == kept


def test_a_list_that_another_thread_writes_to_gives_an_answer_or_an_error(core: ModuleType) -> None:
    shared: list[Any] = copy.deepcopy(CHAT)
    stop = threading.Event()

    def write() -> None:
        while not stop.is_set():
            shared.append({"role": "user", "content": "x", str(len(shared)): 1})
            shared[0][str(len(shared[0]) % 50)] = 1
            if len(shared) > 50:
                del shared[2:]
                shared[0].pop("3", None)

    projector = Projector(GPT, source="openai-chat", _core=core)
    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(200):
            try:
                projector.project(shared)
            except ApusError as error:
                assert str(error)[0].islower()  # noqa: PT017 - a refusal is an answer
    finally:
        stop.set()
        writer.join()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this platform")
def test_a_forked_process_projects(core: ModuleType) -> None:
    projector = Projector(GPT, _core=core)
    expected = outcome(projector, CHAT)
    for _ in range(3):
        child = os.fork()
        if not child:
            os._exit(0 if outcome(projector, CHAT) == expected else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert outcome(projector, CHAT) == expected


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this platform")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")  # 3.12 warns of what is tested here
def test_a_process_forks_while_threads_project(core: ModuleType) -> None:
    projector = Projector(GPT, _core=core)
    expected = outcome(projector, CHAT)
    stop = threading.Event()

    def run() -> None:
        while not stop.is_set():
            outcome(projector, CHAT)

    threads = [threading.Thread(target=run) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(5):
            child = os.fork()
            if not child:
                os._exit(0 if outcome(projector, CHAT) == expected else 1)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    finally:
        stop.set()
        for thread in threads:
            thread.join()
