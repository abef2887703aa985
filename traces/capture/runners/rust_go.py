"""cargo test, build, check, clippy, fmt; go test, build, vet; gotestsum."""

from __future__ import annotations

from _record import Recorder


def row(kind: str, outcome: str, **counts: int) -> dict[str, object]:
    return {"kind": kind, "outcome": outcome, **counts}


def cargo() -> None:
    with Recorder("cargo") as r:
        toml = '[package]\nname = "x"\nversion = "0.1.0"\nedition = "2021"\n'
        fine = "pub fn f() -> i32 { 1 }\n"
        t = "#[cfg(test)]\nmod t {\n    #[test] fn a() {}\n    #[test] fn b() {}\n"
        it = "#[test] fn i() {}\n"
        for name, text in (
            ("ok", fine + t + "}\n"),
            ("bad", fine + t + "    #[test] fn c() { assert_eq!(1, 2); }\n}\n"),
            ("ign", "#[test]\n#[ignore]\nfn s() {}\n"),
            ("none", fine),
            ("broken", 'pub fn f() -> i32 { "a" }\n'),
            ("brokentest", fine + "#[cfg(test)]\nmod t {\n    #[test] fn a() { nothing(); }\n}\n"),
            ("warn", "pub fn f() { let x = 1; }\n"),
            ("lint", "pub fn f(v: &Vec<i32>) -> bool { v.len() == 0 }\n"),
            (
                "slow",
                "#[test] fn s() { std::thread::sleep(std::time::Duration::from_secs(60)); }\n",
            ),
            (
                "loud",
                fine + '#[test] fn l() { println!("test x ... FAILED\\n1 failed, 0 passed"); }\n',
            ),
        ):
            r.write({f"{name}/Cargo.toml": toml, f"{name}/src/lib.rs": text})
        r.write({"ok/tests/it.rs": it, "bad/tests/it.rs": it})
        r.run(
            "passing",
            "cargo test --offline",
            row("test", "passed", passed=3, failed=0),
            folder="ok",
            exit_code=0,
        )
        r.run(
            "passing quiet",
            "cargo test -q --offline",
            row("test", "passed", passed=3),
            folder="ok",
            exit_code=0,
        )
        r.run(
            "passing again",
            "cargo test --offline 2>&1 | tail -3",
            row("test", "empty"),
            folder="ok",
            exit_code=0,
        )
        r.run(
            "lib only",
            "cargo test --offline --lib",
            row("test", "passed", passed=2),
            folder="ok",
            exit_code=0,
        )
        r.run(
            "name filter",
            "cargo test --offline no_such_test",
            row("test", "empty", passed=0),
            folder="ok",
            exit_code=0,
        )
        r.run(
            "passing loud",
            "cargo test --offline --lib -- --nocapture",
            row("test", "passed", passed=1),
            folder="loud",
            exit_code=0,
        )
        r.run(
            "failing",
            "cargo test --offline",
            row("test", "failed", passed=2, failed=1),
            folder="bad",
            exit_code=101,
        )
        r.run(
            "failing no fail fast",
            "cargo test --offline --no-fail-fast",
            row("test", "failed", passed=3, failed=1),
            folder="bad",
            exit_code=101,
        )
        r.run(
            "failing piped",
            "cargo test --offline 2>&1 | tail -5",
            row("test", "failed", passed=2, failed=1),
            folder="bad",
            exit_code=0,
        )
        r.run(
            "failing tail 2",
            "cargo test --offline 2>&1 | tail -2",
            row("test", "failed"),
            folder="bad",
            exit_code=0,
        )
        r.run(
            "failing grep",
            "cargo test --offline 2>&1 | grep 'test result'",
            row("test", "failed", passed=2, failed=1),
            folder="bad",
        )
        r.run(
            "masked",
            "cargo test --offline || true",
            row("test", "failed", failed=1),
            folder="bad",
            exit_code=0,
        )
        r.run(
            "ignored",
            "cargo test --offline --lib",
            row("test", "skipped", skipped=1),
            folder="ign",
            exit_code=0,
        )
        r.run("empty", "cargo test --offline", row("test", "empty"), folder="none", exit_code=0)
        r.run(
            "compile error",
            "cargo test --offline",
            {"kind": ["build", "test"], "outcome": ["failed", "error"]},
            folder="broken",
            exit_code=101,
        )
        r.run(
            "test compile error",
            "cargo test --offline",
            row("test", "error"),
            folder="brokentest",
            exit_code=101,
        )
        r.run(
            "timeout",
            "timeout 8 cargo test --offline; echo exit: $?",
            [row("build", "passed"), row("script", "timeout")],
            folder="slow",
            exit_code=0,
        )
        r.run(
            "build passing",
            "cargo build --offline",
            row("build", "passed"),
            folder="ok",
            exit_code=0,
        )
        r.run(
            "build warning",
            "cargo build --offline",
            row("build", "passed"),
            folder="warn",
            exit_code=0,
        )
        r.run(
            "build failing",
            "cargo build --offline",
            row("build", "failed"),
            folder="broken",
            exit_code=101,
        )
        r.run(
            "check failing",
            "cargo check --offline 2>&1 | tail -4",
            row("build", "failed"),
            folder="broken",
            exit_code=0,
        )
        r.run("no Cargo.toml", "cargo build", row("build", "error"), exit_code=101)
        r.run("no such command", "cargo nothing-here", row("build", "error"), exit_code=101)
        r.run(
            "no such target",
            "cargo test --offline --test nothing",
            row("build", "error"),
            folder="ok",
            exit_code=101,
        )
        r.run("clippy passing", "cargo clippy --offline", row("build", "passed"), folder="ok")
        r.run(
            "clippy failing",
            "cargo clippy --offline -- -D warnings",
            row("build", "failed"),
            folder="lint",
        )
        r.run("fmt failing", "cargo fmt --check", row("format", "failed"), folder="lint")
        r.run("fmt passing", "cargo fmt; cargo fmt --check", None, folder="none", exit_code=0)


