"""What goes in: bodies, SDK objects, dialects and what is none, the same in both lanes."""

from __future__ import annotations

import dataclasses
import json
from collections import UserDict
from types import MappingProxyType
from typing import Any

import pytest
from apus import TranscriptError, project
from chats import ANSWERED, CHAT, CLAUDE, GPT, dumped, user

# --------------------------------------------------------------------------------------------------------------- bodies

ODD = (
    b'{ "model" : "m",\t"seed": 9007199254740993 , "x":1e400, "esc":"\\u00e9\\/",\n "messages" : '
    b'[{"role":"user" ,"content":"go \\u00e9"},{"role":"assistant","content":null,"tool_calls":[{"id":"call_1",'
    b'"type":"function","function":{"name":"f","arguments":"{}"}}]}] , "tools":[ ],"after": [1.0,-0] }\n'
)


def test_a_body_of_the_same_dialect_is_spliced() -> None:
    projection = project(ODD, GPT)
    start, end = ODD.index(b"[{"), ODD.rindex(b"}]}]") + 4
    assert projection.body.startswith(ODD[:start])
    assert projection.body.endswith(ODD[end:])
    assert projection.messages.startswith(ODD[start : end - 1])
    assert projection.body == projection.payload_json
    assert projection.nbytes == len(projection.body)
    assert projection.payload["messages"][-1]["role"] == "tool"


def test_an_unchanged_body_is_the_same_object() -> None:
    body = {"model": "m", "messages": ANSWERED}
    projection = project(body, GPT)
    assert projection.payload is body
    assert projection.messages is ANSWERED
    assert not projection.changed
    assert projection.first_change is None
    assert project(bytes(ODD), GPT, open_calls="keep").body is not None
    data = dumped(body)
    assert project(data, GPT).body is data


def test_a_changed_body_keeps_the_other_fields_as_objects() -> None:
    body = {"tools": [{"type": "function", "function": {"name": "f"}}], "messages": CHAT, "z": 1}
    made = project(body, GPT).payload
    assert list(made) == ["tools", "messages", "z"]
    assert made["tools"] is body["tools"]
    assert body["messages"] is CHAT


def test_a_body_of_another_dialect_gives_history_fields_and_one_repair() -> None:
    body = {"model": "m", "max_tokens": 5, "system": "s", "messages": [user("go")]}
    for transcript in (body, dumped(body)):
        projection: Any = project(transcript, GPT)
        assert projection.payload == {"messages": [{"role": "system", "content": "s"}, user("go")]}
        assert [(str(r.kind), r.detail) for r in projection.repairs] == [("request_fields_dropped", "max_tokens model")]
    back: Any = project([{"role": "system", "content": "s"}, user("go")], CLAUDE, source="openai-chat")
    assert back.payload == {"system": "s", "messages": [user("go")]}


def test_a_system_fact_goes_into_the_body() -> None:
    body = {"messages": [user("go")], "model": "m"}
    for transcript in (body, dumped(body)):
        projection: Any = project(transcript, CLAUDE, system="s")
        assert json.loads(projection.payload_json) == {"system": "s", **body}
        assert projection.changed
        again = project(projection.payload, CLAUDE, system="s")
        assert not again.changed
    assert project([user("go")], CLAUDE, system="s").payload == {"system": "s", "messages": [user("go")]}


def test_facts_are_read_from_bodies_and_keywords_win() -> None:
    thought = {"type": "thinking", "thinking": "hm", "signature": "c2ln"}
    turn = {"role": "assistant", "content": [thought, {"type": "text", "text": "x"}]}
    body = {"thinking": {"type": "disabled"}, "messages": [user("a"), turn, user("b")]}
    assert project(body, CLAUDE).repair_counts == {"thinking_dropped": 1}
    assert not project(body, CLAUDE, thinking=True).repairs
    assert not project({**body, "thinking": {"type": "adaptive"}}, CLAUDE).repairs
    chained = {"container": "c1", "messages": [user("a")]}
    with pytest.raises(TranscriptError) as caught:
        project(chained, GPT, source="anthropic-messages")
    assert caught.value.kind == "server_state"


def test_write_source_keeps_the_dialect() -> None:
    stored = [
        user("go"),
        {
            "role": "assistant",
            "content": [{"type": "toolCall", "id": "c1", "name": "f", "arguments": {}}],
            "provider": "anthropic",
            "model": "claude-opus-4-6",
            "stopReason": "toolUse",
        },
    ]
    projection = project(stored, CLAUDE, source="apus", write="source")
    assert projection.dialect == "apus"
    assert projection.messages[-1]["role"] == "toolResult"
    assert project(stored, CLAUDE, write="openai-chat").messages[-1]["role"] == "tool"


# ---------------------------------------------------------------------------------------------------------- SDK objects


class Model:
    """As pydantic models are."""

    def __init__(self, **fields: Any) -> None:
        self.fields = fields

    def model_dump(self, *, exclude_none: bool = False) -> dict[str, Any]:
        return {k: v for k, v in self.fields.items() if v is not None or not exclude_none}


