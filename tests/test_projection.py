"""What a projection tells: repairs, ids, origins, tokens."""

from __future__ import annotations

import copy
import gc
import subprocess
import sys
import weakref
from collections import UserDict
from typing import Any

import apus
import numpy as np
import pytest
from apus import Projector, RepairKind, Severity, Target, TranscriptError, estimate_tokens, project
from chats import CHAT, CLAUDE, GPT, dumped, user

PNG = "iVBORw0KGgo="

# -------------------------------------------------------------------------------------------------- what is told of it


def test_a_projection_tells_what_was_done() -> None:
    long = "c" * 50
    renamed = [user("go"), copy.deepcopy(CHAT[1]), {"role": "tool", "tool_call_id": long, "content": "ok"}]
    renamed[1]["tool_calls"][0]["id"] = long
    projection = project(renamed, GPT)
    (repaired,) = projection.repairs
    assert repaired == apus.Repair(
        RepairKind.CALL_ID_REWRITTEN, Severity.FORMAT, (1, 0), "/1/tool_calls/0", long, repaired.detail
    )
    assert projection.id_map == {repaired.detail: long}
    assert projection.first_change == 1
    assert projection.lossless
    assert projection.changed
    assert projection.messages[0] is renamed[0]
    report = projection.report
    assert (report.source, report.dialect, report.changed) == ("openai-chat", "openai-chat", True)
    assert report.repair_counts == {"call_id_rewritten": 1}
    assert repr(projection) == f"<Projection changed, 1 repairs, core {apus.core}>"


def test_a_loss_is_told() -> None:
    projection = project([user("a"), {"role": "tool", "tool_call_id": "x", "content": "?"}, user("b")], GPT)
    assert not projection.lossless
    assert projection.first_change == 1


def test_detach_lets_the_source_go() -> None:
    class Body(dict[str, Any]):
        """A dict that can be watched."""

    body = Body(messages=CHAT)
    watched = weakref.ref(body)
    projection = Projector(GPT).project(body).detach()
    del body
    gc.collect()
    assert watched() is None
    assert projection.messages[-1]["role"] == "tool"
    body = Body(oops=1)
    watched = weakref.ref(body)
    failed = Projector(GPT, on_error="pass").project([body, object()]).detach()
    assert failed.error is not None
    assert failed.error.__traceback__ is None


def test_origins_say_who_made_the_turns() -> None:
    thought = {"type": "thinking", "thinking": "hm", "signature": "c2ln"}
    turn = {"role": "assistant", "content": [thought, {"type": "text", "text": "x"}]}
    messages = [user("a"), turn, user("b"), turn, user("c")]
    assert not project(messages, CLAUDE).repairs
    assert not project(messages, CLAUDE, origin=CLAUDE).repairs
    assert not project(messages, CLAUDE, origin=Target("amazon-bedrock", "claude-opus-4-6")).repairs
    assert project(messages, CLAUDE, origin="somebody").repair_counts == {"thinking_dropped": 2}
    each = project(messages, CLAUDE, origin=[None, GPT, None, None, None])
    assert [r.loc for r in each.repairs] == [(1, 0)]
    assert not project(messages, CLAUDE, origin=[]).repairs


# --------------------------------------------------------------------------------------------------------------- tokens


def test_tokens_of_every_kind_of_input() -> None:
    assert estimate_tokens("abcde") == 2
    assert estimate_tokens("中文") == 2
    assert estimate_tokens(dumped("abcde")) == 2
    message = user("abcde")
    for value in (message, [message], {"messages": [message]}, dumped(message), bytearray(dumped([message]))):
        assert estimate_tokens(value) == 1 + 2
    body = {"system": "abcd", "tools": [{"name": "ff", "description": "abcde"}], "messages": [message]}
    assert estimate_tokens(body) == estimate_tokens(dumped(body)) == 3 + 1 + 1 + 2
    image = user([{"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG * 99}"}}])
    assert estimate_tokens(image) == 1 + 2000
    assert estimate_tokens(UserDict(message)) == 3
    entry = {"type": "message", "id": "1", "message": message}
    assert estimate_tokens([{"type": "session", "id": "s"}, entry]) == 3
    with pytest.raises(TranscriptError):
        estimate_tokens(5)


def test_tokens_of_a_projection() -> None:
    projection = project({"system": "abcd", "messages": [user("abcde"), user("é")]}, CLAUDE)
    assert projection.token_parts == {"system": 1, "tools": 0, "messages": 5}
    assert projection.tokens == 6
    counts = projection.token_counts
    assert counts.dtype == np.uint32
    assert counts.tolist() == [3, 2]


def test_the_import_is_light() -> None:
    code = "import sys, apus; print(*sorted(m for m in sys.modules if m.startswith(('apus', 'tomllib', 'inspect'))))"
    result = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert result.stdout.split() == ["apus"]
    assert apus.info()["core"] == apus.core
    with pytest.raises(AttributeError, match="no attribute 'projct'"):
        apus.projct  # noqa: B018
