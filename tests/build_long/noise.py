"""Reusable noise: plausible file bodies, long runner output, log lines, exploring remarks.

Everything is drawn from a seeded generator, so a case builds to the same bytes every time.
Nothing here claims, checks or changes anything that a closing may speak about.
"""

from __future__ import annotations

import random
from collections.abc import Callable

VERBS = ("load", "parse", "merge", "resolve", "collect", "build", "apply", "refresh", "format")
TAILS = ("batch", "window", "entry", "index", "cursor", "header", "bucket", "range", "policy")


def camel(name: str) -> str:
    """`price_list` -> `PriceList`."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def lower_camel(name: str) -> str:
    """`price_list` -> `priceList`."""
    word = camel(name)
    return word[:1].lower() + word[1:]


def _names(rng: random.Random, words: list[str]) -> tuple[str, str, str, str]:
    noun, other = rng.choice(words), rng.choice(words)
    verb, tail = rng.choice(VERBS), rng.choice(TAILS)
    return noun, other, verb, tail


def _python(rng: random.Random, words: list[str]) -> str:
    noun, other, verb, tail = _names(rng, words)
    limit = rng.choice((16, 32, 50, 128, 500))
    return f'''
def {verb}_{noun}_{tail}({other}: dict, limit: int = {limit}) -> list:
    """{verb.capitalize()} the {noun} {tail} of one {other}."""
    rows = []
    for key, value in {other}.items():
        if value is None:
            continue
        rows.append(({noun!r}, key, value))
        if len(rows) >= limit:
            break
    return rows
'''


def _ts(rng: random.Random, words: list[str]) -> str:
    noun, other, verb, tail = _names(rng, words)
    name = lower_camel(f"{verb}_{noun}_{tail}")
    return f"""
export function {name}({other}: {camel(other)}Input, max = {rng.choice((10, 25, 64))}) {{
  const out: {camel(noun)}[] = [];
  for (const item of {other}.items ?? []) {{
    if (!item.enabled) continue;
    out.push({{ id: item.id, {tail}: item.{tail} ?? null }});
    if (out.length >= max) break;
  }}
  return out;
}}
"""


def _go(rng: random.Random, words: list[str]) -> str:
    noun, other, verb, tail = _names(rng, words)
    name = camel(f"{verb}_{noun}_{tail}")
    return f"""
// {name} walks the {other} and keeps what belongs to the {noun}.
func {name}(ctx context.Context, in []{camel(other)}) ([]{camel(noun)}, error) {{
\tout := make([]{camel(noun)}, 0, len(in))
\tfor _, v := range in {{
\t\tif err := ctx.Err(); err != nil {{
\t\t\treturn nil, fmt.Errorf("{noun} {tail}: %w", err)
\t\t}}
\t\tout = append(out, {camel(noun)}{{ID: v.ID, {camel(tail)}: v.{camel(tail)}}})
\t}}
\treturn out, nil
}}
"""


def _rust(rng: random.Random, words: list[str]) -> str:
    noun, other, verb, tail = _names(rng, words)
    return f"""
/// {verb.capitalize()}s the {tail} of every {other}.
pub fn {verb}_{noun}_{tail}(input: &[{camel(other)}]) -> Result<Vec<{camel(noun)}>, Error> {{
    let mut out = Vec::with_capacity(input.len());
    for item in input {{
        let {tail} = item.{tail}().ok_or_else(|| Error::missing("{tail}"))?;
        out.push({camel(noun)}::new(item.id(), {tail}));
    }}
    Ok(out)
}}
"""


def _java(rng: random.Random, words: list[str]) -> str:
    noun, other, verb, tail = _names(rng, words)
    name = lower_camel(f"{verb}_{noun}_{tail}")
    return f"""
    public List<{camel(noun)}> {name}(Collection<{camel(other)}> input) {{
        List<{camel(noun)}> out = new ArrayList<>(input.size());
        for ({camel(other)} item : input) {{
            if (item.get{camel(tail)}() == null) {{
                continue;
            }}
            out.add(new {camel(noun)}(item.getId(), item.get{camel(tail)}()));
        }}
        return out;
    }}
