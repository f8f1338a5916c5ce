"""The values that all readers and writers of the pure core stand on, in both lanes."""

from __future__ import annotations

import json
import math
import sys
from typing import Any

import pytest
from apus._pure import arguments, source, tree
from apus._pure.arguments import Text, arguments_of
from apus._pure.json.compact import exact, scrubbed
from apus._pure.json.scan import scan, scan_text
from apus._pure.json.values import BIG, JsonArray, JsonObject, JsonString, number_text, raw
from apus._pure.tree import Parsed, Scrubbed, Stringified, build
from apus.errors import LimitExceeded, TranscriptError


def plain_compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def test_every_value_of_the_json_lane_knows_its_place() -> None:
    text = ' {"é": ["😀", 1.50, {"b" : null}], "_x": "\\u0000"} '
    root = scan(text.encode())
    assert (type(root), type(root["é"]), type(root["_x"])) == (JsonObject, JsonArray, JsonString)
    assert raw(root) == text.strip()
    assert raw(root["é"]) == '["😀", 1.50, {"b" : null}]'
    assert raw(root["é"][0]) == '"😀"'
    assert (raw(root["é"][1]), repr(root["é"][1])) == ("1.50", "JsonNumber(1.50)")
    assert raw(root["é"][2]) == '{"b" : null}'
    assert root["é"][2]["b"] is None
    assert source.flags(root) == source.NUL | source.PRIVATE_KEY
    assert source.flags(root["é"]) == source.flags(root["é"][1]) == source.flags(None) == 0
    assert scan(b"[1e999]").flags == BIG
    assert source.flags(scan(b"[1e999]")) == 0


def test_the_accessors_answer_for_every_kind() -> None:
    values = [None, True, 1, 1.5, "a", [], (), {}, *scan(b'[1,"a",[],{}]')]
    kinds = "null bool number number string array array object number string array object"
    assert [str(source.kind(value)) for value in values] == kinds.split(" ")
    assert [source.text(value) for value in values] == [None] * 4 + ["a"] + [None] * 4 + ["a", None, None]
    assert [source.number(value) for value in values] == [None, None, "1", "1.5", *[None] * 4, "1", None, None, None]
    assert [source.boolean(value) for value in values] == [None, True, *[None] * 10]
    assert [source.is_true(value) for value in values] == [False, True, *[False] * 10]
    assert [source.text_tokens(value) for value in values] == [0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0]
    assert [len(list(source.items(value))) for value in [*values, [1]]] == [0] * 12 + [1]
    assert [len(list(source.entries(value))) for value in [*values, {"a": 1}]] == [0] * 12 + [1]
    assert (source.get({"a": 1}, "a"), source.get({}, "a"), source.get([], "a", 2)) == (1, None, 2)
    assert (source.text("a\ud800"), source.text("é")) == ("a\ufffd", "é")


class Name(str):
    __slots__ = ()


def test_subclasses_count_as_what_they_are() -> None:
    class Number(int):
        pass

    class Table(dict[str, Any]):
        pass

    assert source.flags(Table({Name("_a"): [Name("\0"), Number(1)]})) == source.NUL | source.PRIVATE_KEY
    assert source.kind(Number(1)) is source.Kind.NUMBER
    assert source.flags({"a": scan(b'[{"_a":"\\ud800"}]')}) == source.PRIVATE_KEY | source.LONE_SURROGATE
    assert source.compact(Table(a=(Name("b"), Number(1)))) == '{"a":["b",1]}'
    with pytest.raises(TranscriptError, match=r"^found a value of type set in the transcript, expected a json value$"):
        source.kind(set())


