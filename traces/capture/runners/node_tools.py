# ruff: noqa: E501  (the outputs and projects are long lines)
"""jest, vitest, mocha, node:test, tape, bun, Playwright, tsc, eslint, prettier, bundlers, npm, pnpm, yarn."""

from __future__ import annotations

from _record import Recorder, kit

PACKAGES = (
    "jest vitest mocha typescript eslint@9 prettier stylelint @biomejs/biome tape @playwright/test"
    " webpack webpack-cli vite esbuild rollup pyright markdownlint-cli2 svelte svelte-check vue-tsc vue"
    " turbo pnpm@9 yarn@1 bun husky lint-staged cspell"
)
OK = "test('a', () => {{ expect(1).toBe(1) }})\ntest('b', () => {{ expect(2).toBe(2) }})\n".replace(
    "{{", "{"
).replace("}}", "}")
BAD = OK + "test('bad', () => { expect(1).toBe(2) })\n"
LOUD = OK + "test('loud', () => { console.error('Task 2 failed: 84\\n3 failed, 0 passed') })\n"
SKIP = "test.skip('s', () => {})\n"
MOCHA = "const a = require('assert')\nit('a', () => {})\nit('b', () => a.equal(1, 1))\n"
NODE = "const t = require('node:test'), a = require('assert')\nt('a', () => {})\nt('b', () => a.equal(1, 1))\n"
V = "import { test, expect } from 'vitest'\n"


def test(outcome: str, **counts: int) -> dict[str, object]:
    return {"kind": "test", "outcome": outcome, **counts}


def jest(bin_: str) -> None:
    with Recorder("jest", bin_) as r:
        r.write({"package.json": '{"name":"x","jest":{"testEnvironment":"node"}}'})
        for name, text in (("ok", OK), ("bad", BAD), ("loud", LOUD), ("skip", SKIP)):
            r.write({f"{name}/a.test.js": text})
        r.write(
            {
                "broken/a.test.js": "import x from 'nothing'\n",
                "none/a.js": "",
                "two/a.test.js": BAD,
                "two/b.test.js": OK,
                "slow/a.test.js": "test('s', () => new Promise(() => {}), 60000)\n",
            }
        )
        r.write({"mixb/a.test.js": "require('nothing')\n", "mixb/b.test.js": OK})
        r.run("passing", "jest ok/", test("passed", passed=2, total=2), exit_code=0)
        r.run("passing verbose", "jest --verbose ok/", test("passed", passed=2), exit_code=0)
        r.run("passing loud", "jest loud/", test("passed", passed=3), exit_code=0)
        r.run("failing", "jest bad/", test("failed", passed=2, failed=1), exit_code=1)
        r.run(
            "failing colour", "jest --colors bad/", test("failed", passed=2, failed=1), exit_code=1
        )
        r.run(
            "failing two files",
            "jest two/",
            test("failed", passed=4, failed=1, files=2),
            exit_code=1,
        )
        r.run("skipped", "jest skip/", test("skipped", skipped=1), exit_code=0)
        r.run("empty", "jest none/", test("empty"), exit_code=1)
        r.run("empty allowed", "jest --passWithNoTests none/", test("empty"), exit_code=0)
        r.run("compile error", "jest broken/", test("error"), exit_code=1)
        r.run("compile error beside", "jest mixb/", test("failed", passed=2), exit_code=1)
        r.run("name filter without a match", "jest -t nothing ok/", test("skipped", skipped=2))
        r.run("piped", "jest bad/ 2>&1 | tail -5", test("failed", passed=2, failed=1), exit_code=0)
        r.run("piped too short", "jest bad/ 2>&1 | tail -1", None, exit_code=0)
        r.run("piped head", "jest bad/ 2>&1 | head -3", test("failed"), exit_code=0)
        r.run("piped grep", "jest bad/ 2>&1 | grep Tests:", test("failed", passed=2, failed=1))
        r.run("masked", "jest bad/ || true", test("failed", passed=2, failed=1), exit_code=0)
        r.run(
            "masked echo",
            "jest bad/; echo exit: $?",
            test("failed", passed=2, failed=1),
            exit_code=0,
        )
        r.run(
            "timeout",
            "timeout 3 jest slow/; echo exit: $?",
            {"kind": "script", "outcome": "timeout"},
        )
        r.run(
            "killed",
            "timeout -s KILL 3 jest slow/; echo done",
            {"kind": "script", "outcome": "killed"},
        )
        r.run(
            "json",
            "jest --json --silent bad/ 2>/dev/null",
            test("failed", passed=2, failed=1),
            exit_code=1,
        )
        r.write(
            {
                "cov/lib.js": "exports.f = x => {\n  if (x) return 1\n  return 2\n}\n",
                "cov/a.test.js": "require('./lib')\n" + OK,
            }
        )
        r.run(
            "coverage",
            'jest --coverage --coverageThreshold \'{"global":{"lines":99}}\' cov/',
            test("failed", passed=2),
            exit_code=1,
        )