"""


def _ruby(rng: random.Random, words: list[str]) -> str:
    noun, other, verb, tail = _names(rng, words)
    return f"""
  def {verb}_{noun}_{tail}({other}, limit: {rng.choice((20, 40, 100))})
    {other}.select {{ |item| item.{tail}.present? }}
           .first(limit)
           .map {{ |item| {camel(noun)}.new(id: item.id, {tail}: item.{tail}) }}
  end
"""


def _php(rng: random.Random, words: list[str]) -> str:
    noun, other, verb, tail = _names(rng, words)
    name = lower_camel(f"{verb}_{noun}_{tail}")
    return f"""
    public function {name}(array ${other}, int $limit = {rng.choice((15, 30, 90))}): array
    {{
        $out = [];
        foreach (${other} as $item) {{
            if ($item->{tail} === null) {{
                continue;
            }}
            $out[] = new {camel(noun)}($item->id, $item->{tail});
        }}
        return array_slice($out, 0, $limit);
    }}
"""


def _elixir(rng: random.Random, words: list[str]) -> str:
    noun, other, verb, tail = _names(rng, words)
    return f"""
  @doc "{verb.capitalize()}s the {noun} {tail} of a list of {other}."
  def {verb}_{noun}_{tail}({other}_list, opts \\\\ []) do
    limit = Keyword.get(opts, :limit, {rng.choice((10, 50, 200))})

    {other}_list
    |> Enum.reject(&is_nil(&1.{tail}))
    |> Enum.take(limit)
    |> Enum.map(&%{camel(noun)}{{id: &1.id, {tail}: &1.{tail}}})
  end
"""


def _cpp(rng: random.Random, words: list[str]) -> str:
    noun, other, verb, tail = _names(rng, words)
    return f"""
std::vector<{camel(noun)}> {verb}_{noun}_{tail}(const std::vector<{camel(other)}>& input) {{
  std::vector<{camel(noun)}> out;
  out.reserve(input.size());
  for (const auto& item : input) {{
    if (!item.{tail}()) continue;
    out.emplace_back(item.id(), *item.{tail}());
  }}
  return out;
}}
"""


def _yaml(rng: random.Random, words: list[str]) -> str:
    noun, other, _, tail = _names(rng, words)
    return f"""
  {noun}-{tail}:
    enabled: true
    replicas: {rng.randint(1, 4)}
    image: registry.example.com/{other}:{rng.randint(1, 4)}.{rng.randint(0, 20)}.0
    resources:
      requests:
        cpu: {rng.choice((50, 100, 250))}m
        memory: {rng.choice((64, 128, 256))}Mi
    env:
      - name: {noun.upper()}_{tail.upper()}_LIMIT
        value: "{rng.choice((10, 30, 60))}"
"""


def _terraform(rng: random.Random, words: list[str]) -> str:
    noun, other, _, tail = _names(rng, words)
    return f"""
resource "aws_{noun}_{tail}" "{other}" {{
  name        = "${{var.prefix}}-{other}-{tail}"
  description = "{noun} {tail} for {other}"
  tags        = local.common_tags

  lifecycle {{
    ignore_changes = [tags["LastSeen"]]
  }}
}}
"""


def _sql(rng: random.Random, words: list[str]) -> str:
    noun, other, _, tail = _names(rng, words)
    return f"""
{noun}_{tail} as (
    select
        {other}_id,
        min(created_at) as first_{tail}_at,
        count(*) as {tail}_count
    from {{{{ ref('stg_{other}') }}}}
    where {tail} is not null
    group by 1
),
"""


def _markdown(rng: random.Random, words: list[str]) -> str:
    noun, other, verb, tail = _names(rng, words)
    return f"""
## {verb.capitalize()} the {noun} {tail}

The {noun} {tail} belongs to exactly one {other}. Set `{noun}_{tail}_limit` when the default is
too small, and leave it alone otherwise.

