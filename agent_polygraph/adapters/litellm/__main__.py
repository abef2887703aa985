"""`python -m agent_polygraph.adapters.litellm CONFIG`: what a proxy would make of our guardrails.

For what litellm lets pass in silence: a file beside the config that it loads in the place of this
package, and a guardrail that it skips because it has no mode.  Exit 0 when all is well, 1 when not, 2
when the file can't be read.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from .._shape import mapping, sequence, string
from .options import PolygraphConfigError, modes_of, options_of

PACKAGE = "agent_polygraph.adapters.litellm"


def told(config: Path, parsed: Any) -> tuple[list[str], bool]:
    """(a line for each guardrail of ours, whether all is well)."""
    lines: list[str] = []
    well = True
    for entry in map(mapping, sequence(mapping(parsed).get("guardrails"))):
        params = mapping(entry.get("litellm_params"))
        module, _, _ = string(params.get("guardrail")).rpartition(".")
        if module != PACKAGE:
            continue
        shadow = config.parent.joinpath(*module.split(".")).with_suffix(".py")
        try:
            options = options_of(params, params.get("mode"))
            said = f"{options.action}, {' and '.join(modes_of(params.get('mode')))}"
        except PolygraphConfigError as error:
            said, well = str(error), False
        if shadow.exists():
            said, well = f"{shadow} is loaded in the place of the installed package", False
        lines.append(f"{entry.get('guardrail_name')}: {said}")
    if not lines:
        return [f"{config}: no guardrail of agent-polygraph in it"], False
    return lines, well


def main(arguments: list[str]) -> int:
    """Check one config file."""
    if len(arguments) != 1:
        print(f"usage: python -m {PACKAGE} CONFIG", file=sys.stderr)
        return 2
    import yaml  # type: ignore[import-untyped,unused-ignore]

    config = Path(arguments[0])
    try:
        parsed = yaml.safe_load(config.read_text(encoding="utf-8"))
    except (OSError, ValueError, yaml.YAMLError) as error:
        print(f"{config}: {error}", file=sys.stderr)
        return 2
    lines, well = told(config, parsed)
    print("\n".join(lines))
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
