"""Writes docs/commands/*.md from what each command says of itself, so that they cannot drift.

python docs/make_commands.py            writes the pages
python docs/make_commands.py --check    ends with 1 where a page is not what it would write
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from typer.main import get_command

from lt_bench.cli import application

HERE = Path(__file__).parent / "commands"
NAME = "lt-bench"
WIDTH = 92
"""Columns of the help, whatever terminal this runs in."""


def pages() -> dict[str, str]:
    """File name -> text of every page: one a command of the first level, its own commands with it,
    and a list of all."""
    root = get_command(application())
    made = {
        f"{name}.md": "\n".join(_page(f"{NAME} {name}", command)) + "\n"
        for name, command in _inner(root).items()
    }
    return {"README.md": "\n".join(_list(_inner(root))) + "\n", **made}


def _list(commands: Mapping[str, Any]) -> Iterator[str]:
    yield "# Commands"
    yield ""
    yield "Made from `--help` by docs/make_commands.py."
    yield ""
    for name, command in commands.items():
        yield f"- [`{NAME} {name}`]({name}.md): {command.get_short_help_str(200)}"
        for inner in _inner(command):
            yield f"  - [`{NAME} {name} {inner}`]({name}.md#{NAME}-{name}-{inner})"


def _page(path: str, command: Any, level: int = 1) -> Iterator[str]:
    yield f"{'#' * level} {path}"
    yield ""
    yield "```text"
    yield _help(path, command)
    yield "```"
    for name, inner in _inner(command).items():
        yield ""
        yield from _page(f"{path} {name}", inner, level + 1)


def _help(path: str, command: Any) -> str:
    context = command.make_context(
        path, [], resilient_parsing=True, terminal_width=WIDTH, max_content_width=WIDTH, color=False
    )
    return str(command.get_help(context)).rstrip()


def _inner(command: Any) -> Mapping[str, Any]:
    return getattr(command, "commands", {})


def drifted(folder: Path = HERE) -> list[str]:
    """Names of pages that are not what would be written, or are of no command."""
    made = pages()
    there = {path.name: path.read_text("utf-8") for path in sorted(folder.glob("*.md"))}
    return sorted(name for name in {*made, *there} if made.get(name) != there.get(name))


def write(folder: Path = HERE) -> None:
    """Writes every page, and takes away those of no command."""
    folder.mkdir(exist_ok=True)
    made = pages()
    for path in folder.glob("*.md"):
        if path.name not in made:
            path.unlink()
    for name, text in made.items():
        (folder / name).write_text(text, "utf-8", newline="\n")


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    if not parser.parse_args().check:
        write()
        return 0
    names = drifted()
    for name in names:
        print(f"docs/commands/{name} is not what --help says: python docs/make_commands.py")
    return 1 if names else 0


if __name__ == "__main__":
    sys.exit(main())