1. Open the {other} you want to change.
2. Pick a {tail}.
3. Save. The list shows the new {tail} after the next refresh.
"""


def _shell(rng: random.Random, words: list[str]) -> str:
    noun, other, verb, tail = _names(rng, words)
    return f"""
{verb}_{noun}_{tail}() {{
  local {other}="${{1:?{other} missing}}"
  if [[ ! -d "${other}" ]]; then
    echo "no such {other}: ${other}" >&2
    return 2
  fi
  find "${other}" -name '*.{tail}' -print0 | sort -z
}}
"""


def _css(rng: random.Random, words: list[str]) -> str:
    noun, other, _, tail = _names(rng, words)
    return f"""
.{noun}-{tail} {{
  display: grid;
  gap: {rng.choice((4, 8, 12))}px;
}}

.{noun}-{tail} > .{other} {{
  padding: 0 {rng.choice((8, 16))}px;
}}
"""


_MAKERS: dict[str, Callable[[random.Random, list[str]], str]] = {
    "py": _python,
    "ts": _ts,
    "tsx": _ts,
    "js": _ts,
    "mjs": _ts,
    "vue": _ts,
    "svelte": _ts,
    "go": _go,
    "rs": _rust,
    "java": _java,
    "kt": _java,
    "cs": _java,
    "swift": _cpp,
    "dart": _cpp,
    "rb": _ruby,
    "php": _php,
    "ex": _elixir,
    "exs": _elixir,
    "cpp": _cpp,
    "cc": _cpp,
    "h": _cpp,
    "hpp": _cpp,
    "yaml": _yaml,
    "yml": _yaml,
    "tf": _terraform,
    "sql": _sql,
    "md": _markdown,
    "mdx": _markdown,
    "sh": _shell,
    "css": _css,
}


def file_body(rng: random.Random, path: str, words: list[str], parts: int) -> str:
    """A file of `parts` pieces in the language of the path's ending."""
    maker = _MAKERS.get(path.rsplit(".", 1)[-1], _markdown)
    return "".join(maker(rng, words) for _ in range(parts)).strip("\n") + "\n"


def symbol(rng: random.Random, words: list[str]) -> str:
    """A name worth searching for."""
    noun, _, verb, tail = _names(rng, words)
    return f"{verb}_{noun}_{tail}"


def clock(rng: random.Random) -> str:
    """A log time stamp."""
    return f"2026-09-{rng.randint(1, 28):02} {rng.randint(6, 22):02}:{rng.randint(0, 59):02}"


def log_lines(rng: random.Random, words: list[str], count: int) -> list[str]:
    """Application log lines, some with alarming words, none of them about a check."""
    forms = (
        "{t}:{s:02} INFO  {n}.{v} - {v} took {k} ms",
        "{t}:{s:02} DEBUG {n}.{x} - cache miss for {x} {k}",
        "{t}:{s:02} WARN  {n}.{x} - {x} {k} failed once, retrying (attempt 1 of 3)",
        "{t}:{s:02} ERROR {n}.{v} - simulated {x} error for case {k}",
        "{t}:{s:02} INFO  {n}.{x} - {x} {k} closed",
        "{t}:{s:02} WARN  {n} - deprecated option '{x}_{v}' is still in use",
    )
    return [
        rng.choice(forms).format(
            t=clock(rng),
            s=rng.randint(0, 59),
            n=rng.choice(words),
            v=rng.choice(VERBS),
            x=rng.choice(TAILS),
            k=rng.randint(2, 990),
        )
        for _ in range(count)
    ]


def _suite_names(rng: random.Random, words: list[str], count: int) -> list[str]:
    pool = [f"{noun}_{tail}" for noun in words for tail in TAILS]
    rng.shuffle(pool)
    return sorted(pool[:count])


def _pytest(rng: random.Random, words: list[str], count: int) -> list[str]:
    names = _suite_names(rng, words, count)
    return [
        f"tests/test_{name}.py {'.' * rng.randint(3, 24)}".ljust(72)
        + f"[{(n * 96) // count + 3:>3}%]"
        for n, name in enumerate(names)
    ]


