#!/usr/bin/env python3
"""Writes inputs to start from into fuzz/seeds/TARGET, all of them from the tests' own tables.

Run from the repository's root. Nothing is read from anywhere else.
"""

import hashlib
import json
import re
import shlex
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "fuzz" / "seeds"
LANGUAGES = ["python", "node", "perl", "ruby", "php", "awk", "sed"]
MAX_BYTES = 4096

# A string in a Rust source: plain, or raw with any number of signs.
STRING = re.compile(r'(?<![\w\'])r(#*)"(.*?)"\1|"((?:[^"\\]|\\.)*)"', re.S)
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "\\": "\\", '"': '"', "'": "'"}


def unescaped(text):
    def one(match):
        code = match.group(1)
        if code[0] == "\n":
            return ""
        if code[0] == "x" and len(code) == 3:
            return chr(int(code[1:], 16))
        if code[:2] == "u{":
            return chr(int(code[2:-1], 16))
        return ESCAPES.get(code, code)

    return re.sub(r"\\(\n\s*|x[0-9A-Fa-f]{2}|u\{[0-9A-Fa-f]+\}|.)", one, text, flags=re.S)


def strings(*globs):
    """Every string of the Rust sources."""
    for glob in globs:
        for file in sorted(ROOT.glob(glob)):
            for match in STRING.finditer(file.read_text()):
                text = match.group(2) if match.group(2) is not None else unescaped(match.group(3))
                if text:
                    yield text


def write(target, inputs):
    folder = OUT / target
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for text in inputs:
        data = text if isinstance(text, bytes) else text.encode(errors="ignore")
        if len(data) <= MAX_BYTES:
            (folder / hashlib.sha1(data).hexdigest()).write_bytes(data)
            count += 1
    print(f"{target}: {count} inputs")


def oracle_commands():
    """The commands of the execution oracle, with paths filled in."""
    places = {"ROOT": "/r", "PROJECT": "/home/u/p", "HOME": "/home/u", "OUT": "/srv/data", "SCRATCH": "/home/u/s", "TMP": "/tmp"}
    for file in sorted((ROOT / "tests/execution_oracle/table").glob("*.txt")):
        lines = iter(file.read_text().splitlines())
        for line in lines:
            if not line.strip() or line.startswith(("# ", "== ", "@")):
                continue
            command = line
            if line == "<<<<":
                body = []
                for line in lines:
                    if line == ">>>>":
                        break
                    body.append(line)
                command = "\n".join(body)
            yield re.sub("%(" + "|".join(places) + ")", lambda m: places[m.group(1)], command)


def labelled(file, separator, column):
    for line in (ROOT / file).read_text().splitlines():
        if line and not line.startswith("#"):
            yield line.split(separator)[column].replace("⏎", "\n")


def programs(commands):
    """Program texts in commands: the argument behind `-c`, `-e`, `-r`, the first of awk and sed, here-documents."""
    for command in commands:
        heredoc = re.search(r"<<-?\s*['\"]?(\w+)['\"]?[^\n]*\n(.*?)\n\1", command, re.S)
        try:
            words = shlex.split(command, comments=False)
        except ValueError:
            words = command.split()
        for number, language in enumerate(LANGUAGES):
            at = next((i for i, w in enumerate(words) if w.split("/")[-1].rstrip("3") in (language, "g" + language)), None)
            if at is None:
                continue
            if heredoc:
                yield f"{number}{heredoc.group(2)}"
            rest = words[at + 1 :]
            for i, word in enumerate(rest):
                if word in ("-c", "-e", "-r", "-E", "-pe", "-ne", "-ni", "-p") and i + 1 < len(rest):
                    yield f"{number}{rest[i + 1]}"
            if language in ("awk", "sed"):
                yield from (f"{number}{word}" for word in rest[:2] if not word.startswith("-"))