def vitest(bin_: str) -> None:
    with Recorder("vitest", bin_) as r:
        r.write({"package.json": '{"name":"x","type":"module"}'})
        r.run(
            "setup",
            "ln -s $RECORD_NODE_MODULES node_modules",
            None,
            env={"RECORD_NODE_MODULES": bin_.rsplit("/", 1)[0]},
        )
        r.rows.clear()
        for name, text in (("ok", OK), ("bad", BAD), ("loud", LOUD), ("skip", SKIP)):
            r.write({f"{name}/a.test.ts": V + text})
        r.write(
            {
                "broken/a.test.ts": "import './nothing'\n" + V + OK,
                "none/a.ts": "",
                "un/a.test.ts": V
                + "test('u', () => { setTimeout(() => { throw new Error('late') }, 0) })\n"
                "test('w', () => new Promise(r => setTimeout(r, 50)))\n",
                "empty/a.test.ts": V,
            }
        )
        r.run("passing", "vitest run --dir ok", test("passed", passed=2, files=1), exit_code=0)
        r.run(
            "passing verbose",
            "vitest run --reporter=verbose --dir ok",
            test("passed", passed=2),
            exit_code=0,
        )
        r.run("passing loud", "vitest run --dir loud", test("passed", passed=3), exit_code=0)
        r.run("failing", "vitest run --dir bad", test("failed", passed=2, failed=1), exit_code=1)
        r.run(
            "failing colour",
            "FORCE_COLOR=1 vitest run --dir bad",
            test("failed", passed=2, failed=1),
        )
        r.run("skipped", "vitest run --dir skip", test("skipped", skipped=1), exit_code=0)
        r.run("empty", "vitest run --dir none", test("empty"), exit_code=1)
        r.run("no suite", "vitest run --dir empty", test("error"), exit_code=1)
        r.run("import error", "vitest run --dir broken", test("error"), exit_code=1)
        r.run("unhandled error", "vitest run --dir un", test("failed", passed=2), exit_code=1)
        r.run(
            "piped",
            "vitest run --dir bad 2>&1 | tail -6",
            test("failed", passed=2, failed=1),
            exit_code=0,
        )
        r.run(
            "piped grep",
            "vitest run --dir bad 2>&1 | grep FAIL",
            test("failed", failed=1),
            exit_code=0,
        )
        r.run(
            "masked",
            "vitest run --dir bad || true",
            test("failed", passed=2, failed=1),
            exit_code=0,
        )
        r.run(
            "dot",
            "vitest run --reporter=dot --dir bad",
            test("failed", passed=2, failed=1),
            exit_code=1,
        )