class OldModel:
    """As other SDKs write their objects."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self.fields = fields

    def to_dict(self) -> dict[str, Any]:
        return self.fields


@dataclasses.dataclass
class Part:
    """A block."""

    type: str
    text: str
    citations: None = None


SAID = {"role": "assistant", "content": [{"type": "text", "text": "x"}]}


@pytest.mark.parametrize(
    "message",
    [
        Model(role="assistant", content=[Part("text", "x")], refusal=None),
        OldModel(SAID),
        UserDict(SAID),
        MappingProxyType(SAID),
        {"role": "assistant", "content": (Part("text", "x"),)},
        {"role": "assistant", "content": [Model(type="text", text="x", citations=None)]},
        {"role": "assistant", "content": [UserDict({"type": "text", "text": "x"})]},
    ],
    ids=["pydantic", "to_dict", "mapping", "proxy", "tuple", "block", "block-mapping"],
)
def test_sdk_objects_are_read_at_message_and_block_level(message: Any) -> None:
    transcript = [user("a"), message, user("b")]
    projection = project(transcript, CLAUDE)
    assert not projection.repairs
    assert projection.messages == [user("a"), SAID, user("b")]
    assert projection.messages[0] is transcript[0]
    assert project({"messages": tuple(transcript)}, CLAUDE).payload["messages"] == [user("a"), SAID, user("b")]


def test_tuples_are_lists() -> None:
    transcript = (user("a"), {"role": "assistant", "content": ({"type": "text", "text": "x"},)}, user("b"))
    assert project(transcript, CLAUDE).messages is transcript
    assert project((*CHAT,), GPT).messages[:2] == CHAT


@pytest.mark.parametrize(
    ("transcript", "loc", "pointer"),
    [
        ([user("a"), object()], (1, None), "/1"),
        ([user("a"), user([{"type": "text", "text": "x"}, {1, 2}])], (1, 1), "/1/content/1"),
        ([user([{"type": "text", "text": b"x"}])], (0, 0), "/0/content/0/text"),
        ({"messages": [user([{"type": "text", "text": object()}])]}, (0, 0), "/messages/0/content/0/text"),
        ({"messages": [object()]}, (0, None), "/messages/0"),
        ({"messages": [], "x": object()}, None, "/x"),
    ],
)
def test_a_foreign_object_is_an_error_with_its_place(transcript: Any, loc: Any, pointer: str) -> None:
    with pytest.raises(TranscriptError, match=f"at {pointer.removesuffix('/text')}") as caught:
        project(transcript, GPT)
    assert (caught.value.kind, caught.value.loc, caught.value.pointer) == ("not_json", loc, pointer)


def test_numbers_that_json_cannot_hold_are_errors() -> None:
    with pytest.raises(TranscriptError, match="nan or infinity") as caught:
        project([{**user("a"), "x": float("nan")}], GPT)
    assert caught.value.kind == "not_json"


# --------------------------------------------------------------------------------------------------- detection, errors


@pytest.mark.parametrize(
    ("messages", "dialect"),
    [
        ([user("a")], "anthropic-messages"),
        ([{"role": "toolResult", "toolCallId": "c", "content": []}], "apus"),
        ([{"type": "session", "id": "s"}, {"type": "message", "id": "1", "message": user("a")}], "apus"),
        (ANSWERED, "openai-chat"),
        ([user([{"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}])], "openai-chat"),
        ([user([{"type": "tool_result", "tool_use_id": "a", "content": "x"}])], "anthropic-messages"),
    ],
)
def test_dialects_are_detected(messages: Any, dialect: str) -> None:
    assert project(messages, CLAUDE).source == dialect
    assert project(dumped(messages), CLAUDE).source == dialect


def test_a_mixture_names_both_dialects() -> None:
    mixed = [{"role": "toolResult", "toolCallId": "c", "content": []}, {"role": "tool", "content": "x"}]
    said = set()
    for transcript in (mixed, dumped(mixed)):
        with pytest.raises(TranscriptError, match="apus and of openai-chat") as caught:
            project(transcript, GPT)
        assert (caught.value.kind, caught.value.loc) == ("mixed_dialects", (1, None))
        said.add(str(caught.value))
    assert len(said) == 1
    assert project(mixed, GPT, source="openai-chat") is not None


@pytest.mark.parametrize("value", [None, 5, "text", {"model": "m"}, {"messages": "x"}])
def test_what_is_no_transcript_is_said_the_same_way_in_both_lanes(value: Any) -> None:
    errors = []
    for transcript in (value, dumped(value)):
        with pytest.raises(TranscriptError) as caught:
            project(transcript, GPT)
        errors.append((str(caught.value), caught.value.kind))
    assert errors[0] == errors[1]
    assert errors[0][1] == "not_a_transcript"


def test_malformed_bytes_have_an_offset() -> None:
    with pytest.raises(TranscriptError) as caught:
        project(b'[{"role": oops}]', GPT)
    assert (caught.value.kind, caught.value.offset, caught.value.pointer) == ("not_json", 10, "/0/role")
    with pytest.raises(TranscriptError) as caught:
        project(b'{"messages": [{"role": oops}]}', GPT)
    assert (caught.value.loc, caught.value.pointer) == ((0, None), "/messages/0/role")


def test_values_in_the_list_that_are_no_messages_go_with_a_repair() -> None:
    for transcript in ([user("a"), None, [], 3], dumped([user("a"), None, [], 3])):
        projection: Any = project(transcript, GPT)
        assert projection.repair_counts == {"invalid_message_dropped": 3}
        assert [r.pointer for r in projection.repairs] == ["/1", "/2", "/3"]