def by_language():
    """The strings of the tests of inline scripts; the language is the last that was named before."""
    shorts = {"js": 1, "py": 0, "python": 0}
    names = {"Python": 0, "Node": 1, "Perl": 2, "Ruby": 3, "Php": 4, "Awk": 5, "Sed": 6}
    for file in sorted(ROOT.glob("src/shell/inline/tests/*.rs")):
        text = file.read_text()
        marks = [(m.start(), names[m.group(1)]) for m in re.finditer(r"Language::(\w+)", text) if m.group(1) in names]
        marks += [(m.start(), shorts[m.group(1)]) for m in re.finditer(r"\b(js|py|python)\(", text)]
        for match in STRING.finditer(text):
            before = [(at, number) for at, number in marks if at < match.start()]
            body = match.group(2) if match.group(2) is not None else unescaped(match.group(3))
            if before and body:
                yield f"{max(before)[1]}{body}"


def payload(tool, field, text):
    return json.dumps(
        {
            "session_id": "s",
            "transcript_path": "/t",
            "cwd": "/home/u/p",
            "hook_event_name": "PreToolUse",
            "tool_name": tool,
            "tool_input": {field: text},
            "tool_use_id": "t",
        }
    )


def cases():
    """The escape corpus, as bytes."""

    def one(match):
        code = match.group(1)
        if code[0] == "x" and len(code) == 3:
            return bytes([int(code[1:], 16)])
        if code[:2] == "u{":
            return chr(int(code[2:-1], 16)).encode()
        if code[0] == "{" and len(code) > 1:
            text, times = code[1:-1].rsplit("*", 1)
            return text.encode() * int(times)
        return ESCAPES.get(code, code).encode()

    pattern = re.compile(r"\\(x[0-9A-Fa-f]{2}|u\{[0-9A-Fa-f]+\}|\{.*?\*\d+\}|.)")
    for line in (ROOT / "src/corpus/cases.txt").read_text().splitlines():
        if "\t" not in line or line.startswith("#"):
            continue
        path, out, at = line.split("\t")[1], b"", 0
        for match in pattern.finditer(path):
            out += path[at : match.start()].encode() + one(match)
            at = match.end()
        yield out + path[at:].encode()


def main():
    commands = list(oracle_commands())
    bash = commands + list(strings("src/shell/bash/tests.rs", "src/shell/bash/eval/tests/*.rs", "tests/it/shell_gate.rs"))
    bash += list(strings("src/shell/programs/tests/*.rs", "tests/it/complaints.rs"))
    powershell = [line.split(" | ", 1)[1].replace("⏎", "\n") for name in ("windows", "posix")
                  for line in (ROOT / f"tests/powershell/{name}.txt").read_text().splitlines()
                  if " | " in line and not line.startswith("#")]
    powershell += list(strings("src/shell/powershell/tests.rs", "src/shell/powershell/eval/tests.rs"))
    cmd = list(labelled("tests/it/data/cmd_labelled.txt", " ## ", 1)) + list(strings("src/shell/cmd/tests/*.rs"))
    write("bash_parser", bash)
    write("powershell_parser", powershell)
    write("cmd_parser", cmd)
    write("inline_script", list(programs(commands)) + list(by_language()))
    config = [file.read_text() for file in sorted(ROOT.glob("profiles/*.toml"))]
    config += list(strings("src/config/tests/*.rs", "src/config/tests.rs", "tests/it/config.rs"))
    calls = [payload("Bash", "command", text) for text in bash[:400]]
    calls += [payload("PowerShell", "command", text) for text in powershell[:100]]
    calls += [payload(tool, field, path) for path in ("/srv/x", "a.txt", "../x", "out/y", "C:\\x")
              for tool, field in (("Write", "file_path"), ("Edit", "file_path"), ("Read", "file_path"), ("NotebookEdit", "notebook_path"))]
    write("settings", [mark + text for text in config for mark in "012"] + ["3" + call for call in calls[::5]])
    write("hook_stdin", calls + list(strings("src/harness/claude/payload.rs", "src/harness/claude/tool.rs")))
    write("path_guard", cases())


if __name__ == "__main__":
    main()
