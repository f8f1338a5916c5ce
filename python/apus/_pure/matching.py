"""Matching: which result answers which call. Mirrors `rust/core/src/matching.rs`.

Calls and results are matched once, by occurrence and never by a global set of ids: providers restart their ids on each
turn. Rules 3 to 6 and 10 read this matching; none of them matches again.
"""

from __future__ import annotations

from collections import deque

from .outline import BlockKind, Role
from .plan import Fate, Frame, Piece, Plan, Slot
from .source import same


def results_of(slots: list[Slot]) -> list[Piece]:
    """The result pieces of some slots, in order."""
    return [p for slot in slots for p in slot.pieces if p.kind == BlockKind.RESULT]


def match(plan: Plan, *, strict: bool, server_state: bool) -> None:
    """Match every result of the plan to a call, or say why none owns it."""
    preface, groups = _groups(plan.slots)
    frames = [f for members, zone in groups for f in _frames(members, zone)]
    matcher = _Matcher(plan, strict=strict)
    if not server_state:
        for result in results_of(preface):
            result.fate = Fate.ORPHAN
    for frame in frames:
        matcher.match_frame(frame, keep_orphans=server_state)
    plan.frames = frames


def _groups(slots: list[Slot]) -> tuple[list[Slot], list[tuple[list[Slot], list[Slot]]]]:
    """What stands before the first call, then each run of neighbouring assistants with calls and what follows it."""
    preface: list[Slot] = []
    groups: list[tuple[list[Slot], list[Slot]]] = []
    for slot in slots:
        if slot.role == Role.ASSISTANT and slot.has(BlockKind.CALL):
            if groups and not groups[-1][1]:
                groups[-1][0].append(slot)
            else:
                groups.append(([slot], []))
        elif groups:
            groups[-1][1].append(slot)
        else:
            preface.append(slot)
    return preface, groups


def _frames(members: list[Slot], zone: list[Slot]) -> list[Frame]:
    """A run counts as one frame if each of its calls is answered behind the last of them."""
    if len(members) == 1 or _answered(members, zone):
        return [Frame(members, zone)]
    return [*(Frame([slot], []) for slot in members[:-1]), Frame([members[-1]], zone)]


def _answered(members: list[Slot], zone: list[Slot]) -> bool:
    given: dict[str | None, int] = {}
    for result in results_of(zone):
        key = result.block.id if result.block is not None else None
        given[key] = given.get(key, 0) + 1
    for slot in members:
        for piece in slot.pieces:
            if piece.kind == BlockKind.CALL:
                left = given.get(piece.id, 0)
                if not left:
                    return False
                given[piece.id] = left - 1
    return True


# A repeated result is looked for among the first calls of its id: a turn that repeats one id more often is a loop.
COMPARED = 8