def _vitest(rng: random.Random, words: list[str], count: int) -> list[str]:
    return [
        f" ✓ src/{name.replace('_', '-')}.test.ts ({rng.randint(2, 22)} tests) "
        f"{rng.randint(3, 480)}ms"
        for name in _suite_names(rng, words, count)
    ]


def _jest(rng: random.Random, words: list[str], count: int) -> list[str]:
    return [f"PASS  src/{name}.test.js" for name in _suite_names(rng, words, count)]


def _gotest(rng: random.Random, words: list[str], count: int) -> list[str]:
    return [
        f"ok  \texample.com/app/internal/{name}\t{rng.randint(3, 900) / 1000:.3f}s"
        for name in _suite_names(rng, words, count)
    ]


def _cargo(rng: random.Random, words: list[str], count: int) -> list[str]:
    return [f"test {name}::keeps_order ... ok" for name in _suite_names(rng, words, count)]


def _maven(rng: random.Random, words: list[str], count: int) -> list[str]:
    out: list[str] = []
    for name in _suite_names(rng, words, count):
        tests = rng.randint(2, 14)
        out.append(f"[INFO] Running com.example.{camel(name)}Test")
        out.append(
            f"[INFO] Tests run: {tests}, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: "
            f"{rng.randint(20, 900) / 1000:.3f} s -- in com.example.{camel(name)}Test"
        )
    return out


def _ctest(rng: random.Random, words: list[str], count: int) -> list[str]:
    out: list[str] = []
    for n, name in enumerate(_suite_names(rng, words, count), 1):
        out.append(f"      Start {n:>2}: {name}")
        out.append(
            f"{n:>2}/{count} Test #{n}: {name} ".ljust(48, ".")
            + f"   Passed    {rng.randint(1, 90) / 100:.2f} sec"
        )
    return out


def _npm(rng: random.Random, words: list[str], count: int) -> list[str]:
    names = ("inflight", "glob", "rimraf", "abab", "domexception", "sourcemap-codec", "uuid", "q")
    return [
        f"npm warn deprecated {rng.choice(names)}@{rng.randint(1, 8)}.{rng.randint(0, 9)}.0: "
        "this version is no longer supported"
        for _ in range(count)
    ]


def _build(rng: random.Random, words: list[str], count: int) -> list[str]:
    return [
        f"[{n * 100 // count:>3}%] Building CXX object src/CMakeFiles/app.dir/{name}.cc.o"
        for n, name in enumerate(_suite_names(rng, words, count))
    ]


def _docker(rng: random.Random, words: list[str], count: int) -> list[str]:
    return [
        f"#{n} [stage-1 {n}/{count}] COPY {rng.choice(words)} /app/{rng.choice(TAILS)} "
        f"DONE {rng.randint(1, 40) / 10}s"
        for n in range(1, count + 1)
    ]


def _listing(rng: random.Random, words: list[str], count: int) -> list[str]:
    return [
        f"-rw-r--r-- 1 dev dev {rng.randint(120, 48000):>6} Sep {rng.randint(1, 28):>2} "
        f"{rng.randint(6, 22):02}:{rng.randint(0, 59):02} {name}"
        for name in _suite_names(rng, words, count)
    ]


def _refresh(rng: random.Random, words: list[str], count: int) -> list[str]:
    return [
        f"aws_{rng.choice(words)}_{rng.choice(TAILS)}.{rng.choice(words)}: Refreshing state... "
        f"[id={rng.randrange(16**8):08x}]"
        for _ in range(count)
    ]


def _rows(rng: random.Random, words: list[str], count: int) -> list[str]:
    return [
        f"{rng.randint(1000, 9999)},{rng.choice(words)},{rng.choice(TAILS)},"
        f"{rng.randint(100, 99999) / 100:.2f}"
        for _ in range(count)
    ]


