"""What every page that lt-bench writes has in common: it loads nothing, and suits light and dark."""

from __future__ import annotations

from typing import Final

STYLE: Final = (
    ":root{color-scheme:light dark;"
    "--ink:light-dark(#1b1f24,#e4e7eb);--dim:light-dark(#59626e,#9ba5b2);"
    "--line:light-dark(#dde2e8,#333943);--ground:light-dark(#fff,#14171b);"
    "--raised:light-dark(#f5f7f9,#1d2127);--accent:light-dark(#1a65ab,#74b6f2);"
    "--good:light-dark(#1d6b34,#6fc985);--warn:light-dark(#855600,#e0b050);"
    "--bad:light-dark(#a8322d,#f08a84)}"
    ":root[data-theme=light]{color-scheme:light}:root[data-theme=dark]{color-scheme:dark}"
    "body{font-family:system-ui,sans-serif;line-height:1.4;margin:0 auto;padding:1em;"
    "max-width:70em;color:var(--ink);background:var(--ground)}"
    "h1{font-size:1.4em}h2{font-size:1.1em;margin:1.5em 0 0}h1,p{overflow-wrap:anywhere}"
    "a{color:var(--accent)}:focus-visible{outline:2px solid var(--accent);outline-offset:2px}"
    ".wide{overflow-x:auto}"
    "table{border-collapse:collapse;margin:1em 0;font-size:.9em;font-variant-numeric:tabular-nums}"
    "td,th{padding:.25em .6em;text-align:right;white-space:nowrap;"
    "border-bottom:1px solid var(--line)}"
    ".words{text-align:left}td.words{white-space:normal;min-width:11em}"
    "p.note{color:var(--dim)}"
)
"""Colours, text, tables that scroll by themselves on a narrow page, and notes. A page follows the
reader's system, or `data-theme` on its root."""


def policy(*, scripts: bool, files: bool = False) -> str:
    """What a page may load: nothing from anywhere, whatever a name in it asks for.

    scripts: it holds scripts of its own.
    files: its scripts and styles are files beside it; no script may stand in the page itself.
    """
    if files:
        return (
            "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
            "img-src data: blob:; base-uri 'none'; form-action 'none'"
        )
    allowed = "script-src 'unsafe-inline'; " if scripts else ""
    return f"default-src 'none'; {allowed}style-src 'unsafe-inline'; img-src data: blob:"
