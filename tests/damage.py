"""Every kind of damage that a stored history can have, done in place. One `Random` decides everything."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from random import Random
from typing import Any

from histories import Message, Teller, exchange, name_of

Kind = Callable[[list[Any], Teller], None]
KINDS: list[Kind] = []
CALL_TYPES = ("toolCall", "tool_use")
RESULT_IDS = {"toolResult": "toolCallId", "tool": "tool_call_id"}
SYNTHETIC = "No result provided"


def damage(messages: list[Any], teller: Teller, count: int) -> None:
    """Damage a history in `count` ways."""
    for _ in range(count):
        teller.random.choice(KINDS)(messages, teller)


def kind(function: Kind) -> Kind:
    KINDS.append(function)
    return function


class Place:
    """A call or result: the list it stands in and its place there."""

    def __init__(self, home: list[Any], index: int, message: int) -> None:
        self.home = home
        self.index = index
        self.message = message

    @property
    def node(self) -> Message:
        made: Message = self.home[self.index]
        return made

    @property
    def id_key(self) -> str:
        if self.node.get("type") == "tool_result":
            return "tool_use_id"
        return RESULT_IDS.get(self.node.get("role", ""), "id")


def calls(messages: list[Any]) -> list[Place]:
    found = []
    for number, message in enumerate(messages):
        for key in ("content", "tool_calls") if isinstance(message, dict) else ():
            items = message.get(key)
            for index, item in enumerate(items if isinstance(items, list) else []):
                if isinstance(item, dict) and (key == "tool_calls" or item.get("type") in CALL_TYPES):
                    found.append(Place(items, index, number))
    return found


def results(messages: list[Any]) -> list[Place]:
    found = []
    for number, message in enumerate(messages):
        if not isinstance(message, dict):
            continue
        if message.get("role") in ("tool", "toolResult"):
            found.append(Place(messages, number, number))
        items = message.get("content")
        for index, item in enumerate(items if isinstance(items, list) else []):
            if isinstance(item, dict) and item.get("type") == "tool_result":
                found.append(Place(items, index, number))
    return found


def one(random: Random, found: list[Any]) -> Any:
    return random.choice(found) if found else None


def of_role(messages: list[Any], *roles: str) -> list[Message]:
    return [m for m in messages if isinstance(m, dict) and m.get("role") in roles]


def listed(message: Message) -> list[Any]:
    """The content of a message as a list, put in place."""
    content = message.get("content")
    if not isinstance(content, list):
        message["content"] = [{"type": "text", "text": content}] if isinstance(content, str) else []
    blocks: list[Any] = message["content"]
    return blocks


def insert(messages: list[Any], teller: Teller, item: Any) -> None:
    messages.insert(teller.random.randint(0, len(messages)), item)


def put_result(messages: list[Any], teller: Teller, result: Message) -> None:
    """A result anywhere: as a message, or as a block of a user message or of one of its own."""
    users = of_role(messages, "user")
    if "role" in result:
        insert(messages, teller, result)
    elif users and teller.random.random() < 0.6:
        blocks = listed(teller.random.choice(users))
        blocks.insert(teller.random.randint(0, len(blocks)), result)
    else:
        insert(messages, teller, {"role": "user", "content": [result]})


def odd(random: Random) -> Any:
    """A value that hardly belongs anywhere."""
    nested: Any = 1
    for _ in range(random.choice((3, 30, 190))):
        nested = {"a": nested} if random.random() < 0.5 else [nested]
    values: tuple[Any, ...] = (
        None, True, False, 0, -1.5, 9007199254740993, 1e300, "", " ", "\u3000\t", "\ufeff", "x", "\ud800", "a\0b",
        "null", "{}", '{"a":', '{"a":1,"a":2}', '{"a":NaN}', '{"a":1e999}', "[1]", "ü" * 70,
        [], {}, [[]], [None], [""], {"": ""},
        {"type": "text"}, {"type": "text", "text": ""}, {"type": "text", "text": "odd"}, {"type": 5}, nested,
        json.dumps(nested),
    )  # fmt: skip
    return copy.deepcopy(random.choice(values))


# ------------------------------------------------------------------------------------------------- calls and results


@kind
def result_missing(messages: list[Any], teller: Teller) -> None:
    place = one(teller.random, results(messages))
    if place is not None:
        del place.home[place.index]


@kind
def result_twice(messages: list[Any], teller: Teller) -> None:
    place = one(teller.random, results(messages))
    if place is None:
        return
    again = copy.deepcopy(place.node)
    if teller.random.random() < 0.6:
        again["content"] = teller.words()
    if teller.random.random() < 0.5:
        place.home.insert(place.index + 1, again)
    else:
        put_result(messages, teller, again)


@kind
def result_displaced(messages: list[Any], teller: Teller) -> None:
    place = one(teller.random, results(messages))
    if place is not None:
        put_result(messages, teller, place.home.pop(place.index))


@kind
def result_orphan(messages: list[Any], teller: Teller) -> None:
    put_result(messages, teller, teller.result(teller.id(), "bash"))


@kind
def result_synthetic(messages: list[Any], teller: Teller) -> None:
    place = one(teller.random, results(messages))
    if place is None:
        return
    made = teller.result(place.node.get(place.id_key), "bash", SYNTHETIC)
    made["isError" if "role" in made else "is_error"] = True
    if teller.dialect == "openai-chat":
        made.pop("isError", None)
    if teller.random.random() < 0.5:
        place.home[place.index] = made
    else:
        put_result(messages, teller, made)


@kind
def result_error(messages: list[Any], teller: Teller) -> None:
    place = one(teller.random, results(messages))
    if place is not None:
        place.node["isError" if teller.dialect == "apus" else "is_error"] = teller.random.choice(
            (True, False, None, "x")
        )


@kind
def result_content(messages: list[Any], teller: Teller) -> None:
    place = one(teller.random, results(messages))
    if place is None:
        return
    made: tuple[Any, ...] = (
        [teller.text(), teller.image()], [teller.image()], [teller.text(""), teller.text()], [teller.text(" ")], [], "",
        None,
        teller.text(), [teller.words()], [{"type": "document", "source": {"type": "text", "data": "odd"}}],
        [{"type": "tool_reference", "tool_name": "bash"}], odd(teller.random),
    )  # fmt: skip
    place.node["content"] = teller.random.choice(made)


@kind
def ids(messages: list[Any], teller: Teller) -> None:
    """A call, its result, or both get an id that is odd, foreign or another's."""
    random = teller.random
    place = one(random, calls(messages))
    if place is None:
        return
    old = place.node.get("id")
    others = [p.node.get("id") for p in calls(messages)]
    new: Any = random.choice(
        (None, "", "  ", 12, "x" * 200, "x" * 45, "a b", "call_1|fc_2", "ünï", f"{old} ", f" {old}", "\ud800x", "a\0b",
         "functions.bash:0", "toolu_01AbC", "call_1", "call_1", *others)
    )  # fmt: skip
    partners = [p for p in results(messages) if p.node.get(p.id_key) == old]
    which = random.random()
    for changed in [place] if which < 0.3 else partners[:1] if which < 0.5 else [place, *partners[:1]]:
        if new == "" and random.random() < 0.3:
            changed.node.pop(changed.id_key, None)
        else:
            changed.node[changed.id_key] = new


