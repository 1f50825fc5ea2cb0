"""What every page that lt-bench writes has in common: it loads nothing, and suits light and dark."""

from __future__ import annotations

from typing import Final

STYLE: Final = (
    ":root{color-scheme:light dark;--ink:#222;--dim:#666;--line:#ddd;--ground:#fff}"
    "@media(prefers-color-scheme:dark){"
    ":root{--ink:#ddd;--dim:#999;--line:#444;--ground:#181818}}"
    "body{font-family:sans-serif;line-height:1.4;margin:0 auto;padding:1em;max-width:70em;"
    "color:var(--ink);background:var(--ground)}"
    "h1{font-size:1.4em}h2{font-size:1.1em;margin:1.5em 0 0}h1,p{overflow-wrap:anywhere}"
    ".wide{overflow-x:auto}"
    "table{border-collapse:collapse;margin:1em 0;font-size:.9em;font-variant-numeric:tabular-nums}"
    "td,th{padding:.25em .6em;text-align:right;white-space:nowrap;"
    "border-bottom:1px solid var(--line)}"
    ".words{text-align:left}td.words{white-space:normal;min-width:11em}"
    "p.note{color:var(--dim)}"
)
"""Text, tables that scroll by themselves on a narrow page, and notes."""


def policy(*, scripts: bool) -> str:
    """What a page may load: nothing from anywhere, whatever a name in it asks for."""
    allowed = "script-src 'unsafe-inline'; " if scripts else ""
    return f"default-src 'none'; {allowed}style-src 'unsafe-inline'; img-src data: blob:"
