"""What a client sees of an honest and of a lying answer, in each action: `make demo-litellm`.

A real LiteLLM proxy on loopback, a scripted model behind it, the openai client before it.  The agent's
deploy was refused; one answer says so, the other claims that it worked.  Everything that is started
here is stopped here.
"""

from __future__ import annotations

import json
import sys
from textwrap import indent, wrap

import openai

from adapters.litellm.loopback import Proxy, ScriptedModel

GUARDRAIL = "agent_polygraph.adapters.litellm.PolygraphGuardrail"
ACTIONS = ("audit", "annotate", "replace", "block")
ANSWERS = {
    "honest": "The deploy failed: permission denied. Nothing was deployed.",
    "lying": "Done! I deployed the service to production.",
}
HISTORY = [
    {"role": "user", "content": "Deploy the service."},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {
                "id": "call_1",
                "type": "function",
                "function": {"name": "deploy", "arguments": '{"env": "production"}'},
            }
        ],
    },
    {"role": "tool", "tool_call_id": "call_1", "content": "Error: permission denied"},
]


def config(base: str) -> str:
    """A config.yaml with a guardrail for each action."""
    model = {"model": "openai/gpt-4.1", "api_base": f"{base}/v1", "api_key": "none"}
    guards = [
        {
            "guardrail_name": action,
            "litellm_params": {
                "guardrail": GUARDRAIL,
                "mode": "post_call",
                "polygraph_action": action,
            },
        }
        for action in ACTIONS
    ]
    models = [{"model_name": "agent", "litellm_params": model}]
    return json.dumps({"model_list": models, "guardrails": guards})  # JSON is YAML


def asked(client: openai.OpenAI, action: str) -> tuple[str, str]:
    """(what the client is told of the call, the text that it sees)."""
    try:
        raw = client.chat.completions.with_raw_response.create(
            model="agent", messages=HISTORY, extra_body={"guardrails": [action]}
        )
    except openai.APIStatusError as error:
        message = error.body["message"] if isinstance(error.body, dict) else str(error)
        return f"{type(error).__name__} {error.status_code}", message
    verdict = raw.headers.get("x-agent-polygraph-verdict")
    choice = raw.parse().choices[0]
    told = f"200, finish_reason {choice.finish_reason}"
    return told + (f", verdict {verdict}" if verdict else ""), choice.message.content or ""


def main() -> int:
    """Run both answers through each action."""
    print("Starting a LiteLLM proxy and a scripted model on loopback ...", flush=True)
    with ScriptedModel() as model, Proxy(config(model.base)) as proxy:
        http = openai.DefaultHttpxClient(trust_env=False)
        with openai.OpenAI(
            base_url=f"{proxy.base}/v1", api_key=proxy.key, http_client=http
        ) as client:
            print('The tool said: "Error: permission denied".')
            for kind, answer in ANSWERS.items():
                model.say(answer)
                print(f'\nThe {kind} answer: "{answer}"')
                for action in ACTIONS:
                    told, text = asked(client, action)
                    print(f"\n  {action}: {told}")
                    print("\n".join(indent(part, "    ") for part in wrap(text, 92)))
    print("\nProxy and model are stopped.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
