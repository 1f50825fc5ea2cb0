"""The scripted server itself: what the other tests believe of it."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from support import server as module
from support.server import Reply, by_substring, hashed, scripted, serve, with_faults

HI = "Is it red?"


def body(text: str = HI, **fields: Any) -> bytes:
    return json.dumps(
        {"model": "m", "messages": [{"role": "user", "content": text}], **fields}
    ).encode()


def post(url: str, text: str = HI, **fields: Any) -> bytes:
    request = urllib.request.Request(url + "/chat/completions", body(text, **fields))
    with urllib.request.urlopen(request, timeout=5) as response:
        data: bytes = response.read()
    return data


def content(data: bytes) -> Any:
    return json.loads(data)["choices"][0]["message"]["content"]


def streamed(data: bytes) -> str:
    packets = [json.loads(line[6:]) for line in data.splitlines() if line.startswith(b"data: {")]
    return "".join(c["delta"].get("content") or "" for p in packets for c in p["choices"])


def test_hashed_replies_depend_on_the_prompt_alone() -> None:
    with serve(hashed()) as one, serve(hashed()) as two:
        first = [content(post(one.url, text)) for text in ("a", "b", "a")]
        second = [content(post(two.url, text)) for text in ("b", "a")]
    assert first[0] == first[2] == second[1]
    assert first[1] == second[0] != first[0]


def test_stream_and_message_hold_the_same_text() -> None:
    with serve(hashed()) as server:
        data = post(server.url, stream=True, stream_options={"include_usage": True})
        assert streamed(data) == content(post(server.url))
    assert data.rstrip().endswith(b"data: [DONE]")
    assert b'"usage"' in data


def test_replies_by_substring_and_attempt() -> None:
    table = {"red": [Reply("first"), Reply("later")]}
    with serve(by_substring(table)) as server:
        said = [content(post(server.url, text)) for text in (HI, HI, HI, "Is it blue?")]
    assert said[:3] == ["first", "later", "later"]
    assert said[3] not in said[:3]


def test_faults_are_drawn_by_prompt_and_attempt() -> None:
    responder = with_faults({"500": 0.3, "cut": 0.2}, hashed(), 0.0)

    def kinds(texts: range) -> list[tuple[int, Any]]:
        calls = [module.Call(n, f"q{n}", 1, {}, {}, "/", 0.0) for n in texts]
        return [(r.status, r.fault) for r in map(responder, calls)]

    found = kinds(range(400))
    assert found == kinds(range(400))
    assert 80 < sum(status == 500 for status, _ in found) < 160
    assert 40 < sum(fault == "cut" for _, fault in found) < 120


def test_the_log_tells_what_was_asked_and_how_it_ended() -> None:
    with serve(scripted(Reply("a"), Reply(fault="disconnect"), Reply("b", delay=5))) as server:
        post(server.url, temperature=0.5)
        with pytest.raises((http.client.RemoteDisconnected, ConnectionError)):
            post(server.url, "other")
        connection = http.client.HTTPConnection("127.0.0.1", server.port)
        connection.request("POST", "/v1/chat/completions", body())
        time.sleep(0.1)
        connection.close()
        time.sleep(0.1)
        root = server.url.removesuffix("/v1")
        with urllib.request.urlopen(root + "/requests", timeout=5) as response:
            log = json.loads(response.read())
    assert [(call["attempt"], call["outcome"]) for call in log] == [
        (1, "answered"),
        (1, "closed"),
        (2, "client gone"),
    ]
    assert log[0]["body"]["temperature"] == 0.5


def started(tmp_path: Path, *arguments: str) -> tuple[subprocess.Popen[bytes], str]:
    port_file = tmp_path / "port"
    script = Path(str(module.__file__))
    process = subprocess.Popen(
        [
            sys.executable,
            str(script),
            "--port-file",
            str(port_file),
            "--max-seconds",
            "20",
            *arguments,
        ],
        stdout=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 10
    while not port_file.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    return process, f"http://127.0.0.1:{port_file.read_text()}/v1"


def test_as_a_process_with_answers_from_a_file(tmp_path: Path) -> None:
    answers = tmp_path / "answers.json"
    answers.write_text(
        json.dumps({"red": "It is red.", "blue": [{"content": "no", "reasoning": "t"}]})
    )
    process, url = started(tmp_path, "--answers", str(answers), "--delay", "0.05")
    try:
        began = time.monotonic()
        assert content(post(url)) == "It is red."
        assert time.monotonic() - began >= 0.05
        message = json.loads(post(url, "Is it blue?"))["choices"][0]["message"]
        assert message == {"role": "assistant", "content": "no", "reasoning": "t"}
    finally:
        os.kill(process.pid, signal.SIGTERM)
    assert process.wait(5) == 0


def test_as_a_process_with_one_reply_a_request(tmp_path: Path) -> None:
    script = tmp_path / "script.jsonl"
    script.write_text('"one"\n{"content": "two"}\n')
    process, url = started(tmp_path, "--script", str(script))
    try:
        assert [content(post(url)) for _ in range(3)] == ["one", "two", "two"]
    finally:
        process.terminate()
        process.wait(5)