@kind
def ids_restart(messages: list[Any], _: Teller) -> None:
    """The provider counts from one on every turn."""
    number = 0
    last = -1
    known: dict[Any, str] = {}
    for place in calls(messages):
        number = number + 1 if place.message == last else 1
        last = place.message
        if isinstance(place.node.get("id"), str):
            known[place.node["id"]] = f"call_{number}"
            place.node["id"] = f"call_{number}"
    for place in results(messages):
        old = place.node.get(place.id_key)
        if isinstance(old, str) and old in known:
            place.node[place.id_key] = known[old]


@kind
def arguments(messages: list[Any], teller: Teller) -> None:
    place = one(teller.random, calls(messages))
    if place is None:
        return
    node = place.node
    home, key = node, "arguments" if "arguments" in node else "input"
    if isinstance(node.get("function"), dict):
        home, key = node["function"], "arguments"
    values = (odd(teller.random), f'{{"a": "{teller.words()}', json.dumps({"b": teller.words()}), {"c": teller.words()})
    home[key] = teller.random.choice(values)
    if teller.random.random() < 0.15:
        del home[key]
    if teller.random.random() < 0.1:
        node["partialJson"] = '{"a'


@kind
def names(messages: list[Any], teller: Teller) -> None:
    place = one(teller.random, calls(messages))
    if place is not None:
        home = place.node["function"] if isinstance(place.node.get("function"), dict) else place.node
        home["name"] = teller.random.choice((None, "", " ", "a b.c", "a_b.c", "x" * 250, 5, "工具", "fs:read", {}))


