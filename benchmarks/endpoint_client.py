"""The floor of an endpoint client: aiohttp on uvloop, orjson, so many workers, and nothing else.

    python benchmarks/endpoint_client.py URL BODIES.jsonl --concurrency 64

Posts each line of BODIES as it stands and reads the reply and its token count. Prints CPU seconds from
the first request to the last answer, and the answers read.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from pathlib import Path

import aiohttp
import orjson
import uvloop


async def ask_all(url: str, bodies: list[bytes], concurrency: int) -> int:
    queue, read = iter(bodies), 0
    headers = {"Content-Type": "application/json"}
    connector = aiohttp.TCPConnector(limit=concurrency)
    async with aiohttp.ClientSession(connector=connector) as session:

        async def worker() -> None:
            nonlocal read
            for body in queue:
                async with session.post(url, data=body, headers=headers) as response:
                    answer = orjson.loads(await response.read())
                assert answer["usage"]["completion_tokens"] > 0
                read += bool(answer["choices"][0]["message"]["content"])

        await asyncio.gather(*(worker() for _ in range(concurrency)))
    return read


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("url")
    parser.add_argument("bodies", type=Path)
    parser.add_argument("--concurrency", type=int, default=64)
    options = parser.parse_args()
    bodies = options.bodies.read_bytes().splitlines()
    began = time.process_time()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        read = runner.run(ask_all(f"{options.url}/chat/completions", bodies, options.concurrency))
    print(json.dumps({"cpu": time.process_time() - began, "read": read}))


if __name__ == "__main__":
    main()
