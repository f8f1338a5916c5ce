"""Random histories: valid ones of each dialect, in its own shape. One `Random` decides everything."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from random import Random
from typing import Any

Message = dict[str, Any]
DIALECTS = ("apus", "openai-chat", "anthropic-messages")
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789"
TOOLS = ("read_file", "bash", "search", "edit", "web_fetch")


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


_HEADER = struct.pack(">IIBBBBB", 2, 2, 8, 2, 0, 0, 0)
_PIXELS = zlib.compress(b"\0" + b"\x10\x20\x30" * 2 + b"\0" + b"\x40\x50\x60" * 2)
PNG = base64.b64encode(
    b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", _HEADER) + _chunk(b"IDAT", _PIXELS) + _chunk(b"IEND", b"")
).decode()


class Teller:
    """Makes texts with a mark each, ids, and the messages of one dialect."""

    def __init__(self, random: Random, dialect: str) -> None:
        self.random = random
        self.dialect = dialect
        self.count = 0

    def words(self) -> str:
        """A text that nothing else equals: `mk<number>q` finds it again."""
        self.count += 1
        verb, what = self.random.choice(("says", "does", "wants")), self.random.choice(("a", "é", "日本", "😀"))
        return f"mk{self.count}q {verb} {what}"

    def id(self) -> str:
        """A call id that every server takes."""
        self.count += 1
        return "".join(self.random.choices(LETTERS, k=5)) + f"{self.count:04d}"

    def text(self, said: str | None = None) -> Message:
        return {"type": "text", "text": self.words() if said is None else said}

    def image(self) -> Message:
        if self.dialect == "apus":
            return {"type": "image", "data": PNG, "mimeType": "image/png"}
        if self.dialect == "openai-chat":
            return {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}}
        return {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}

    def thinking(self, signature: str = "c2lnbmVkQnlTb21lb25l") -> Message:
        said = self.words()
        if self.dialect == "apus":
            return {"type": "thinking", "thinking": said, "thinkingSignature": signature}
        return {"type": "thinking", "thinking": said, "signature": signature}

    def call(self, id: str, name: str | None = None) -> Message:
        name = name or self.random.choice(TOOLS)
        asked = {"path": self.words(), "n": self.random.choice((1, 2.5, True, None, [1, {}]))}
        if self.dialect == "apus":
            return {"type": "toolCall", "id": id, "name": name, "arguments": asked}
        if self.dialect == "openai-chat":
            said = json.dumps(asked, ensure_ascii=self.random.random() < 0.5)
            return {"id": id, "type": "function", "function": {"name": name, "arguments": said}}
        return {"type": "tool_use", "id": id, "name": name, "input": asked}

    def result(self, id: str, name: str, said: str | None = None) -> Message:
        """A result: a message of its own, or a block where the dialect wants one."""
        said = self.words() if said is None else said
        if self.dialect == "apus":
            return {
                "role": "toolResult",
                "toolCallId": id,
                "toolName": name,
                "content": [self.text(said)],
                "isError": False,
            }
        if self.dialect == "openai-chat":
            return {"role": "tool", "tool_call_id": id, "content": said}
        return {"type": "tool_result", "tool_use_id": id, "content": said}

    def user(self, parts: int = 1) -> Message:
        if parts == 1 and self.random.random() < 0.6:
            return {"role": "user", "content": self.words()}
        return {"role": "user", "content": [self.text() for _ in range(parts)]}

    def assistant(self, calls: list[Message], *, spoken: bool = True, thoughts: list[Message] | None = None) -> Message:
        said = [self.text()] if spoken else []
        if self.dialect == "openai-chat":
            content: Any = said[0]["text"] if said else None
            made: Message = {"role": "assistant", "content": content}
            if thoughts:
                made["reasoning_content"] = self.words()
            if calls:
                made["tool_calls"] = calls
            return made
        message: Message = {"role": "assistant", "content": [*(thoughts or ()), *said, *calls]}
        if self.dialect == "apus":
            message["stopReason"] = "toolUse" if calls else "stop"
        return message


def name_of(call: Message) -> str:
    """The tool that a valid call names."""
    return str(call["function"]["name"] if "function" in call else call["name"])


def valid(teller: Teller, turns: int, *, reasoning: bool = False, images: bool = False) -> list[Message]:
    """A history that every target of its dialect takes: user first, turns alternate, each call answered at once."""
    random = teller.random
    messages: list[Message] = []
    for _ in range(turns):
        user = teller.user(random.choice((1, 1, 2)))
        if images and random.random() < 0.3:
            content = user["content"]
            user["content"] = [*([teller.text(content)] if isinstance(content, str) else content), teller.image()]
        messages.append(user)
        for _ in range(random.choice((0, 1, 1, 2))):
            messages += exchange(teller, random.choice((1, 1, 2, 3)), reasoning=reasoning)
        messages.append(teller.assistant([], thoughts=[teller.thinking()] if reasoning else None))
    messages.append(teller.user())
    if random.random() < 0.5:
        messages += exchange(teller, random.choice((1, 2)), reasoning=reasoning)
    return messages


def exchange(teller: Teller, calls: int, *, reasoning: bool) -> list[Message]:
    """An assistant message with calls, and their results."""
    made = [teller.call(teller.id()) for _ in range(calls)]
    thoughts = [teller.thinking()] if reasoning else None
    asked = teller.assistant(made, spoken=teller.random.random() < 0.7, thoughts=thoughts)
    results = [teller.result(c["id"], name_of(c)) for c in made]
    if teller.dialect == "anthropic-messages":
        return [asked, {"role": "user", "content": results}]
    return [asked, *results]


def entries(random: Random, messages: list[Any]) -> list[Any]:
    """The messages as a session file holds them: entries with parents, a header, and now and then another branch."""
    made: list[Any] = [{"type": "session", "version": 3, "id": "session"}] if random.random() < 0.8 else []
    parent: str | None = None
    for number, message in enumerate(messages):
        if random.random() < 0.1:
            made.append({"type": "model_change", "id": f"c{number}", "parentId": parent, "modelId": "m"})
            parent = f"c{number}"
        if random.random() < 0.05:
            off = {"role": "user", "content": "another branch"}
            made.append({"type": "message", "id": f"b{number}", "parentId": parent, "message": off})
        made.append({"type": "message", "id": f"e{number}", "parentId": parent, "message": message})
        parent = f"e{number}"
    return made
