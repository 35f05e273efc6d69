"""Completion, hover and marks as a real editor gets them: from yaml-language-server, when one is installed
(``npm install -g yaml-language-server``), over the files that ``init`` lays out."""

from __future__ import annotations

import json
import os
import queue
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from forms_dynamics.cli.starter import lay_out

SERVER = os.environ.get("YAML_LANGUAGE_SERVER") or shutil.which("yaml-language-server")
pytestmark = pytest.mark.skipif(SERVER is None, reason="yaml-language-server is not installed")
SETTINGS = {"validate": True, "completion": True, "hover": True, "schemaStore": {"enable": False, "url": ""}}


class Editor:
    """A client that speaks as much of the protocol as the questions here need."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.process = subprocess.Popen(
            [str(SERVER), "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.answers: queue.Queue[dict[str, Any]] = queue.Queue()
        self.marks: dict[str, list[Any]] = {}
        self.count = 0
        threading.Thread(target=self._listen, daemon=True).start()
        self.ask("initialize", processId=None, rootUri=folder.as_uri(), capabilities={})
        self.send(method="initialized", params={})
        self.send(method="workspace/didChangeConfiguration", params={"settings": {"yaml": SETTINGS}})

    def send(self, **message: Any) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def ask(self, method: str, **params: Any) -> Any:
        self.count += 1
        self.send(id=self.count, method=method, params=params)
        while True:
            answer = self.answers.get(timeout=60)
            if answer["id"] == self.count:
                return answer.get("result")

    def _listen(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while True:
            length = 0
            while (line := stream.readline()) not in (b"\r\n", b""):
                if line.lower().startswith(b"content-length"):
                    length = int(line.split(b":")[1])
            if not length:
                return
            message = json.loads(stream.read(length))
            if message.get("method") == "textDocument/publishDiagnostics":
                self.marks[message["params"]["uri"]] = message["params"]["diagnostics"]
            elif "method" in message and "id" in message:
                wanted = message.get("params", {}).get("items", [])
                self.send(
                    id=message["id"], result=[SETTINGS if i.get("section") == "yaml" else {} for i in wanted]
                )
            elif "id" in message:
                self.answers.put(message)

    def open(self, name: str, text: str | None = None) -> str:
        path = self.folder / name
        uri = path.as_uri()
        body = path.read_text(encoding="utf-8") if text is None else text
        item = {"uri": uri, "languageId": "yaml", "version": 1, "text": body}
        self.send(method="textDocument/didOpen", params={"textDocument": item})
        until = time.monotonic() + 60
        while uri not in self.marks and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(0.3)  # a second round of marks may follow the first
        return uri

    def offered(self, uri: str, line: int, column: int) -> set[str]:
        at = {"line": line, "character": column}
        found = self.ask("textDocument/completion", textDocument={"uri": uri}, position=at)
        return {item["label"] for item in (found["items"] if isinstance(found, dict) else found)}

    def shown(self, uri: str, line: int, column: int) -> str:
        at = {"line": line, "character": column}
        return json.dumps(
            self.ask("textDocument/hover", textDocument={"uri": uri}, position=at), ensure_ascii=False
        )

    def marked(self, uri: str) -> list[tuple[int, str]]:
        return [(mark["range"]["start"]["line"], mark["message"]) for mark in self.marks[uri]]


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    folder = tmp_path_factory.mktemp("project")
    lay_out(folder)
    found = Editor(folder)
    yield found
    found.process.kill()
    found.process.wait()


MODELINE = "# yaml-language-server: $schema=../schemas/forms_dynamics.schema.json\n"


def test_it_marks_nothing_in_what_init_writes(editor: Editor) -> None:
    for path in sorted(editor.folder.rglob("*.yaml")):
        uri = editor.open(str(path.relative_to(editor.folder)))
        assert editor.marked(uri) == [], path


def test_it_completes_keys_types_and_values(editor: Editor) -> None:
    uri = editor.open("form_types/a.yaml", MODELINE)
    assert {"form_type", "slots", "identity", "relation", "cardinality"} <= editor.offered(uri, 1, 0)
    uri = editor.open(
        "form_types/b.yaml", MODELINE + "form_type: a\nslots:\n  公司:\n    type: money\n    \n"
    )
    assert {"unit", "aliases", "question", "min"} <= editor.offered(uri, 5, 4)
    uri = editor.open("form_types/c.yaml", MODELINE + "form_type: a\nslots:\n  公司: \n")
    assert {"text", "money", "date_range"} <= editor.offered(uri, 3, 6)
    uri = editor.open("form_types/d.yaml", MODELINE + "relation: r\nfrom: a\nto: b\ncardinality: \n")
    assert editor.offered(uri, 4, 13) == {"one_to_one", "one_to_many", "many_to_one", "many_to_many"}


def test_it_tells_what_a_key_means(editor: Editor) -> None:
    uri = editor.open("form_types/e.yaml", MODELINE + "form_type: a\nidentity: each\nslots: {x: text}\n")
    assert "What makes two mentions the same thing" in editor.shown(uri, 2, 2)
    assert "同一个对象" in editor.shown(uri, 2, 2)


def test_it_marks_each_mistake_in_its_own_document_and_line(editor: Editor) -> None:
    text = (
        "form_type: a\nslots:\n  x: {type: enum}\n  y1: {type: text, values: [a]}\n  z: {type: money, unit: 元}\n"
        f"---\n{MODELINE}relation: r\nfrom: a\nto: a\ncardinality: some\n"
        f"---\n{MODELINE}form_type: 乙方\nslots: {{名称: text}}\n"
    )
    marks = editor.marked(editor.open("form_types/f.yaml", MODELINE + text))
    assert sorted(line for line, _ in marks) == [3, 4, 5, 11]
    assert any("ISO 4217" in message for _, message in marks)