def deep(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


HUGE = 10**4300
NAN, FINITE = "nan or infinity", "expected a finite number"
DEEP = "found nesting deeper than 500 levels at /0/0/0/0, expected at most 500"


@pytest.mark.parametrize(
    ("value", "kind", "message", "pointer"),
    [
        (math.nan, "not_json", f"found {NAN} in the transcript, {FINITE}", ""),
        ([{"content": [1, -math.inf]}], "not_json", f"found {NAN} at /0/content/1, {FINITE}", None),
        ([1, {"a": {1, 2}}], "not_json", "found a value of type set at /1/a, expected a json value", None),
        ({"a": b""}, "not_json", "found a value of type bytes at /a, expected a json value", None),
        ([type("ü", (), {})()], "not_json", "found a value of type another kind at /0, expected a json value", None),
        ({"a": {1: 2}}, "not_json", "found a key that is not a string at /a, expected a string", None),
        ({"a": [math.inf], 2: 1}, "not_json", f"found {NAN} at /a/0, {FINITE}", None),
        ([HUGE], "not_json", "found an integer of more than 4300 digits at /0, expected a shorter one", None),
        ([-HUGE], "not_json", "found an integer of more than 4300 digits at /0, expected a shorter one", None),
        (deep(501), "too_deep", DEEP, "/0" * 500),
        ([math.nan, deep(501)], "not_json", f"found {NAN} at /0, {FINITE}", None),
        ([deep(500), math.nan], "too_deep", DEEP, None),
    ],
)
def test_what_json_cannot_hold_is_refused(value: Any, kind: str, message: str, pointer: str | None) -> None:
    with pytest.raises(TranscriptError) as caught:
        source.flags(value)
    assert (caught.value.kind, str(caught.value)) == (kind, message)
    assert pointer in (None, caught.value.pointer)


def test_the_place_starts_where_the_caller_says() -> None:
    with pytest.raises(TranscriptError) as caught:
        source.flags([1, {"a~/b": math.nan}], path=("messages", 3, "content"))
    assert str(caught.value) == "found nan or infinity at /messages/3/content/1, expected a finite number"
    assert caught.value.pointer == "/messages/3/content/1/a~0~1b"
    assert source.flags(deep(500)) == source.flags([HUGE - 1, 1 - HUGE]) == source.flags(deep(3), depth=3) == 0
    with pytest.raises(TranscriptError, match="deeper than 2 levels"):
        source.flags(deep(3), depth=2)
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(TranscriptError, match="deeper than 500 levels"):
        source.flags(loop)


def test_an_error_of_both_lanes_differs_in_the_offset_alone() -> None:
    with pytest.raises(TranscriptError) as objects:
        source.flags([{"content": [{"text": math.nan}]}])
    with pytest.raises(TranscriptError) as bytes_:
        scan(b'[{"content": [{"text": NaN}]}]')
    first, second = objects.value, bytes_.value
    assert (str(first), first.kind, first.loc, first.pointer) == (str(second), second.kind, second.loc, second.pointer)
    assert (first.offset, second.offset) == (None, 23)


def test_values_that_are_not_changed_stay_the_same_objects() -> None:
    stored = {"a": [1, {"b": "c"}], "d": ("e",)}
    assert build(stored) is stored
    built = build({"new": stored, "text": Stringified(stored["d"]), "list": [stored, Scrubbed(stored["a"], nul=True)]})
    assert built == {"new": stored, "text": '["e"]', "list": [stored, stored["a"]]}
    assert built["new"] is built["list"][0] is stored
    assert stored == {"a": [1, {"b": "c"}], "d": ("e",)}
    read = scan(b'{"a":[1],"b":"\\ud800"}')
    clean = scrubbed(read, nul=False)
    assert (clean["a"], clean["b"]) == (read["a"], "\ufffd")
    assert clean["a"] is read["a"]
    assert source.same(scan(b"[1, 2]"), [1, 2])
    assert not source.same([1], (1, 2))
    assert not source.same(1, "1")


def test_nothing_depends_on_how_much_stack_is_left() -> None:
    text = plain_compact({"a": deep(199), "b": [1.5, 10**308, "x", True, None, {"c": {}}]})
    nested = deep(500)
    calls = [
        lambda: arguments_of(text),
        lambda: build(Parsed(text)),
        lambda: exact(nested),
        lambda: build({"a": nested}),
        lambda: source.compact(scan(exact(nested).encode())),
        lambda: source.flags(nested),
        lambda: arguments_of("[" * 100_000),
    ]

    def lower(frames: int) -> list[Any]:
        return lower(frames - 1) if frames else [call() for call in calls]

    brackets = "[" * 500 + "1" + "]" * 500
    expected = [Text.OBJECT, json.loads(text), brackets, {"a": nested}, brackets, 0, Text.TOO_DEEP]
    assert lower(sys.getrecursionlimit() - len_of_stack() - 40) == expected


def len_of_stack() -> int:
    frame, frames = sys._getframe(), 0
    while frame is not None:
        frame, frames = frame.f_back, frames + 1  # type: ignore[assignment]
    return frames


def test_a_process_that_allows_few_digits_changes_nothing() -> None:
    allowed = sys.get_int_max_str_digits()
    value = [10**2000 + 7, -(10**2000) - 7, 5]
    text = plain_compact(value)
    sys.set_int_max_str_digits(640)
    try:
        assert exact(value) == text
        assert number_text(value[1]) == text.split(",")[1]
    finally:
        sys.set_int_max_str_digits(allowed)


def test_blank_is_what_the_spec_says() -> None:
    blank = "\t\n\v\f\r \x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
    assert source.is_blank("")
    assert source.is_blank(blank)
    assert not any(source.is_blank(c) for c in "a\0\x1b\u180e\u200b\u2060.")


def test_a_text_that_the_native_core_cannot_count_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apus._pure.json.scan._MAX_BYTES", 3)
    with pytest.raises(LimitExceeded, match=r"^found 4 bytes in the transcript, expected at most 3$"):
        scan(b"1234")


def test_a_byte_order_mark_counts_in_bytes_only() -> None:
    with pytest.raises(TranscriptError) as caught:
        scan("\ufeff[\u00e9]".encode())
    assert caught.value.offset == 4
    with pytest.raises(TranscriptError):
        scan_text("\ufeff1", 5)


def test_hostile_numbers_cost_no_quadratic_time() -> None:
    digits = "9" * 200_000
    assert arguments_of(f'{{"a":{digits}}}') is Text.BIG_NUMBER
    assert arguments_of(f'{{"a":0.{digits}}}') is Text.OBJECT
    assert arguments.DEPTH == 200
    assert tree.wrapped("x") == {"_raw_arguments": "x"}