def _commits(rng: random.Random, words: list[str], count: int) -> list[str]:
    forms = (
        "fix {x} of the {n}",
        "{n}: keep the {x} when it is empty",
        "docs: explain the {n} {x}",
        "chore: bump {n} tooling",
        "feat({n}): {v} by {x}",
    )
    return [
        f"{rng.randrange(16**7):07x} "
        + rng.choice(forms).format(
            n=rng.choice(words), x=rng.choice(TAILS), v=rng.choice(VERBS)
        )
        for _ in range(count)
    ]


MACROS: dict[str, Callable[[random.Random, list[str], int], list[str]]] = {
    "logs": log_lines,
    "pytest": _pytest,
    "vitest": _vitest,
    "jest": _jest,
    "gotest": _gotest,
    "cargo": _cargo,
    "maven": _maven,
    "ctest": _ctest,
    "npm": _npm,
    "build": _build,
    "docker": _docker,
    "listing": _listing,
    "refresh": _refresh,
    "rows": _rows,
    "commits": _commits,
}

REMARKS: dict[str, tuple[str, ...]] = {
    "en": (
        "Let me see how the {n} code is wired before I touch anything.",
        "Next, the callers of the {n} {x}.",
        "That explains the {x}. Now the other side.",
        "I want to know who owns the {n} here.",
        "Looking at the {x} handling next.",
        "The interesting part seems to sit further down.",
        "Checking whether the {n} has a second entry point.",
        "Not here. I'll look in the neighbouring module.",
        "Let me read the {n} side as well, so I don't guess.",
        "OK, that is only a helper. On to the {x}.",
        "I'll have a look at the history of this piece.",
        "Now I understand the shape of the {n} {x}.",
    ),
    "de": (
        "Ich sehe mir zuerst an, wo {n} verwendet wird.",
        "Als Nächstes der Teil mit {x}.",
        "Das ist nur ein Helfer, weiter zum Aufrufer.",
        "Ich lese noch die Gegenseite, bevor ich etwas ändere.",
    ),
    "es": (
        "Primero miro dónde se usa {n}.",
        "Ahora la parte de {x}.",
        "Esto es solo una ayuda; sigo con quien la llama.",
        "Leo también el otro lado antes de tocar nada.",
    ),
    "fr": (
        "Je regarde d'abord où {n} est utilisé.",
        "Ensuite, la partie {x}.",
        "Ce n'est qu'un utilitaire, je passe à l'appelant.",
        "Je lis aussi l'autre côté avant de modifier quoi que ce soit.",
    ),
    "pt": (
        "Primeiro vejo onde {n} é usado.",
        "Agora a parte de {x}.",
        "Isto é só um auxiliar; passo para quem o chama.",
        "Leio também o outro lado antes de mexer.",
    ),
    "it": (
        "Prima guardo dove viene usato {n}.",
        "Ora la parte di {x}.",
        "Questo è solo un aiuto, passo al chiamante.",
        "Leggo anche l'altro lato prima di toccare qualcosa.",
    ),
    "zh": (
        "先看一下 {n} 在哪里被用到。",
        "接着看 {x} 这部分。",
        "这只是个辅助函数，继续看调用方。",
        "动手之前把另一侧也读一遍。",
    ),
    "ja": (
        "まず {n} がどこで使われているか見ます。",
        "次は {x} の部分です。",
        "これは補助関数なので、呼び出し元を見ます。",
        "変更する前に反対側も読んでおきます。",
    ),
    "ko": (
        "먼저 {n} 이 어디에서 쓰이는지 보겠습니다.",
        "다음은 {x} 부분입니다.",
        "이건 보조 함수라서 호출하는 쪽을 봅니다.",
        "고치기 전에 반대쪽도 읽어 보겠습니다.",
    ),
    "ru": (
        "Сначала посмотрю, где используется {n}.",
        "Теперь часть с {x}.",
        "Это только помощник, иду к вызывающему коду.",
        "Прочту и другую сторону, прежде чем менять.",
    ),
}


def remark(rng: random.Random, language: str, words: list[str]) -> str:
    """A sentence an agent says between two looks."""
    forms = REMARKS.get(language, REMARKS["en"])
    return rng.choice(forms).format(n=rng.choice(words), x=rng.choice(TAILS))
