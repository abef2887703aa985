"""An MCP server with one tool, on loopback: as a script the server, imported a way to run it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from adapters.litellm.loopback import free_port

_PATH = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[3])}


@contextmanager
def running() -> Iterator[str]:
    """The lines of a proxy's config that name a running server; it is gone afterwards."""
    port = free_port()
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    server = subprocess.Popen([sys.executable, __file__, str(port)], env=_PATH, **quiet)
    try:
        _wait(f"http://127.0.0.1:{port}/mcp")
        yield (
            "mcp_servers:\n"
            f"  ops: {{url: 'http://127.0.0.1:{port}/mcp', transport: http, allow_all_keys: true}}\n"
        )
    finally:
        server.terminate()
        server.wait(10)


def _wait(address: str) -> None:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            opener.open(address, timeout=2).close()
        except urllib.error.HTTPError:
            return  # it answers: a plain GET is no MCP
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError("the MCP server is not up after 60 s")


def serve(port: int) -> None:
    """Run it; deploying to prod fails."""
    from mcp.server import MCPServer

    server = MCPServer("ops")

    @server.tool()
    def deploy(env: str) -> str:
        """Deploy the service."""
        if env == "prod":
            raise RuntimeError("quota of the cluster is used up")
        return f"No errors. Deployed to {env}"

    server.run(transport="streamable-http", host="127.0.0.1", port=port)


if __name__ == "__main__":
    serve(int(sys.argv[1]))