def small(bin_: str) -> None:
    with Recorder("mocha", bin_) as r:
        r.write(
            {
                "ok.js": MOCHA,
                "bad.js": MOCHA + "it('c', () => a.equal(1, 2))\n",
                "skip.js": "it.skip('s', () => {})\n",
                "none.js": "",
                "broken.js": "require('nothing')\n",
                "pend.js": MOCHA + "it('later')\n",
            }
        )
        r.run("passing", "mocha ok.js", test("passed", passed=2), exit_code=0)
        r.run("failing", "mocha bad.js", test("failed", passed=2, failed=1), exit_code=1)
        r.run("pending", "mocha pend.js", test("passed", passed=2, skipped=1), exit_code=0)
        r.run("skipped", "mocha skip.js", test("skipped", skipped=1), exit_code=0)
        r.run("empty", "mocha none.js", test("empty"), exit_code=0)
        r.run("no file", "mocha nothing.js", test("empty"), exit_code=1)
        r.run("load error", "mocha broken.js", None, exit_code=1)
        r.run("dot", "mocha -R dot bad.js", test("failed", passed=2, failed=1), exit_code=1)
        r.run("tap", "mocha -R tap bad.js", test("failed", passed=2, failed=1), exit_code=1)
        r.run(
            "masked", "mocha bad.js; echo exit=$?", test("failed", passed=2, failed=1), exit_code=0
        )
        r.run("piped", "mocha bad.js | head -8", test("failed", passed=2, failed=1), exit_code=0)
    with Recorder("node-test", bin_) as r:
        r.write(
            {
                "ok.test.js": NODE,
                "bad.test.js": NODE + "t('c', () => a.equal(1, 2))\n",
                "skip.test.js": "require('node:test').skip('s', () => {})\n",
                "broken.test.js": "require('nothing')\n",
                "loud.test.js": NODE + "console.log('# fail 3\\n3 failed')\n",
            }
        )
        for rep in ("spec", "tap"):
            n = f"node --test --test-reporter={rep}"
            r.run(
                f"passing {rep}",
                f"{n} ok.test.js",
                test("passed", passed=2, failed=0, total=2),
                exit_code=0,
            )
            r.run(
                f"failing {rep}",
                f"{n} bad.test.js",
                test("failed", passed=2, failed=1),
                exit_code=1,
            )
            r.run(f"skipped {rep}", f"{n} skip.test.js", test("skipped", skipped=1), exit_code=0)
            r.run(f"broken {rep}", f"{n} broken.test.js", test("failed", failed=1), exit_code=1)
            r.run(
                f"filtered {rep}",
                f"{n} --test-name-pattern=nothing ok.test.js",
                test("skipped", skipped=2),
            )
            r.run(
                f"masked {rep}",
                f"{n} bad.test.js || true",
                test("failed", passed=2, failed=1),
                exit_code=0,
            )
        r.run("no file", "node --test nothing.test.js", test("error"), exit_code=1)
        r.run(
            "piped",
            "node --test bad.test.js | grep -E '^# (pass|fail)'",
            test("failed", passed=2, failed=1),
        )
        r.run("plain script", "node bad.test.js", test("failed", passed=2, failed=1), exit_code=1)
    with Recorder("tape", bin_) as r:
        r.run("setup", "ln -s $M node_modules", None, env={"M": bin_.rsplit("/", 1)[0]})
        r.rows.clear()
        t = "const t = require('tape')\nt('a', x => { x.equal(1, 1); x.end() })\n"
        r.write({"ok.js": t, "bad.js": t + "t('b', x => { x.equal(1, 2); x.end() })\n"})
        r.run("passing", "tape ok.js", test("passed", passed=1), exit_code=0)
        r.run("failing", "tape bad.js", test("failed", passed=1, failed=1), exit_code=1)
        r.run("piped", "tape bad.js | tail -4", test("failed", passed=1, failed=1), exit_code=0)
    with Recorder("bun", bin_) as r:
        r.write(
            {
                "ok.test.ts": "import { test, expect } from 'bun:test'\n" + OK,
                "bad.test.ts": "import { test, expect } from 'bun:test'\n" + BAD,
                "skip.test.ts": "import { test } from 'bun:test'\n" + SKIP,
                "broken.test.ts": "import './nothing'\n",
                "package.json": '{"name":"x","scripts":{"test":"bun test bad.test.ts"}}',
            }
        )
        r.run("passing", "bun test ./ok.test.ts", test("passed", passed=2, failed=0), exit_code=0)
        r.run("failing", "bun test ./bad.test.ts", test("failed", passed=2, failed=1), exit_code=1)
        r.run("skipped", "bun test ./skip.test.ts", test("skipped", skipped=1), exit_code=0)
        r.run(
            "import error",
            "bun test ./broken.test.ts",
            test("failed", passed=0, failed=1),
            exit_code=1,
        )
        r.run(
            "nothing in it",
            "touch none.test.ts; bun test ./none.test.ts",
            test("empty"),
            exit_code=0,
        )
        r.run("script", "bun run test", test("failed", passed=2, failed=1), exit_code=1)
        r.run(
            "no script", "bun run nothing-here", {"kind": "script", "outcome": "error"}, exit_code=1
        )
        r.run("no file", "bun test ./nothing.test.ts", test("empty"), exit_code=1)
    with Recorder("playwright", bin_) as r:
        r.run("setup", "ln -s $M node_modules", None, env={"M": bin_.rsplit("/", 1)[0]})
        r.rows.clear()
        p = "import { test, expect } from '@playwright/test'\n"
        r.write(
            {
                "ok/a.spec.ts": p + OK,
                "bad/a.spec.ts": p + BAD,
                "skip/a.spec.ts": p + SKIP,
                "none/a.ts": "",
                "broken/a.spec.ts": "import './nothing'\n",
                "max/a.spec.ts": p + "test('x', () => { expect(1).toBe(2) })\n" + OK,
                "flaky/a.spec.ts": p + "test('f', ({}, i) => { expect(i.retry).toBe(1) })\n" + OK,
            }
        )
        for rep in ("list", "line", "dot"):
            r.run(
                f"passing {rep}",
                f"playwright test --reporter={rep} ok/",
                test("passed", passed=2),
                exit_code=0,
            )
            r.run(
                f"failing {rep}",
                f"playwright test --reporter={rep} bad/",
                test("failed", passed=2, failed=1),
                exit_code=1,
            )
        r.run(
            "skipped",
            "playwright test --reporter=list skip/",
            test("skipped", skipped=1),
            exit_code=0,
        )
        r.run("empty", "playwright test none/", test("empty"), exit_code=1)
        r.run("import error", "playwright test --reporter=list broken/", test("empty"), exit_code=1)
        r.run(
            "max failures",
            "playwright test --reporter=list -x -j 1 max/",
            test("failed", failed=1),
            exit_code=1,
        )
        r.run(
            "flaky",
            "playwright test --reporter=list --retries 1 flaky/",
            test("passed", passed=2),
            exit_code=0,
        )
        r.run(
            "piped",
            "playwright test --reporter=list bad/ | tail -4",
            test("failed", passed=2, failed=1),
            exit_code=0,
        )