@kind
def call_again(messages: list[Any], teller: Teller) -> None:
    place = one(teller.random, calls(messages))
    if place is not None:
        place.home.insert(teller.random.randint(0, len(place.home)), copy.deepcopy(place.node))


@kind
def open_calls(messages: list[Any], teller: Teller) -> None:
    """A process that died: calls at the end, or anywhere, without an answer."""
    made = exchange(teller, teller.random.choice((1, 2)), reasoning=False)
    where = len(messages) if teller.random.random() < 0.6 else teller.random.randint(0, len(messages))
    messages[where:where] = made[: teller.random.choice((1, 1, 2))]


@kind
def text_behind_call(messages: list[Any], teller: Teller) -> None:
    message = one(teller.random, of_role(messages, "assistant"))
    if message is not None:
        listed(message).append(teller.text())


@kind
def legacy_function(messages: list[Any], teller: Teller) -> None:
    if teller.dialect != "openai-chat":
        return
    asked = {"name": "bash", "arguments": json.dumps({"c": teller.words()})}
    answer = {"role": "function", "name": "bash", "content": teller.words()}
    made: list[Message] = [{"role": "assistant", "content": None, "function_call": asked}, answer]
    where = teller.random.randint(0, len(messages))
    messages[where:where] = made[: teller.random.choice((1, 2, 2))]


# ------------------------------------------------------------------------------------------------ messages and blocks


@kind
def content(messages: list[Any], teller: Teller) -> None:
    message = one(teller.random, [m for m in messages if isinstance(m, dict)])
    if message is None:
        return
    said = teller.text()
    made = ("", " ", None, [], said, [said, teller.text("")], [teller.text(" ")], [said["text"]], odd(teller.random))
    message["content"] = teller.random.choice(made)
    if teller.random.random() < 0.1:
        del message["content"]


@kind
def blank_message(messages: list[Any], teller: Teller) -> None:
    made = teller.random.choice(("", " \n", [], None, [teller.text("")], [teller.text("\u200a"), teller.text(" ")]))
    insert(messages, teller, {"role": teller.random.choice(("user", "assistant")), "content": made})


@kind
def role(messages: list[Any], teller: Teller) -> None:
    message = one(teller.random, of_role(messages, "user", "assistant", "system", "tool", "toolResult"))
    if message is None:
        return
    roles = (
        "critic",
        None,
        "",
        3,
        "system",
        "developer",
        "user",
        "assistant",
        "tool",
        "function",
        "toolResult",
        "model",
    )
    message["role"] = teller.random.choice(roles)
    if teller.random.random() < 0.1:
        del message["role"]


@kind
def system(messages: list[Any], teller: Teller) -> None:
    made: Any = teller.random.choice((teller.words(), [teller.text(), teller.text()], [teller.text("")], "", []))
    where = 0 if teller.random.random() < 0.4 else teller.random.randint(0, len(messages))
    messages.insert(where, {"role": teller.random.choice(("system", "system", "developer")), "content": made})