class _Matcher:
    """What is known of the frames before the present one."""

    def __init__(self, plan: Plan, *, strict: bool) -> None:
        self.plan = plan
        self.strict = strict
        self.known: set[str | None] = set()  # only what came earlier counts, so that nothing sent changes later
        self.unresolved: dict[str, list[Piece]] = {}
        self.resolved: dict[str, Piece] = {}

    def match_frame(self, frame: Frame, *, keep_orphans: bool) -> None:
        calls = frame.calls()
        waiting: dict[str | None, deque[Piece]] = {}
        owners: dict[str | None, list[Piece]] = {}
        for call in calls:
            self.known.add(call.id)
            waiting.setdefault(call.id, deque()).append(call)
            owners.setdefault(call.id, []).append(call)
        weak: dict[str | None, deque[Piece]] = {}  # calls that have but a synthetic result
        left: list[Piece] = []
        for result in results_of(frame.zone):
            key = _key(result)
            if waiting.get(key):
                call = waiting[key].popleft()
                _bind(call, result)
                if result.synthetic:
                    weak.setdefault(key, deque()).append(call)
            elif key in owners:
                self._second(owners[key], weak.get(key), result)
            else:
                left.append(result)
        left = self._adopt(frame, calls, left)
        for result in left:
            self._displaced(result, keep_orphans=keep_orphans)
        for call in calls:
            if call.id is None:
                continue
            if call.result is None or call.result.synthetic:
                self.unresolved.setdefault(call.id, []).append(call)
            else:
                self.resolved[call.id] = call

    def _adopt(self, frame: Frame, calls: list[Piece], left: list[Piece]) -> list[Piece]:
        """Results without an id of this transcript answer the open calls in order, if nothing speaks against it."""
        open_calls = [c for c in calls if c.result is None]
        foreign = [r for r in left if _key(r) is None or _key(r) not in self.known]
        if open_calls and foreign and _is_late(frame, foreign[-1]):
            # Before it arrived, the others may have been told apart in another way.
            self.plan.moved_prefix["late_result"] = None
        if not open_calls or len(open_calls) != len(foreign) or not all(map(_agree, open_calls, foreign)):
            return left
        for call, result in zip(open_calls, foreign, strict=True):
            _bind(call, result)
            result.adopted = True
        return [r for r in left if r.call is None]

    def _displaced(self, result: Piece, *, keep_orphans: bool) -> None:
        """A result that no call of its frame can own moves back to the one earlier occurrence that lacks a real one."""
        key = _key(result)
        waiting = self.unresolved.get(key, []) if key is not None else []
        if len(waiting) == 1 and not (result.synthetic and waiting[0].result is not None):
            call = waiting[0]
            if call.result is not None:
                _replace(call, result)
            else:
                _bind(call, result)
            result.moved = True
            if not result.synthetic:
                self._resolve(call)
        elif len(waiting) == 1:
            result.fate = Fate.DUPLICATE
            result.call = waiting[0]
        elif waiting:
            result.fate = Fate.AMBIGUOUS
        elif key is not None and key in self.resolved:
            self._second([self.resolved[key]], None, result)
            result.moved = result.fate == Fate.KEPT
        elif not keep_orphans:
            result.fate = Fate.ORPHAN

    def _resolve(self, call: Piece) -> None:
        if call.id is not None:
            self.unresolved.pop(call.id)
            self.resolved[call.id] = call

    def _second(self, owners: list[Piece], weak: deque[Piece] | None, result: Piece) -> None:
        """A further result for an occurrence that has one; a real one replaces a synthetic one."""
        if not result.synthetic and weak:
            _replace(weak.popleft(), result)
            return
        result.call = owners[-1]
        if result.synthetic or any(_says_the_same(c.result, result) for c in owners[:COMPARED]):
            result.fate = Fate.DUPLICATE
        elif self.strict:
            _replace(owners[-1], result)
        else:
            result.fate = Fate.LATE


def _is_late(frame: Frame, result: Piece) -> bool:
    """Whether an assistant message stands between a frame and a result."""
    for slot in frame.zone:
        if slot.role == Role.ASSISTANT:
            return True
        if any(p is result for p in slot.pieces):
            return False
    return False


def _key(result: Piece) -> str | None:
    return result.block.id if result.block is not None else None


def _bind(call: Piece, result: Piece) -> None:
    call.result = result
    result.call = call


def _replace(call: Piece, result: Piece) -> None:
    """`result` becomes the result of `call`; the one it had goes."""
    old = call.result
    if old is not None:
        old.fate = Fate.REPLACED if old.synthetic else Fate.DUPLICATE
        result.replaced = old if old.synthetic else None
    _bind(call, result)


def _agree(call: Piece, result: Piece) -> bool:
    """The recorded names agree; a result with a foreign id needs one."""
    name = result.block.name if result.block is not None else None
    return name == call.name if name is not None else _key(result) is None


def _says_the_same(a: Piece | None, b: Piece) -> bool:
    if a is None or a.block is None or b.block is None or len(a.block.inner) != len(b.block.inner):
        return False
    pairs = zip(a.block.inner, b.block.inner, strict=True)
    return a.block.error == b.block.error and all(
        x.kind == y.kind and same(x.text if x.text is not None else x.node, y.text if y.text is not None else y.node)
        for x, y in pairs
    )