def checkers(bin_: str) -> None:
    def row(kind: str, outcome: str, **counts: int) -> dict[str, object]:
        return {"kind": kind, "outcome": outcome, **counts}

    ts = {
        "ok/a.ts": "export const x: number = 1\n",
        "bad/a.ts": "export const x: number = 'a'\nconst y: string = 1\n",
        "two/a.ts": "const x: number = 'a'\n",
        "two/b.ts": "const y: number = 'a'\n",
    }
    with Recorder("tsc", bin_) as r:
        r.write({**ts, "tsconfig.json": '{"include":["nothing/**/*"]}'})
        tsc = "tsc --ignoreConfig --noEmit --strict"
        r.run("passing", f"{tsc} ok/a.ts", None, exit_code=0)
        r.run("failing", f"{tsc} bad/a.ts", row("types", "failed", failed=2))
        r.run("failing pretty", f"{tsc} --pretty bad/a.ts", row("types", "failed", failed=2))
        r.run(
            "failing pretty two",
            f"{tsc} --pretty two/a.ts two/b.ts",
            row("types", "failed", failed=2, files=2),
        )
        r.run("masked", f"{tsc} bad/a.ts || true", row("types", "failed", failed=2), exit_code=0)
        r.run(
            "masked echo",
            f'{tsc} bad/a.ts; echo "exit: $?"',
            row("types", "failed", failed=2),
            exit_code=0,
        )
        r.run("echo pass", f'{tsc} ok/a.ts; echo "exit: $?"', row("script", "passed"), exit_code=0)
        r.run(
            "piped",
            f"{tsc} --pretty bad/a.ts | tail -2",
            row("types", "failed", failed=2),
            exit_code=0,
        )
        r.run("no inputs", "tsc --noEmit", row("types", "empty"))
        r.run("bad option", "tsc --noEmit --noSuchOption", row("types", "error"))
    with Recorder("eslint", bin_) as r:
        r.write(
            {
                "eslint.config.js": "module.exports=[{rules:{'no-undef':2,'no-unused-vars':1,'no-var':2}}]\n",
                "ok.js": "let a = 1\na\n",
                "bad.js": "var a = b\nc()\n",
                "warn.js": "let a = 1\n",
                "syntax.js": "let = (\n",
            }
        )
        r.run("passing", "eslint ok.js", None, exit_code=0)
        r.run("failing", "eslint bad.js", row("lint", "failed", failed=3), exit_code=1)
        r.run(
            "failing colour", "eslint --color bad.js", row("lint", "failed", failed=3), exit_code=1
        )
        r.run("warning", "eslint warn.js", row("lint", "passed", failed=0), exit_code=0)
        r.run("max warnings", "eslint --max-warnings 0 warn.js", row("lint", "failed"), exit_code=1)
        r.run("syntax", "eslint syntax.js", row("lint", "failed", failed=1), exit_code=1)
        r.run("no files", "eslint nothing/", row("lint", "error"), exit_code=2)
        r.run("piped", "eslint bad.js | tail -3", row("lint", "failed", failed=3), exit_code=0)
        r.run("piped head", "eslint bad.js | head -4", row("lint", "failed"), exit_code=0)
        r.run("masked", "eslint bad.js || true", row("lint", "failed", failed=3), exit_code=0)
    with Recorder("prettier", bin_) as r:
        r.write(
            {
                "ok.js": "let a = 1;\n",
                "bad.js": "let a=1\n",
                "bad2.js": "let  b=1\n",
                "syntax.js": "let = (\n",
            }
        )
        r.run("passing", "prettier --check ok.js", row("format", "passed"), exit_code=0)
        r.run("failing one", "prettier --check bad.js ok.js", row("format", "failed"), exit_code=1)
        r.run("failing two", "prettier --check .", row("format", "error"))
        r.run(
            "failing two files",
            "prettier --check bad.js bad2.js",
            row("format", "failed", failed=2),
            exit_code=1,
        )
        r.run("no files", "prettier --check nothing.js", row("format", "empty"), exit_code=2)
        r.run("syntax", "prettier --check syntax.js", row("format", "error"), exit_code=2)
        r.run("masked", "prettier --check bad.js || true", row("format", "failed"), exit_code=0)
    with Recorder("biome", bin_) as r:
        r.write(
            {
                "ok.js": "const a = 1;\nconsole.log(a);\n",
                "bad.js": "const a = 1;\nif (a == 1) { debugger }\n",
            }
        )
        r.run("passing", "biome check ok.js", row("lint", "passed", files=1), exit_code=0)
        r.run("failing", "biome lint bad.js", row("lint", "failed"), exit_code=1)
        r.run("piped", "biome lint bad.js 2>&1 | tail -8", row("lint", "failed"), exit_code=0)
        r.run("no files", "biome lint nothing.js", row("lint", "failed"), exit_code=1)
    with Recorder("stylelint", bin_) as r:
        r.write(
            {
                ".stylelintrc.json": '{"rules":{"color-no-invalid-hex":true}}',
                "ok.css": "a { color: #fff }\n",
                "bad.css": "a { color: #ggg }\n",
            }
        )
        r.run("passing", "stylelint ok.css", None, exit_code=0)
        r.run("failing", "stylelint bad.css", row("lint", "failed", failed=1), exit_code=2)
        r.run("no files", "stylelint nothing.css", row("lint", "error"), exit_code=1)
    with Recorder("pyright", bin_) as r:
        r.write({"ok.py": "x: int = 1\n", "bad.py": "x: int = 'a'\n"})
        r.run("passing", "pyright ok.py", row("types", "passed", failed=0), exit_code=0)
        r.run("failing", "pyright bad.py", row("types", "failed", failed=1), exit_code=1)
        r.run("no files", "mkdir none; pyright none", row("types", "passed"))
    with Recorder("markdownlint", bin_) as r:
        r.write({"ok.md": "# Hi\n\nText.\n", "bad.md": "# Hi\nText\n# Hi\n"})
        r.run("passing", "markdownlint-cli2 ok.md", row("lint", "passed", failed=0), exit_code=0)
        r.run("failing", "markdownlint-cli2 bad.md", row("lint", "failed"), exit_code=1)
        r.run(
            "piped", "markdownlint-cli2 bad.md 2>&1 | tail -2", row("lint", "failed"), exit_code=0
        )
    with Recorder("cspell", bin_) as r:
        r.write({"ok.md": "Hello world\n", "bad.md": "Hello wrold qwxzzy\n"})
        r.run("passing", "cspell ok.md", row("lint", "passed", failed=0), exit_code=0)
        r.run("failing", "cspell bad.md", row("lint", "failed", failed=2), exit_code=1)
    with Recorder("vue-svelte", bin_) as r:
        r.run("setup", "ln -s $M node_modules", None, env={"M": bin_.rsplit("/", 1)[0]})
        r.rows.clear()
        r.write(
            {
                "s/ok/A.svelte": "<script>let x = 1</script><p>{x}</p>\n",
                "s/bad/A.svelte": "<script lang='ts'>let x: number = 'a'</script><p>{x}</p>\n",
                "v/tsconfig.json": '{"compilerOptions":{"strict":true,"noEmit":true},"include":["*.vue"]}',
                "v/A.vue": "<script setup lang='ts'>\nconst x: number = 'a'\n</script>\n<template>{{ x }}</template>\n",
            }
        )
        r.run(
            "svelte-check passing",
            "svelte-check --no-tsconfig --workspace s/ok",
            row("types", "passed", failed=0),
        )
        r.run(
            "svelte-check failing",
            "svelte-check --no-tsconfig --workspace s/bad",
            row("types", "failed", failed=1),
        )
        r.run("vue-tsc failing", "vue-tsc --noEmit -p v", row("types", "failed", failed=1))