@kind
def keys(messages: list[Any], teller: Teller) -> None:
    """Keys that no table lists, on a message or anywhere below it."""
    node = one(teller.random, nodes(messages, dict))
    if node is not None:
        node[teller.random.choice(("_private", "extra", "name", "timestamp", "cache_control", "id"))] = odd(
            teller.random
        )


@kind
def speaker(messages: list[Any], teller: Teller) -> None:
    message = one(teller.random, of_role(messages, "user", "assistant", "system"))
    if message is not None:
        message["name"] = teller.random.choice(("bob", "Ann Lee", "x" * 80, "日本", "", " ", None, 4))


@kind
def broken_string(messages: list[Any], teller: Teller) -> None:
    """A lone surrogate or NUL in any string, key or value."""
    node = one(teller.random, nodes(messages, dict))
    if not node:
        return
    bad = teller.random.choice(("\ud800", "\udfff", "\0"))
    key = teller.random.choice(list(node))
    if isinstance(node[key], str):
        node[key] = teller.random.choice((node[key] + bad, bad + node[key]))
    elif teller.random.random() < 0.3:
        node[f"{bad}key"] = node.get("text", "value")


@kind
def scalar(messages: list[Any], teller: Teller) -> None:
    insert(messages, teller, teller.random.choice((None, 3, "text", [], [{"role": "user", "content": "x"}], True, 1.5)))


@kind
def any_value(messages: list[Any], teller: Teller) -> None:
    """Any value of any object or list becomes an odd one, goes, or stands twice."""
    random = teller.random
    node = one(random, [n for n in nodes(messages, (dict, list)) if n])
    if node is None:
        return
    key = random.choice(list(node) if isinstance(node, dict) else range(len(node)))
    which = random.random()
    if which < 0.5:
        node[key] = odd(random)
    elif which < 0.8:
        del node[key]
    elif isinstance(node, list):
        node.insert(random.randint(0, len(node)), copy.deepcopy(node[key]))


@kind
def order(messages: list[Any], teller: Teller) -> None:
    """Messages go, stand twice, or change places."""
    if len(messages) < 2:
        return
    a, b = teller.random.sample(range(len(messages)), 2)
    which = teller.random.random()
    if which < 0.4:
        del messages[a]
    elif which < 0.6:
        messages.insert(b, copy.deepcopy(messages[a]))
    else:
        messages[a], messages[b] = messages[b], messages[a]


@kind
def tail(messages: list[Any], teller: Teller) -> None:
    """The end of the assistant's answer is given, or nothing but what it thought."""
    for _ in range(teller.random.choice((1, 1, 2))):
        said = teller.words() + teller.random.choice(("", "  ", "\n"))
        thoughts = [teller.thinking()] if teller.random.random() < 0.3 else []
        messages.append({"role": "assistant", "content": teller.random.choice((said, [*thoughts, teller.text(said)]))})
        if teller.random.random() < 0.2:
            messages[-1]["prefix"] = True


def nodes(value: Any, types: type | tuple[type, ...]) -> list[Any]:
    """The values of some types anywhere in a value."""
    found = []
    stack = [value]
    while stack:
        node = stack.pop()
        if isinstance(node, types) and node is not value:
            found.append(node)
        if isinstance(node, (dict, list)):
            stack.extend(node.values() if isinstance(node, dict) else node)
    return found


# ------------------------------------------------------------------------------------- reasoning, server tools, media


@kind
def reasoning(messages: list[Any], teller: Teller) -> None:
    message = one(teller.random, of_role(messages, "assistant", "assistant", "user"))
    if message is None:
        return
    random = teller.random
    if teller.dialect == "openai-chat" and message["role"] == "assistant" and random.random() < 0.7:
        message[random.choice(("reasoning_content", "reasoning"))] = random.choice(
            (teller.words(), "", None, odd(random))
        )
        return
    for _ in range(random.choice((1, 1, 2))):
        made = teller.thinking(random.choice(("c2lnbmVk", "", " ", "bad\ud800")))
        key = "thinkingSignature" if teller.dialect == "apus" else "signature"
        which = random.random()
        if which < 0.15:
            del made[key]
        elif which < 0.3:
            made["thinking"] = random.choice(("", None, " "))
        elif which < 0.45:
            made = {"type": "redacted_thinking", "data": random.choice(("Y2lwaGVy", "", None))}
        elif which < 0.5:
            made["cache_control"] = {"type": "ephemeral"}
        blocks = listed(message)
        blocks.insert(0 if random.random() < 0.6 else random.randint(0, len(blocks)), made)
        if random.random() < 0.3:
            blocks.insert(random.randint(0, len(blocks)), teller.text(random.choice(("", " "))))