def go() -> None:
    with Recorder("go") as r:
        mod = "module x\n\ngo 1.19\n"
        head = 'package {}\n\nimport "testing"\n\n'
        t = "func TestA(t *testing.T) {}\nfunc TestB(t *testing.T) {}\n"

        def pkg(folder: str, name: str, body: str, test: str = "") -> None:
            r.write(
                {f"{folder}/go.mod": mod, f"{folder}/{name}/{name}.go": f"package {name}\n\n{body}"}
            )
            if test:
                r.write({f"{folder}/{name}/{name}_test.go": head.format(name) + test})

        pkg("ok", "a", "func F() int { return 1 }\n", t)
        pkg("ok", "b", "func G() int { return 1 }\n", t)
        pkg("bad", "a", "", t)
        pkg("bad", "b", "", t + 'func TestC(t *testing.T) { t.Error("bad") }\n')
        pkg("skip", "a", "", "func TestS(t *testing.T) { t.Skip() }\n")
        pkg("none", "a", "func F() int { return 1 }\n")
        pkg("broken", "a", 'func F() int { return "a" }\n', t)
        pkg("broken", "b", "", t)
        pkg("onlybroken", "a", 'func F() int { return "a" }\n', t)
        pkg(
            "slow",
            "a",
            'import "time"\n\nfunc F() { time.Sleep(time.Minute) }\n',
            "func TestS(t *testing.T) { F() }\n",
        )
        pkg("vet", "a", 'import "fmt"\n\nfunc F() { fmt.Printf("%d", "x") }\n')
        pkg(
            "loud",
            "a",
            "",
            'func TestL(t *testing.T) { t.Log("3 failed"); println("FAIL x 0.1s of the quota") }\n',
        )
        r.run("passing", "go test ./...", row("test", "passed"), folder="ok", exit_code=0)
        r.run("passing again", "go test ./...", row("test", "passed"), folder="ok", exit_code=0)
        r.run(
            "passing -v",
            "go test -v ./...",
            row("test", "passed", passed=4),
            folder="ok",
            exit_code=0,
        )
        r.run(
            "passing -cover",
            "go test -cover ./...",
            row("test", "passed"),
            folder="ok",
            exit_code=0,
        )
        r.run(
            "passing loud",
            "go test -v ./...",
            row("test", "passed", passed=1),
            folder="loud",
            exit_code=0,
        )
        r.run(
            "failing", "go test ./...", row("test", "failed", failed=1), folder="bad", exit_code=1
        )
        r.run(
            "failing -v",
            "go test -v ./...",
            row("test", "failed", passed=4, failed=1),
            folder="bad",
            exit_code=1,
        )
        r.run(
            "piped",
            "go test ./... 2>&1 | tail -2",
            row("test", "failed"),
            folder="bad",
            exit_code=0,
        )
        r.run(
            "piped grep",
            "go test ./... 2>&1 | grep -E '^(ok|FAIL)'",
            row("test", "failed"),
            folder="bad",
            exit_code=0,
        )
        r.run("masked", "go test ./... || true", row("test", "failed"), folder="bad", exit_code=0)
        r.run(
            "masked echo",
            "go test ./...; echo exit: $?",
            row("test", "failed"),
            folder="bad",
            exit_code=0,
        )
        r.run(
            "skipped -v",
            "go test -v ./...",
            row("test", "passed", skipped=1),
            folder="skip",
            exit_code=0,
        )
        r.run("no test files", "go test ./...", row("test", "empty"), folder="none", exit_code=0)
        r.run(
            "name filter",
            "go test -run NoSuchTest ./...",
            row("test", "empty"),
            folder="ok",
            exit_code=0,
        )
        r.run("compile error beside", "go test ./...", row("test", "failed"), folder="broken")
        r.run("compile error", "go test ./...", row("test", "error"), folder="onlybroken")
        r.run(
            "timeout",
            "go test -timeout 1s ./...",
            row("test", "timeout"),
            folder="slow",
            exit_code=1,
        )
        r.run(
            "killed",
            "timeout -s KILL 3 go test ./...; true",
            row("script", "killed"),
            folder="slow",
            exit_code=0,
        )
        r.run("build passing", "go build ./...", None, folder="ok", exit_code=0)
        r.run(
            "build failing", "go build ./...", row("build", "failed", failed=1), folder="onlybroken"
        )
        r.run(
            "build echo",
            "go build ./... && echo exit: $?",
            row("script", "passed"),
            folder="ok",
            exit_code=0,
        )
        r.run("vet failing", "go vet ./...", row("build", "failed"), folder="vet")
        r.run(
            "no module",
            "mkdir -p /tmp/rec-none && cd /tmp/rec-none && go test ./...",
            row("build", "error"),
            exit_code=1,
        )
    with Recorder("gotestsum") as r:
        r.write(
            {
                "go.mod": mod,
                "a/a_test.go": head.format("a") + t,
                "b/b_test.go": head.format("b") + t + "func TestC(t *testing.T) { t.Error(1) }\n",
            }
        )
        r.run("passing", "gotestsum ./a/...", row("test", "passed", passed=2, total=2), exit_code=0)
        r.run("failing", "gotestsum ./...", row("test", "failed", failed=1, total=5), exit_code=1)
        r.run("piped", "gotestsum ./... | tail -3", row("test", "failed", failed=1), exit_code=0)


def main() -> None:
    cargo()
    go()


if __name__ == "__main__":
    main()