def builds(bin_: str) -> None:
    def row(outcome: str, **counts: int) -> dict[str, object]:
        return {"kind": "build", "outcome": outcome, **counts}

    with Recorder("bundlers", bin_) as r:
        r.run("setup", "ln -s $M node_modules", None, env={"M": bin_.rsplit("/", 1)[0]})
        r.rows.clear()
        r.write(
            {
                "ok.js": "console.log(1)\n",
                "bad.js": "import x from './nothing.js'\nx()\n",
                "package.json": '{"name":"x","type":"module"}',
                "v/index.html": "<script type=module src=./ok.js></script>",
                "v/ok.js": "console.log(1)\n",
                "vb/index.html": "<script type=module src=./bad.js></script>",
                "vb/bad.js": "import './nothing.js'\n",
            }
        )
        r.run(
            "webpack passing",
            "webpack --mode production --entry ./ok.js",
            row("passed"),
            exit_code=0,
        )
        r.run(
            "webpack failing",
            "webpack --mode production --entry ./bad.js",
            row("failed", failed=1),
            exit_code=1,
        )
        r.run("webpack warning", "webpack --entry ./ok.js", row("passed"), exit_code=0)
        r.run("vite passing", "vite build v", row("passed"), exit_code=0)
        r.run("vite failing", "vite build vb", row("failed"), exit_code=1)
        r.run(
            "vite masked",
            "vite build vb 2>&1 | tail -20; echo exit: ${PIPESTATUS[0]}",
            {"kind": "script", "outcome": "failed"},
            exit_code=0,
        )
        r.run(
            "esbuild passing", "esbuild ok.js --bundle --outfile=o.js", row("passed"), exit_code=0
        )
        r.run(
            "esbuild failing",
            "esbuild bad.js --bundle --outfile=o.js",
            row("failed", failed=1),
            exit_code=1,
        )
        r.run("rollup passing", "rollup ok.js --file o2.js", row("passed"), exit_code=0)
        r.run("rollup failing", "rollup bad.js --file o2.js --external none", None)