@kind
def server_tools(messages: list[Any], teller: Teller) -> None:
    message = one(teller.random, of_role(messages, "assistant", "assistant", "assistant", "user"))
    if message is None or teller.dialect == "apus":
        return
    id = f"srvtoolu_{teller.id()}"
    found = [
        {
            "type": "web_search_result",
            "title": teller.words(),
            "url": "https://example.com",
            "encrypted_content": "Zm9v",
        }
    ]
    asked = {"type": "server_tool_use", "id": id, "name": "web_search", "input": {"query": teller.words()}}
    answer = {"type": "web_search_tool_result", "tool_use_id": id, "content": found}
    blocks = listed(message)
    where = teller.random.randint(0, len(blocks))
    made = [asked, answer] if teller.random.random() < 0.6 else [teller.random.choice((asked, answer))]
    blocks[where:where] = made


@kind
def other_blocks(messages: list[Any], teller: Teller) -> None:
    message = one(teller.random, of_role(messages, "user", "assistant", "system"))
    if message is None:
        return
    made: tuple[Message, ...] = (
        {"type": "tool_reference", "tool_name": "bash"},
        {"type": "container_upload", "file_id": "file_1"},
        {"type": "compaction", "content": teller.words()},
        {"type": "search_result", "source": "s", "title": "t", "content": [teller.text()]},
        {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": teller.words()}},
        {"type": "input_audio", "input_audio": {"data": "UklGRg==", "format": "wav"}},
        {"type": "video_url", "video_url": {"url": "https://example.com/v.mp4"}},
        {"type": "file", "file": {"filename": "a.pdf", "file_data": "data:application/pdf;base64,JVBERi0="}},
        {"type": "refusal", "refusal": teller.words()},
        {"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}},
        {"type": "hologram", "data": teller.words()},
        {"type": "tool_result", "tool_use_id": "nobody", "content": teller.words()},
        {"type": "tool_use", "id": "stray_1", "name": "bash", "input": {"a": teller.words()}},
        {"type": "toolCall", "id": "stray_2", "name": "bash", "arguments": {"a": teller.words()}},
    )
    blocks = listed(message)
    blocks.insert(teller.random.randint(0, len(blocks)), teller.random.choice(made))


@kind
def images(messages: list[Any], teller: Teller) -> None:
    message = one(teller.random, [m for m in messages if isinstance(m, dict)])
    if message is None:
        return
    blocks = listed(message)
    for _ in range(teller.random.choice((1, 1, 3))):
        image = teller.image()
        if teller.random.random() < 0.15:
            holder = image.get("source", image)
            holder["mimeType" if "mimeType" in holder else "media_type"] = teller.random.choice(
                ("image/jpg", "image/bmp", None)
            )
        blocks.insert(teller.random.randint(0, len(blocks)), image)


@kind
def cache_marks(messages: list[Any], teller: Teller) -> None:
    found = [n for n in nodes(messages, dict) if isinstance(n.get("type"), str) and n["type"] != "base64"]
    for node in teller.random.sample(found, min(len(found), teller.random.choice((1, 3, 8)))):
        node["cache_control"] = {"type": "ephemeral"}
        if teller.random.random() < 0.4:
            node["cache_control"]["ttl"] = teller.random.choice(("5m", "1h"))


# --------------------------------------------------------------------------------------------- facts of a stored turn


@kind
def stop_reason(messages: list[Any], teller: Teller) -> None:
    message = one(teller.random, of_role(messages, "assistant"))
    if message is None:
        return
    if teller.dialect == "apus":
        message["stopReason"] = teller.random.choice(("error", "aborted", "length", "stop", "toolUse", None, 4))
    else:
        message["stop_reason"] = teller.random.choice(("max_tokens", "pause_turn", "end_turn"))


@kind
def stored_turns(messages: list[Any], teller: Teller) -> None:
    if teller.dialect != "apus":
        return
    random = teller.random
    said = [teller.text()]
    route = {"api": "anthropic-messages", "provider": "anthropic", "model": "claude-opus-4-6"}
    made: tuple[Message, ...] = (
        {"role": "assistant", "content": [], "stopReason": "error", "errorMessage": "boom"},
        {"role": "assistant", "content": [teller.text("[assistant turn failed before producing content]")]},
        {"role": "assistant", "content": [teller.thinking()], "stopReason": "length", **route},
        {"role": "assistant", "content": [teller.thinking(), teller.text("NO_REPLY")], "stopReason": "stop", **route},
        {"role": "assistant", "content": [teller.text(" no_reply. ")], "stopReason": "stop"},
        {"role": "assistant", "content": said, "provider": "openclaw", "model": "delivery-mirror"},
        {"role": "assistant", "content": said, "provider": "openai", "model": "gpt-5", "stopReason": "stop"},
        {"role": "assistant", "content": [teller.thinking(), *said], "stopReason": "stop", **route},
        {"role": "compactionSummary", "summary": teller.words(), "tokensBefore": 9},
        {"role": "branchSummary", "summary": teller.words(), "fromId": "e1"},
        {
            "role": "bashExecution",
            "command": teller.words(),
            "output": teller.words(),
            "exitCode": 0,
            "cancelled": False,
        },
        {"role": "custom", "customType": "note", "content": teller.words(), "display": True},
        {"role": "custom", "customType": "openclaw.runtime-context", "content": teller.words(), "display": False},
        {"role": "custom", "customType": "x", "content": said, "display": True, "excludeFromContext": True},
        {
            "role": "user",
            "content": teller.words(),
            "provenance": {"kind": "inter_session", "sourceSessionKey": "agent:a b"},
        },
        {"role": "user", "content": [teller.image()], "provenance": {"kind": "inter_session"}},
    )
    insert(messages, teller, random.choice(made))


@kind
def mirror(messages: list[Any], teller: Teller) -> None:
    """A delivery mirror repeats what the turn before it said."""
    if teller.dialect != "apus":
        return
    found = [n for n, m in enumerate(messages) if isinstance(m, dict) and m.get("role") == "assistant"]
    where = one(teller.random, found)
    if where is not None:
        again = copy.deepcopy(messages[where])
        messages.insert(where + 1, {**again, "provider": "openclaw", "model": "delivery-mirror"})


@kind
def batch(messages: list[Any], teller: Teller) -> None:
    """Calls of one turn spread over neighbouring assistants, results in another order or one a message."""
    made = exchange(teller, 3, reasoning=False)
    asked, answers = made[0], made[1:]
    if teller.random.random() < 0.5:
        for key in ("content", "tool_calls"):
            items = asked.get(key)
            if isinstance(items, list) and len(items) > 1:
                answers.insert(0, {**copy.deepcopy(asked), key: items[-1:]})
                del items[-1:]
    if teller.random.random() < 0.5:
        teller.random.shuffle(answers)
    where = teller.random.randint(0, len(messages))
    messages[where:where] = [asked, *answers]


@kind
def one_result_a_message(messages: list[Any], teller: Teller) -> None:
    for number in range(len(messages) - 1, -1, -1):
        blocks = messages[number].get("content") if isinstance(messages[number], dict) else None
        if not isinstance(blocks, list) or len(blocks) < 2 or teller.random.random() < 0.5:
            continue
        if all(isinstance(b, dict) and b.get("type") == "tool_result" for b in blocks):
            messages[number : number + 1] = [{"role": "user", "content": [b]} for b in blocks]


__all__ = ["KINDS", "damage", "name_of"]
