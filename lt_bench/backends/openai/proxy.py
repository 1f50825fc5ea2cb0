"""The proxy that the environment names for an endpoint. Only https:// addresses go through one."""

from __future__ import annotations

from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from lt_bench.backends.openai.endpoint import Endpoint
from lt_bench.errors import UsageError


def proxy_of(endpoint: Endpoint) -> str:
    """Its address, "" where there is none. It may hold a password."""
    parts = urlsplit(endpoint.shown)
    if parts.scheme != "https" or proxy_bypass(parts.hostname or ""):
        return ""
    return getproxies().get("https", "")


def check_proxy(endpoint: Endpoint) -> None:
    """For the transport that knows HTTP proxies alone.

    Raises:
        UsageError: the proxy is none of these. Its address is not quoted.
    """
    proxy = proxy_of(endpoint)
    if not proxy:
        return
    try:
        parts = urlsplit(proxy)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise UsageError(
            f"HTTPS_PROXY is set, and its value is no http:// address ({endpoint.shown} is asked "
            "through it)",
            "e.g. HTTPS_PROXY=http://proxy.example:3128, or unset it, or name the host in NO_PROXY; "
            "for a SOCKS proxy: pip install socksio, then --set backend.transport=sdk",
        )