def managers(bin_: str) -> None:
    with Recorder("npm", bin_) as r:
        r.write(
            {
                "package.json": '{"name":"x","version":"1.0.0","scripts":{"test":"node -e \\"process.exit(1)\\"","lint":"eslint --no-such-flag .",'
                '"build":"echo built","missing":"no-such-tool --x","kill":"kill -9 $$"}}',
                "dep/package.json": '{"name":"dep","version":"1.0.0"}',
                "ws/package.json": '{"name":"root","workspaces":["a"]}',
                "ws/a/package.json": '{"name":"a","version":"1.0.0","scripts":{"test":"exit 3"}}',
            }
        )
        npm = "npm --offline --no-audit --no-fund"
        r.run(
            "test failing",
            'npm test; echo "exit: $?"',
            {"kind": "script", "outcome": "failed"},
            exit_code=0,
        )
        r.run("no script", "npm run typecheck", {"kind": "types", "outcome": "error"}, exit_code=1)
        r.run(
            "no such tool", "npm run missing", {"kind": "script", "outcome": "error"}, exit_code=127
        )
        r.run(
            "workspace failing",
            "npm test --workspaces",
            {"kind": "test", "outcome": "failed"},
            folder="ws",
            exit_code=3,
        )
        r.run(
            "install", f"{npm} install ./dep", {"kind": "install", "outcome": "passed"}, exit_code=0
        )
        r.run(
            "install again", f"{npm} install", {"kind": "install", "outcome": "passed"}, exit_code=0
        )
        r.run(
            "install missing",
            f"{npm} install no-such-package-here",
            {"kind": "install", "outcome": "failed"},
            exit_code=1,
        )
        r.run(
            "ci without lock",
            "mkdir e && cd e && echo '{}' > package.json && npm ci",
            {"kind": "install", "outcome": "failed"},
            exit_code=1,
        )
        r.run(
            "install piped",
            f"{npm} install no-such-package-here 2>&1 | tail -4",
            {"kind": "install", "outcome": "failed"},
            exit_code=0,
        )
        r.run("no package.json", "mkdir -p f && cd f && npm test", None)
        r.run("build", "npm run build", None, exit_code=0)
    with Recorder("pnpm", bin_) as r:
        r.write(
            {
                "package.json": '{"name":"root","scripts":{"test":"exit 1","build":"true"}}',
                "pnpm-workspace.yaml": "packages: ['packages/*']\n",
                "packages/core/package.json": '{"name":"core","scripts":{"test":"echo \\"Tests:       3 passed, 3 total\\""}}',
                "packages/web/package.json": '{"name":"web","scripts":{"lint":"exit 2"}}',
            }
        )
        r.run("failing", "pnpm test", {"kind": "test", "outcome": "failed"}, exit_code=1)
        r.run("no script", "pnpm run typecheck", {"kind": "types", "outcome": "error"}, exit_code=1)
        r.run(
            "recursive failing",
            "pnpm -r lint",
            {"kind": "script", "outcome": "failed"},
            exit_code=2,
        )
        r.run(
            "recursive passing",
            "pnpm -r --filter './packages/core' test",
            {"kind": "test", "outcome": "passed", "passed": 3},
            exit_code=0,
        )
        r.run(
            "recursive prefixed",
            "pnpm -r --filter './packages/*' --parallel test",
            {"kind": "test", "outcome": "passed", "passed": 3},
        )
    with Recorder("yarn", bin_) as r:
        r.write({"package.json": '{"name":"x","scripts":{"test":"exit 1"},"license":"MIT"}'})
        r.run("failing", "yarn test", {"kind": "script", "outcome": "failed"}, exit_code=1)
        r.run("no script", "yarn typecheck", {"kind": "types", "outcome": "error"}, exit_code=1)
        r.run(
            "install",
            "yarn install --offline",
            {"kind": "install", "outcome": "passed"},
            exit_code=0,
        )


def main() -> None:
    bin_ = str(kit("node", PACKAGES))
    for record in (jest, vitest, small, checkers, builds, managers):
        record(bin_)


if __name__ == "__main__":
    main()
