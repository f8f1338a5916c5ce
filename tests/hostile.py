"""Hostile inputs: bytes and objects that no honest runner stores. One `Random` decides everything."""

from __future__ import annotations

import collections
import enum
import json
import math
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Any

from histories import DIALECTS, Teller, valid

DEEP = 100_000
KEYS = (
    "role", "content", "type", "text", "id", "name", "input", "arguments", "function", "tool_calls", "tool_call_id",
    "toolCallId", "tool_use_id", "thinking", "signature", "source", "data", "cache_control", "messages", "system", "_x",
)  # fmt: skip
# Numbers, then strings, then bytes that are no token, then values, then pieces.
VALUES = (
    *(b"NaN", b"-Infinity", b"Infinity", b"1e400", b"-1e400", b"9" * 5000, b"-" + b"9" * 5000, b"0." + b"9" * 5000),
    *(
        b"01",
        b"-",
        b"1.",
        b'"\\ud800"',
        b'"\\udc00x"',
        b'"\\u0000"',
        b'"\\x"',
        b"null",
        b"true",
        b"{}",
        b"[]",
        b'""',
        b"-0.0",
    ),
)
WORDS = (
    *VALUES,
    *(b"\xed\xa0\x80", b"\xff", b"\xef\xbb\xbf", b"\x00", b"\n", b"'", b"/**/", b"[" * 600, b'{"a":' * 600),
    *(b",", b":", b"{", b"}", b"[", b"]", b'"', b'"role":"user",', b'"role":5,', b'"content":null,', b'"content":[],'),
    *(b'"id":"a","id":"b",', b'"type":"text",', b'"messages":[],', b'"messages":5,', b'"system":"s",', b'"":0,'),
    *(b'"__proto__":{},', b'"tool_calls":[{}],'),
)


def transcript(random: Random) -> Any:
    """A sound list or body of some dialect."""
    messages: list[Any] = valid(Teller(random, random.choice(DIALECTS)), random.choice((1, 1, 2, 3)), reasoning=True)
    if random.random() < 0.5:
        return messages
    return {"model": "m", "messages": messages, **({"system": "s"} if random.random() < 0.3 else {}), "tools": []}


# ---------------------------------------------------------------------------------------------------------------- bytes


def hostile_bytes(random: Random) -> bytes:
    """JSON with a few bytes cut, flipped or put in, mostly where a token starts; some keys stand twice."""
    text = (twice(transcript(random), random) if random.random() < 0.4 else json.dumps(transcript(random))).encode()
    for _ in range(random.choice((0, 1, 1, 2, 4))):
        text = random.choice(_EDITS)(text, random)
    return text


def _truncated(text: bytes, random: Random) -> bytes:
    return text[: random.randint(0, len(text))]


def _flipped(text: bytes, random: Random) -> bytes:
    at = random.randrange(len(text) or 1)
    return text[:at] + bytes([random.randrange(256)]) + text[at + 1 :]


def _put_in(text: bytes, random: Random) -> bytes:
    places = [at for at, byte in enumerate(text) if byte in b'{[,:"']
    at = random.choice(places or [0]) + random.randint(0, 1)
    return text[:at] + random.choice(WORDS) + text[at:]


def _replaced(text: bytes, random: Random) -> bytes:
    """A value becomes another one; the rest stays JSON more often than not."""
    places = [at for at, byte in enumerate(text) if byte in b":["]
    start = random.choice(places or [0]) + 1
    try:
        _, length = json.JSONDecoder().raw_decode(text[start:].decode().lstrip())
    except ValueError:
        length = 1
    space = len(text[start:]) - len(text[start:].lstrip())
    return text[: start + space] + random.choice(VALUES) + text[start + space + length :]


_EDITS: tuple[Callable[[bytes, Random], bytes], ...] = (_truncated, _flipped, _put_in, _replaced, _replaced)


def twice(value: Any, random: Random, chance: float = 0.1) -> str:
    """JSON text in which some keys stand twice, the other value before or behind."""
    if isinstance(value, dict):
        pairs = []
        for key, inner in value.items():
            pairs.append((key, twice(inner, random, chance)))
            if random.random() < chance:
                other = json.dumps(scalar(random)) if random.random() < 0.7 else pairs[-1][1]
                pairs.insert(random.randint(0, len(pairs)), (key, other))
        return "{" + ",".join(f"{json.dumps(key)}:{said}" for key, said in pairs) + "}"
    if isinstance(value, list):
        return "[" + ",".join(twice(item, random, chance) for item in value) + "]"
    return json.dumps(value)


def scalar(random: Random) -> Any:
    return random.choice((None, True, False, 0, -1, 1.5, "", " ", "x", "user", "tool", "assistant", [], {}, "text"))


# -------------------------------------------------------------------------------------------------------------- objects


class Words(str):
    """A string of a class of its own."""

    __slots__ = ()


class Number(int):
    """An integer that writes itself in another way."""

    def __repr__(self) -> str:
        return "many"

    __str__ = __repr__


class Share(float):
    """A float that writes itself in another way."""

    def __repr__(self) -> str:
        return "some"


class Record(dict[str, Any]):
    """A dict of a class of its own."""


class Row(list[Any]):
    """A list of a class of its own."""


class Pair(tuple[Any, ...]):
    """A tuple of a class of its own."""

    __slots__ = ()


class Mode(enum.IntEnum):
    """An integer with a name."""

    FAST = 3


class Role(enum.StrEnum):
    """A string with a name."""

    USER = "user"


