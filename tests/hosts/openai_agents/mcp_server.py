"""A real MCP server on stdio with one tool that works and one that fails."""

from __future__ import annotations

try:
    from mcp.server.fastmcp import FastMCP as Server
except ImportError:  # renamed in version 2
    from mcp.server.mcpserver import MCPServer as Server

server = Server("ops")


@server.tool()
def get_release(service: str) -> str:
    """The current release of a service."""
    return f"{service} 2.4.1"


@server.tool()
def deploy_service(service: str) -> str:
    """Deploys a service."""
    raise RuntimeError(f"registry refused the connection for {service}")


if __name__ == "__main__":
    server.run()
