"""Session files: what is recognised, what is recovered, and that nothing is rewritten."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from apus.errors import TranscriptError
from apus.session_files import SessionFile, read_session, read_sessions

DATA = Path(__file__).parent / "data"
HEADER = b'{"type":"session","version":3,"id":"s"}'
ONE = b'{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"\xc3\xa9 \\u00e9"}}'
TWO = b'{"type":"message","id":"b","parentId":"a","message":{"role":"user","content":"n","n":9007199254740993e400}}'
USER = b'{"role":"user","content":"hi"}'
BODY = b'{"model":"m","messages":[' + USER + b'],"temperature":0.10}'


def read(data: bytes) -> SessionFile:
    return read_session(data, "s.jsonl")


def error_of(data: bytes) -> TranscriptError:
    with pytest.raises(TranscriptError) as caught:
        read(data)
    return caught.value


class TestEntries:
    def test_lines_are_copied_byte_for_byte(self) -> None:
        session = read(b"\n".join([HEADER, ONE, TWO, b""]))
        assert session.content == b"[" + b",".join([HEADER, ONE, TWO]) + b"]"
        assert (session.dialect, session.notes, session.damaged, session.is_body) == ("apus", (), 0, False)
        assert session.lines == (1, 2, 3)

    def test_a_file_without_header_is_a_session_too(self) -> None:
        assert read(ONE + b"\n" + TWO).dialect == "apus"

    def test_entries_that_come_before_the_first_message(self) -> None:
        change = b'{"type":"model_change","timestamp":"t","provider":"p","modelId":"m"}'
        assert read(change + b"\n" + ONE).dialect == "apus"

    def test_blank_lines_carriage_returns_and_a_byte_order_mark(self) -> None:
        session = read(b"\xef\xbb\xbf" + HEADER + b"\r\n\r\n  \n" + ONE + b"\r\n\n")
        assert session.content == b"[" + HEADER + b"," + ONE + b"]"
        assert (session.notes, session.lines) == ((), (1, 4))

    def test_one_entry_is_a_session(self) -> None:
        assert read(HEADER + b"\n").content == b"[" + HEADER + b"]"

    def test_a_real_session(self) -> None:
        data = (DATA / "pi-session.jsonl").read_bytes()
        session = read(data)
        assert session.content == b"[" + b",".join(data.splitlines()) + b"]"
        assert (session.notes, len(session.lines)) == ((), 52)


class TestTornFiles:
    def test_half_a_record_at_the_end(self) -> None:
        session = read(b"\n".join([HEADER, ONE, TWO[:40]]))
        assert session.content == b"[" + HEADER + b"," + ONE + b"]"
        assert session.notes == ("line 3: half a record at the end was dropped (40 bytes)",)
        assert session.damaged == 1

    def test_half_a_character_at_the_end(self) -> None:
        session = read(HEADER + b"\n" + ONE[: ONE.index(b"\xc3") + 1])
        assert session.content == b"[" + HEADER + b"]"
        assert ["became U+FFFD" in note for note in session.notes] == [True, False]
        assert session.damaged == 1

    def test_half_a_record_in_the_middle(self) -> None:
        session = read(b"\n".join([HEADER, ONE[:30], TWO]))
        assert session.content == b"[" + HEADER + b"," + TWO + b"]"
        assert session.notes == ("line 2: a torn record was dropped (30 bytes)",)

    def test_two_records_on_one_line(self) -> None:
        session = read(HEADER + b"\n" + ONE + TWO + b"\n")
        assert session.content == b"[" + HEADER + b"," + ONE + b"," + TWO + b"]"
        assert session.notes == (f"line 2: 2 records on one line were told apart ({len(ONE + TWO)} bytes)",)
        assert session.lines == (1, 2, 2)

    def test_half_a_record_and_a_whole_one_behind_it(self) -> None:
        session = read(b"\n".join([HEADER, ONE, TWO[:40] + TWO, ONE]))
        assert session.content == b"[" + b",".join([HEADER, ONE, TWO, ONE]) + b"]"
        assert session.notes == ("line 3: a torn record was dropped (40 bytes); 1 record on that line kept",)

    def test_a_whole_record_and_half_a_one_behind_it(self) -> None:
        session = read(b"\n".join([HEADER, ONE + TWO[:40]]))
        assert session.content == b"[" + HEADER + b"," + ONE + b"]"
        assert session.notes == ("line 2: half a record at the end was dropped (40 bytes); 1 record on that line kept",)

    def test_several_records_around_torn_ones(self) -> None:
        session = read(b"\n".join([HEADER, ONE, TWO[:40] + ONE + TWO[:50] + TWO + ONE[:20]]))
        assert session.content == b"[" + b",".join([HEADER, ONE, ONE, TWO]) + b"]"
        assert session.notes == ("line 3: a torn record was dropped (110 bytes); 2 records on that line kept",)

    def test_zeros_of_a_crash_before_a_record(self) -> None:
        session = read(b"\n".join([HEADER, ONE, b"\0" * 8 + TWO]))
        assert session.content == b"[" + b",".join([HEADER, ONE, TWO]) + b"]"

    def test_a_value_inside_a_torn_record_is_no_record(self) -> None:
        inner = b'{"role":"user","content":"inner"}'
        torn = b'{"role":"tool","content":[' + inner + b",7"
        session = read(b"\n".join([inner, torn, inner]))
        assert session.content == b"[" + inner + b"," + inner + b"]"

    def test_bytes_that_are_not_utf_8(self) -> None:
        session = read(HEADER + b"\n" + ONE.replace(b"\xc3\xa9", b"\xff"))
        assert session.content == b"[" + HEADER + b"," + ONE.replace(b"\xc3\xa9", "\ufffd".encode()) + b"]"
        assert session.notes == (f"line 2: bytes that are not UTF-8 became U+FFFD ({len(ONE) - 1} bytes)",)

    @pytest.mark.parametrize("bad", [b'{"a":NaN}', b'{"a":-Infinity}', b'{"a":01}', b'{"a":"\x01"}', b"{'a':1}"])
    def test_what_is_no_json_is_dropped(self, bad: bytes) -> None:
        session = read(b"\n".join([HEADER, bad, ONE]))
        assert session.content == b"[" + HEADER + b"," + ONE + b"]"
        assert session.notes == (f"line 2: a torn record was dropped ({len(bad)} bytes)",)

    def test_an_integer_of_any_length_is_kept(self) -> None:
        line = b'{"type":"message","message":{"role":"user","n":' + b"9" * 10_000 + b"}}"
        assert read(HEADER + b"\n" + line).content == b"[" + HEADER + b"," + line + b"]"

    def test_hostile_lines_cost_linear_time(self) -> None:
        hostile = [ONE[:-1] * 3000, b'{"type":"messa' * 30_000, b'{"' * 100_000, ONE * 2000, b"[" * 900 + ONE]
        start = time.perf_counter()
        read(b"\n".join([ONE, *hostile]))
        assert time.perf_counter() - start < 5

    def test_nesting_that_no_reader_takes(self) -> None:
        assert error_of(HEADER + b"\n" + b"[" * 100_000).kind == "too_deep"
        assert error_of(b"[" * 100_000).kind == "too_deep"


class TestOtherFiles:
    def test_jsonl_of_messages(self) -> None:
        session = read(USER + b"\n" + USER)
        assert (session.content, session.dialect) == (b"[" + USER + b"," + USER + b"]", None)

    @pytest.mark.parametrize(
        "line",
        [
            b'{"role":"user","parts":[{"text":"x"}]}',
            b'{"parts":[{"text":"x"}]}',
            b'{"type":"function_call","call_id":"c","name":"n","arguments":"{}"}',
            b'{"type":"compaction","encrypted_content":"x"}',
        ],
    )
    def test_jsonl_of_contents_and_items(self, line: bytes) -> None:
        assert read(line + b"\n" + line).content == b"[" + line + b"," + line + b"]"

    def test_values_that_are_no_messages_are_left_to_the_core(self) -> None:
        assert read(b"7\n" + USER).content == b"[7," + USER + b"]"

    def test_bookkeeping_rows_of_a_context_file(self) -> None:
        session = read(b'{"role": "_checkpoint", "id": 0}\n' + USER + b'\n{"role":"_usage"}')
        assert (session.content, session.dialect) == (b"[" + USER + b"]", "kimi")
        assert session.notes == ("2 rows of bookkeeping left out",)

    @pytest.mark.parametrize("array", [b"[]", b"[" + USER + b"]", b"[\n " + USER + b",\n 1e400\n]"])
    def test_a_json_array(self, array: bytes) -> None:
        assert read(b"\n" + array + b"\n") == SessionFile("s.jsonl", array)

    def test_a_torn_array_is_left_to_the_core(self) -> None:
        assert read(b"[" + USER + b",").content == b"[" + USER + b","

    @pytest.mark.parametrize("body", [BODY, BODY.replace(b",", b",\n "), b'{"input":[]}', b'{"contents":[]}'])
    def test_a_request_body(self, body: bytes) -> None:
        assert read(body + b"\n") == SessionFile("s.jsonl", body, is_body=True)

    def test_jsonl_of_bodies(self) -> None:
        found = read_sessions(BODY + b"\n" + USER + b"\n" + BODY, "s.jsonl")
        assert [(one.name, one.content, one.is_body) for one in found] == [
            ("s.jsonl:1", BODY, True),
            ("s.jsonl:3", BODY, True),
        ]
        assert found[0].notes == ("line 2: a message among requests left out (30 bytes)",)
        assert found[1].notes == ()

    def test_jsonl_of_lists(self) -> None:
        found = read_sessions(b"[" + USER + b"]\n[" + USER + b"]", "s.jsonl")
        assert [(one.content, one.is_body) for one in found] == [(b"[" + USER + b"]", False)] * 2

    def test_recorded_requests(self) -> None:
        lines = [
            b'{"kind": "gemini", "status": 200, "request": {"contents": [ ]}}',
            b'{"kind": "new", "status": 400, "request": ' + BODY + b"}",
            b'{"request": ' + BODY + b"}",
        ]
        found = read_sessions(b"\n".join(lines), "r.jsonl")
        assert [(one.name, one.content, one.dialect) for one in found] == [
            ("r.jsonl:1", b'{"contents": [ ]}', "google-generative-ai"),
            ("r.jsonl:2", BODY, None),
            ("r.jsonl:3", BODY, None),
        ]

    def test_one_recorded_request_keeps_the_name_of_its_file(self) -> None:
        assert read(b'{"kind":"anthropic","request":' + BODY + b"}").name == "s.jsonl"

    def test_several_transcripts_where_one_is_expected(self) -> None:
        assert str(error_of(BODY + b"\n" + BODY)) == "s.jsonl holds 2 transcripts; expected one"


def line(kind: str, content: str, **fields: object) -> bytes:
    """A line of a Claude Code session."""
    extra = {"message_id": None} | fields
    identity = extra.pop("message_id")
    message = f'{{"role":"{kind}",' + (f'"id":"{identity}",' if identity else "") + f'"content":{content}}}'
    head = {"isSidechain": False, "type": kind} | extra
    return (json.dumps(head)[:-1] + f', "message": {message}}}').encode()


class TestClaudeCode:
    def test_lines_of_one_message_are_merged(self) -> None:
        session = read(
            b"\n".join(
                [
                    b'{"type":"summary","summary":"s","leafUuid":"u"}',
                    line("user", '"go"'),
                    line("assistant", '[{"type":"tool_use", "id":"a", "name":"n", "input":{"n":1e9}}]', message_id="m"),
                    line("user", '[{"type":"tool_result","tool_use_id":"a","content":"r"}]'),
                    line("assistant", '[{"type":"tool_use","id":"b","name":"n","input":{}}]', message_id="m"),
                    line("assistant", '"done"', message_id="n"),
                    line("assistant", '"!"', message_id="n"),
                    line("assistant", '"no id"'),
                    line("assistant", "[ ]", message_id="k"),
                ]
            )
        )
        assert session.content.decode() == (
            '[{"role":"user","content":"go"},{"role":"assistant","content":['
            '{"type":"tool_use", "id":"a", "name":"n", "input":{"n":1e9}},'
            '{"type":"tool_use","id":"b","name":"n","input":{}}]},'
            '{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"r"}]},'
            '{"role":"assistant","content":[{"type":"text","text":"done"},{"type":"text","text":"!"}]},'
            '{"role":"assistant","content":"no id"},{"role":"assistant","content":[]}]'
        )
        assert (session.dialect, session.notes) == ("anthropic-messages", ("1 line without a message left out",))

    def test_what_was_not_sent_is_left_out_and_said(self) -> None:
        session = read(
            b"\n".join(
                [
                    line("user", '"a"', uuid="1"),
                    line("user", '"a"', uuid="1"),
                    line("assistant", '"side"', isSidechain=True),
                    line("assistant", '"API Error"', isApiErrorMessage=True),
                    line("assistant", '"b"', message_id="m"),
                    b'{"type":"file-history-snapshot"}',
                    b'{"type":"user","isSidechain":false,"message":{"role":"other"}}',
                    line("user", '"summary"', isCompactSummary=True),
                    line("assistant", '"c"', message_id="m"),
                ]
            )
        )
        assert session.content == b'[{"role":"user","content":"summary"},{"role":"assistant","content":"c"}]'
        assert session.notes == (
            "2 lines without a message left out",
            "1 line stored twice left out",
            "1 line of side chains left out",
            "1 line with an error of the provider left out",
            "2 lines that a later summary stands for left out",
        )

    def test_the_file_of_a_sub_agent_is_a_session(self) -> None:
        assert read(line("user", '"side"', isSidechain=True)).content == b'[{"role":"user","content":"side"}]'


class TestErrors:
    @pytest.mark.parametrize(
        ("data", "kind", "sentence"),
        [
            (b" \n", "not_a_transcript", "s.jsonl is empty"),
            (b"\xff\xfe{\0", "not_json", "s.jsonl begins with a UTF-16 mark; expected UTF-8"),
            (b"hello\nworld", "not_a_transcript", "s.jsonl holds no JSON"),
            (b"1\n2", "not_a_transcript", "s.jsonl holds JSON, but no transcript"),
            (b'{"a":1}', "not_a_transcript", "s.jsonl holds JSON, but no transcript"),
            (b'{"timestamp":"t","type":"session_meta","payload":{}}', "unknown_dialect", "s.jsonl is a Codex rollout"),
            (
                b'{"type":"session.start","data":{},"parentId":null}',
                "unknown_dialect",
                "s.jsonl is a Copilot event",
            ),
            (b'{"type":"metadata","protocol_version":"1"}', "unknown_dialect", "s.jsonl is a Kimi Code wire log"),
            (
                b'{"timestamp":1,"message":{"type":"TurnBegin","payload":{}}}',
                "unknown_dialect",
                "s.jsonl is a Kimi Code wire",
            ),
            (b'{"kind":"MessageEvent","source":"agent"}', "unknown_dialect", "s.jsonl is an OpenHands event log"),
            (b'{"sessionId":"s","projectHash":"h","messages":[]}', "unknown_dialect", "s.jsonl is a Gemini CLI chat"),
        ],
    )
    def test_sentence_says_what_was_seen(self, data: bytes, kind: str, sentence: str) -> None:
        error = error_of(data)
        assert error.kind == kind
        assert str(error).startswith(sentence)
        assert "expected" in str(error)
