"""JSON in the pure core: the cases shared with `cargo test`, and random ones against Python's json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from apus._pure import ids, source, tokens
from apus._pure.arguments import arguments_flags, arguments_of
from apus._pure.json.compact import exact, scrubbed
from apus._pure.json.scan import scan
from apus._pure.json.values import JsonNumber
from apus._pure.json.write import dumps
from apus._pure.tree import Cut, Joined, Parsed, Scrubbed, Stringified, build
from apus.errors import TranscriptError
from hypothesis import given
from hypothesis import strategies as st

CORPUS = Path(__file__).parent / "corpus" / "json"
FLAGS = {
    "lone_surrogate": source.LONE_SURROGATE,
    "nul": source.NUL,
    "duplicate_key": source.DUPLICATE_KEY,
    "private_key": source.PRIVATE_KEY,
}


def cases(name: str) -> Any:
    return json.loads((CORPUS / name).read_text())


def spelled(case: dict[str, Any]) -> bytes:
    if "hex" in case:
        return bytes.fromhex(case["hex"])
    return (case["text"] if "text" in case else "".join(part * times for part, times in case["parts"])).encode()


def names(flags: int) -> list[str]:
    return [name for name, flag in FLAGS.items() if flags & flag]


def plain_compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@pytest.mark.parametrize("case", cases("documents.json"))
def test_a_document_is_read_or_refused_as_written_down(case: dict[str, Any]) -> None:
    data = spelled(case)
    if "error" in case:
        with pytest.raises(TranscriptError) as caught:
            scan(data)
        error, expected = caught.value, case["error"]
        assert (error.kind, str(error)) == (expected["kind"], expected["message"])
        assert (error.loc and list(error.loc), error.pointer, error.offset) == (
            expected["loc"],
            expected["pointer"],
            expected["offset"],
        )
        return
    value = scan(data)
    assert source.compact(value) == case["compact"]
    assert names(source.flags(value)) == case["flags"]
    assert source.depth(value) == case["depth"]
    assert tokens.compact_tokens(value) == case["tokens"]
    if "duplicate_key" not in case["flags"]:
        assert dumps(value) == data.removeprefix("\ufeff".encode()).strip()


@pytest.mark.parametrize("case", cases("arguments.json"))
def test_arguments_are_what_is_written_down(case: dict[str, Any]) -> None:
    text = spelled(case).decode()
    assert arguments_of(text).name.lower() == case["what"]
    assert names(arguments_flags(text)) == case["flags"]


@pytest.mark.parametrize("case", cases("tokens.json"))
def test_a_text_counts_the_same_however_it_is_spelled(case: dict[str, Any]) -> None:
    for text in case["spelled"]:
        assert source.text_tokens(scan(text.encode())) == case["tokens"]
        assert tokens.text_tokens(json.loads(text)) == case["tokens"]


@pytest.mark.parametrize("case", cases("ids.json"))
def test_ids_are_made_of_the_same_digits(case: dict[str, Any]) -> None:
    digest = ids.digest(case["old"], case["occurrence"], case["attempt"])
    assert digest.hex() == case["digest"]
    assert ids.base62(digest, 100) == case["base62"]
    assert all(ids.base62(digest, length) == case["base62"][:length] for length in range(100))


def at(value: Any, pointer: str) -> Any:
    for step in pointer.split("/")[1:]:
        value = value[step]
    return value


def tree_of(case: Any, root: Any) -> Any:
    if isinstance(case, list):
        return [tree_of(item, root) for item in case]
    if not isinstance(case, dict):
        return case
    ((name, argument),) = case.items()
    made = {
        "copy": lambda: at(root, argument),
        "object": lambda: {key: tree_of(value, root) for key, value in argument},
        "rewritten": lambda: dict(source.entries(at(root, argument))),
        "scrubbed": lambda: Scrubbed(tree_of(argument[0], root), argument[1]),
        "parsed": lambda: Parsed(tree_of(argument, root)),
        "stringified": lambda: Stringified(tree_of(argument, root)),
        "joined": lambda: Joined([tree_of(text, root) for text in argument[0]], argument[1]),
        "cut": lambda: Cut(tree_of(argument[0], root), argument[1]),
    }
    return made[name]()


def test_a_tree_is_written_as_written_down_and_both_lanes_agree() -> None:
    data = cases("trees.json")
    for case in data["cases"]:
        written = dumps(tree_of(case["tree"], scan(data["document"].encode())))
        assert written.decode() == case["json"], case["tree"]
        built = build(tree_of(case["tree"], json.loads(data["document"])))
        # Python's json reads 1e400 as infinity and 1.50 as 1.5, so only there the lanes may differ.
        said = json.dumps(json.loads(written))
        assert json.dumps(built).replace("inf", "1e400").replace("1.50", "1.5") == said.replace("1.50", "1.5")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=6), inner, max_size=20),
    max_leaves=30,
)
any_text = st.text(st.characters(exclude_categories=()) | st.sampled_from('"\\\n\0\x1b\ud800\udfff_'))
wild_values = st.recursive(
    st.none() | any_text | st.integers(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(any_text, inner, max_size=4),
    max_leaves=12,
)
styles = st.fixed_dictionaries({"ensure_ascii": st.booleans(), "indent": st.sampled_from([None, 1])})
LEXEMES = """{ } [ ] , : " \\ true false null nul NaN Infinity -Infinity - 0 1 00 .5 1. 1e5 1E+ 1e400 "a" "_a" "a":1
"\\u0061" "\\ud83d" "\\ude00" "\\u0000" "\\n" \\x \0 \x1f \t é 中 😀 {"a":1,"a":2} [[[ ]]] /**/ \ufeff"""
lexemes = st.sampled_from([*LEXEMES.split(" "), " ", "\n"])


@given(json_values, styles)
def test_what_python_writes_is_read_as_python_reads_it(value: Any, style: dict[str, Any]) -> None:
    text = json.dumps(value, **style)
    read = scan(text.encode())
    assert dumps(read).decode() == text
    assert exact(read) == plain_compact(value) == exact(value)
    assert source.flags(read) == source.flags(value)
    assert source.depth(read) == source.depth(value)
    assert tokens.compact_tokens(read) == tokens.compact_tokens(value)
    assert source.same(read, json.loads(text))


@given(value=wild_values, nul=st.booleans())
def test_scrubbing_leaves_nothing_behind_in_either_lane(value: Any, *, nul: bool) -> None:
    read = scan(json.dumps(value).encode())
    # A pair of halves that Python keeps apart is one character as soon as it has been written.
    value = json.loads(json.dumps(value))
    clean = scrubbed(value, nul=nul)
    assert not source.flags(clean) & (source.LONE_SURROGATE | (source.NUL if nul else 0))
    assert json.loads(dumps(Scrubbed(read, nul))) == build(Scrubbed(value, nul)) == clean
    assert dumps(Stringified(Scrubbed(read, nul))) == dumps(build(Stringified(Scrubbed(value, nul))))
    assert dumps(Stringified(read)) == dumps(build(Stringified(value)))
    dumps(Joined([read, "gap", read], "\n")).decode()


@given(st.lists(lexemes, max_size=12).map("".join))
def test_python_takes_what_is_read_and_refuses_what_is_refused(text: str) -> None:
    def constant(name: str) -> Any:
        raise ValueError(name)

    try:
        expected = json.loads(text.encode().decode("utf-8-sig"), parse_constant=constant, parse_float=float)
    except ValueError:
        with pytest.raises(TranscriptError) as caught:
            scan(text.encode())
        assert caught.value.kind == "not_json"
        assert 0 <= caught.value.offset <= len(text.encode())  # type: ignore[operator]
        return
    assert repr(stripped(scan(text.encode()))) == repr(expected)


def stripped(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: stripped(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [stripped(inner) for inner in value]
    if isinstance(value, JsonNumber):
        return float(value.raw) if set(value.raw) & set(".eE") else int(value.raw)
    return str(value) if isinstance(value, str) else value


@given(st.binary(max_size=40) | st.lists(lexemes).map(lambda parts: "".join(parts).encode()))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        value = scan(data)
    except TranscriptError:
        return
    written = dumps(value)
    assert dumps(scan(written)) == written
    assert source.compact(scan(exact(value).encode("utf-8", "backslashreplace"))) == source.compact(value)