def nested(depth: int, kind: str = "list") -> Any:
    """A value `depth` levels deep."""
    value: Any = "x"
    for level in range(depth):
        value = {"a": value} if kind == "dict" or (kind == "both" and level % 2) else [value]
    return value


def nested_text(depth: int, kind: str = "list") -> str:
    """The same as JSON text."""
    opening, closing = ('{"a":', "}") if kind == "dict" else ("[", "]")
    return opening * depth + '"x"' + closing * depth


def knot(kind: str) -> Any:
    """A list, dict or pair of both that stands in itself."""
    if kind == "list":
        items: list[Any] = [1]
        items.append(items)
        return items
    record: dict[str, Any] = {"type": "text", "text": "x"}
    record["self" if kind == "dict" else "list"] = record if kind == "dict" else [record]
    return record


def generated() -> Iterator[Any]:
    yield {"role": "user", "content": "x"}


def value(random: Random) -> Any:
    """A value that hardly any code expects."""
    return random.choice(_MAKERS)(random)


_MAKERS: tuple[Callable[[Random], Any], ...] = (
    scalar,
    scalar,
    lambda _: math.nan,
    lambda _: -math.inf,
    lambda _: 10**5000,
    lambda _: -(10**4299),
    lambda _: 10**4300,
    lambda _: 2**63,
    lambda _: 1e300,
    lambda _: -0.0,
    lambda _: 5e-324,
    lambda _: "\ud800",
    lambda _: "a\udfff\0b",
    lambda _: "\0",
    lambda _: "x" * 100_000,
    lambda _: "é" * 70,
    lambda _: {1: "x"},
    lambda _: {None: "x", "a": 1},
    lambda _: {"a": {("b",): 1}},
    lambda _: {b"role": "user"},
    lambda _: {"\ud800": 1},
    lambda _: {"_private": {"role": "user"}},
    lambda _: {"": "", "~/": "a"},
    lambda random: knot(random.choice(("list", "dict", "both"))),
    lambda _: (),
    lambda _: ({"type": "text", "text": "x"},),
    lambda _: ((1, (2,)), [3]),
    lambda _: Words("user"),
    lambda _: Words("\ud800"),
    lambda _: Number(7),
    lambda _: Share(1.5),
    lambda _: Share(math.nan),
    lambda _: Mode.FAST,
    lambda _: Role.USER,
    lambda _: Record(type="text", text="x"),
    lambda _: Row([{"type": "text", "text": "x"}]),
    lambda _: Pair([{"type": "text", "text": "x"}]),
    lambda _: collections.OrderedDict(type="text", text="x"),
    lambda _: collections.defaultdict(list, type="text", text="x"),
    lambda _: {Words("type"): "text", Role.USER: 1, "text": Words("x")},
    lambda _: b"bytes",
    lambda _: bytearray(b"bytes"),
    lambda _: memoryview(b"bytes"),
    lambda _: generated(),
    lambda _: range(3),
    lambda _: {1, 2},
    lambda _: collections.deque([1]),
    lambda _: Decimal("1.5"),
    lambda _: Fraction(1, 2),
    lambda _: 1j,
    lambda _: Ellipsis,
    lambda _: object,
    lambda _: len,
    lambda _: object(),
    lambda random: nested(random.choice((199, 201, 480, 499, 520)), random.choice(("list", "dict", "both"))),
    lambda random: nested_text(random.choice((150, 199, 200, 201, 520)), "dict"),
    lambda _: '{"a":' + "9" * 5000 + "}",
    lambda _: '{"a":1e400,"b":"\\ud800","c":"\\u0000"}',
    lambda _: '{"a":1,"a":2}',
    lambda _: '{"a":NaN}',
    lambda _: [0] * 20_000,
    lambda _: [None] * 200,
    lambda _: [{"type": "text"}] * 200,
    lambda _: {str(number): number for number in range(2_000)},
)


def places(root: Any) -> list[tuple[Any, Any]]:
    """Every container of a tree of fresh dicts and lists, with each key or index."""
    found: list[tuple[Any, Any]] = []
    pending = [root]
    while pending:
        home = pending.pop()
        if isinstance(home, dict):
            found += [(home, key) for key in home]
            pending += home.values()
        elif isinstance(home, list):
            found += [(home, index) for index in range(len(home))]
            pending += home
    return found


def hostile_objects(random: Random) -> Any:
    """A transcript in which some values are of another kind, stand under other keys, or are there once more."""
    root = [transcript(random)]
    for _ in range(random.choice((1, 1, 2, 4))):
        found = places(root)
        home, place = random.choice(found)
        change = random.random()
        try:
            if change < 0.55:
                home[place] = value(random)
                if home is root:
                    break  # nothing is left to choose from
            elif change < 0.7 and isinstance(home, dict):
                home[random.choice(KEYS)] = home[place] if random.random() < 0.5 else value(random)
            elif change < 0.8 and isinstance(home, dict):
                home[random.choice(KEYS)] = home.pop(place)
            elif change < 0.9:
                del home[place]
            elif isinstance(home, list):
                home.insert(place, value(random) if random.random() < 0.7 else home[place])
            else:
                home[place] = (home[place],)
        except (TypeError, ValueError):
            continue
        if not root or _is_odd(root):
            break
    return root[0] if root else []


def _is_odd(root: Any) -> bool:
    """Whether there is a value in it that `places` cannot walk: one that stands in itself, or a large one."""
    seen: set[int] = set()
    pending = [root]
    while pending:
        home = pending.pop()
        if isinstance(home, (dict, list)):
            if id(home) in seen or len(home) > 100:
                return True
            seen.add(id(home))
            pending += home.values() if isinstance(home, dict) else home
    return False
