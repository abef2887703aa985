# ruff: noqa: E501  (the outputs and projects are long lines)
"""make, gcc, CMake, ctest, GoogleTest, Catch2, ninja, bats, shellcheck, the shell's own words."""

from __future__ import annotations

from _record import Recorder

CM = "cmake_minimum_required(VERSION 3.16)\nproject(x C)\nenable_testing()\n"


def row(kind: str, outcome: str, **counts: int) -> dict[str, object]:
    return {"kind": kind, "outcome": outcome, **counts}


def main() -> None:
    with Recorder("make") as r:
        r.write(
            {
                "Makefile": "all: ; @true\ntest: ; @echo '3 passed, 1 failed' && false\nlint: ; false\nbuild: main\nmain: bad.c ; $(CC) bad.c\n"
                "ok: ; @echo fine\nnested: ; $(MAKE) -C sub test\nkilled: ; kill -9 $$$$\nslow: ; sleep 20\nmissing: ; no-such-tool\n"
                "deep: ; $(MAKE) lint\nuptodate: Makefile\n",
                "bad.c": "int main(void) { return x; }\n",
                "warn.c": "int main(void) { int x; return 0; }\n",
                "ok.c": "int main(void) { return 0; }\n",
                "segv.c": "int main(void) { int *p = 0; return *p; }\n",
                "sub/Makefile": "test: ; exit 2\n",
            }
        )
        r.run("passing", "make ok", None, exit_code=0)
        r.run("failing test", "make test", row("test", "failed", passed=3, failed=1), exit_code=2)
        r.run("failing lint", "make lint", row("lint", "failed"), exit_code=2)
        r.run("failing nested", "make deep", row("lint", "failed"), exit_code=2)
        r.run("failing sub", "make nested", row("test", "failed"), exit_code=2)
        r.run("compile error", "make build", row("build", "failed", failed=1), exit_code=2)
        r.run("piped", "make build 2>&1 | tail -1", row("build", "failed"), exit_code=0)
        r.run("masked", "make lint || true", row("lint", "failed"), exit_code=0)
        r.run("masked echo", "make lint; echo exit: $?", row("lint", "failed"), exit_code=0)
        r.run("no rule", "make nothing", row("build", "error"), exit_code=2)
        r.run("no makefile", "cd /tmp && make -f nothing.mk test", row("build", "error"))
        r.run("killed", "make killed", row("build", "killed"), exit_code=2)
        r.run("tool missing", "make missing", row("build", "error"), exit_code=2)
        r.run("timeout", "timeout 1 make slow; echo exit: $?", row("build", "killed"), exit_code=0)
        r.run("nothing to do", "make uptodate", row("build", "passed"), exit_code=0)
        r.run("gcc failing", "gcc bad.c", row("build", "failed", failed=1), exit_code=1)
        r.run("gcc warning", "gcc -Wall warn.c -o warn", None, exit_code=0)
        r.run(
            "gcc link error",
            "gcc -c ok.c && gcc ok.o -lnothing_here",
            row("build", "failed"),
            exit_code=1,
        )
        r.run(
            "segfault",
            "gcc segv.c -o segv && ./segv; echo exit: $?",
            row("script", "killed"),
            exit_code=0,
        )
    with Recorder("ctest") as r:
        r.write(
            {
                "CMakeLists.txt": CM + "add_test(a true)\nadd_test(b true)\nadd_test(c false)\n",
                "ok/CMakeLists.txt": CM + "add_test(a true)\n",
                "none/CMakeLists.txt": CM,
                "bad/CMakeLists.txt": CM + "find_package(NothingHere REQUIRED)\n",
                "lib/CMakeLists.txt": CM + "add_executable(m m.c)\n",
                "lib/m.c": "int main(void) { return 0; }\n",
                "libbad/CMakeLists.txt": CM + "add_executable(m m.c)\n",
                "libbad/m.c": "int main(void) { return x; }\n",
            }
        )
        r.run("cmake", "cmake -S . -B b", row("build", "passed"), exit_code=0)
        r.run(
            "failing",
            "ctest --test-dir b",
            row("test", "failed", passed=2, failed=1, total=3),
            exit_code=8,
        )
        r.run("piped", "ctest --test-dir b 2>&1 | tail -6", row("test", "failed"), exit_code=0)
        r.run("narrowed", "ctest --test-dir b -R a", row("test", "passed", passed=1), exit_code=0)
        r.run("masked", "ctest --test-dir b || true", row("test", "failed", failed=1), exit_code=0)
        r.run(
            "passing",
            "cmake -S ok -B bo >/dev/null && ctest --test-dir bo",
            row("test", "passed", passed=1, failed=0),
            exit_code=0,
        )
        r.run(
            "empty", "cmake -S none -B bn >/dev/null && ctest --test-dir bn", row("test", "empty")
        )
        r.run("configure error", "cmake -S bad -B bb", row("build", "failed"), exit_code=1)
        r.run(
            "build",
            "cmake -S lib -B bl >/dev/null && cmake --build bl",
            row("build", "passed"),
            exit_code=0,
        )
        r.run(
            "build failing",
            "cmake -S libbad -B bx >/dev/null && cmake --build bx",
            row("build", "failed"),
            exit_code=2,
        )
        r.run(
            "ninja failing",
            "cmake -G Ninja -S libbad -B by >/dev/null && ninja -C by",
            row("build", "failed"),
            exit_code=1,
        )
        r.run(
            "ninja nothing",
            "cmake -G Ninja -S lib -B bz >/dev/null && ninja -C bz >/dev/null && ninja -C bz",
            row("build", "passed"),
            exit_code=0,
        )
    with Recorder("cpp-tests") as r:
        g = "#include <gtest/gtest.h>\nTEST(A, a) { EXPECT_EQ(1, 1); }\nTEST(A, b) { EXPECT_EQ(1, 1); }\n"
        c = '#define CATCH_CONFIG_MAIN\n#include <catch2/catch.hpp>\nTEST_CASE("a") { REQUIRE(1 == 1); }\n'
        r.write(
            {
                "ok.cc": g,
                "bad.cc": g + "TEST(A, c) { EXPECT_EQ(1, 2); }\n",
                "skip.cc": g + "TEST(A, s) { GTEST_SKIP(); }\n",
                "cok.cc": c,
                "cbad.cc": c + 'TEST_CASE("b") { REQUIRE(1 == 2); }\n',
            }
        )
        for name in ("ok", "bad", "skip"):
            r.run(
                "setup",
                f"g++ {name}.cc -o {name} -lgtest -lgtest_main -lpthread",
                None,
                exit_code=0,
            )
        for name in ("cok", "cbad"):
            r.run("setup", f"g++ -O0 {name}.cc -o {name}", None, exit_code=0)
        r.rows.clear()
        r.run("gtest passing", "./ok", row("test", "passed", passed=2), exit_code=0)
        r.run("gtest failing", "./bad", row("test", "failed", passed=2, failed=1), exit_code=1)
        r.run("gtest skipped", "./skip", row("test", "passed", passed=2, skipped=1), exit_code=0)
        r.run("gtest empty", "./ok --gtest_filter=None.*", row("test", "empty"), exit_code=0)
        r.run("gtest piped", "./bad | tail -4", row("test", "failed", failed=1), exit_code=0)
        r.run("catch2 passing", "./cok", row("test", "passed", passed=1), exit_code=0)
        r.run("catch2 failing", "./cbad", row("test", "failed", passed=1, failed=1), exit_code=1)
        r.run("catch2 empty", "./cok nothing", row("test", "empty"))
    with Recorder("bats") as r:
        r.write(
            {
                "ok.bats": "@test 'a' { true; }\n@test 'b' { true; }\n",
                "bad.bats": "@test 'a' { true; }\n@test 'c' { false; }\n",
                "bad.sh": "#!/bin/sh\nrm $1\n",
                "ok.sh": "#!/bin/sh\ntrue\n",
            }
        )
        r.run("passing", "bats ok.bats", row("test", "passed", passed=2), exit_code=0)
        r.run("failing", "bats bad.bats", row("test", "failed", passed=1, failed=1), exit_code=1)
        r.run(
            "pretty failing",
            "bats --pretty bad.bats",
            row("test", "failed", passed=1, failed=1),
            exit_code=1,
        )
        r.run(
            "prove passing",
            "printf 'echo 1..2; echo ok 1; echo ok 2' > a.t; prove -e sh a.t",
            row("test", "passed", passed=2),
            exit_code=0,
        )
        r.run(
            "prove failing",
            "printf 'echo 1..2; echo ok 1; echo not ok 2' > b.t; prove -e sh b.t",
            row("test", "failed"),
            exit_code=1,
        )
        r.run(
            "shellcheck failing", "shellcheck bad.sh", row("lint", "failed", failed=1), exit_code=1
        )
        r.run("shellcheck passing", "shellcheck ok.sh", None, exit_code=0)
    with Recorder("shell") as r:
        r.run("not found bash", "no-such-tool --x", row("script", "error"), exit_code=127)
        r.run("not found sh", "sh -c 'jest --ci'", row("test", "error"), exit_code=127)
        r.run("not found env", "env no-such-tool", row("script", "error"), exit_code=127)
        r.run(
            "not found timeout", "timeout 5 pytest-not-here", row("script", "error"), exit_code=127
        )
        r.run("no module", "python3 -m no_such_module", row("script", "error"), exit_code=1)
        r.run("killed", "sh -c 'kill -9 $$'; echo after", row("script", "killed"), exit_code=0)
        r.run(
            "terminated", "sh -c 'kill -15 $$'; echo exit: $?", row("script", "killed"), exit_code=0
        )
        r.run(
            "timeout",
            'timeout 1 sleep 5; echo "exit code: $?"',
            row("script", "timeout"),
            exit_code=0,
        )
        r.run("timeout verbose", "timeout -v 1 sleep 5", row("script", "timeout"), exit_code=124)
        r.run("exit zero", "true; echo EXIT=$?", row("script", "passed"), exit_code=0)
        r.run("exit one", "false; echo EXIT=$?", row("script", "failed"), exit_code=0)
        r.run("exit two", 'ls /nothing-here; echo "exit: $?"', row("script", "failed"), exit_code=0)
        r.run("rc", "grep nothing /etc/hostname; echo rc=$?", row("script", "failed"), exit_code=0)
        r.run("plain", "echo all good; ls /nothing-here", None, exit_code=2)
        r.run(
            "json",
            'printf \'{"exit_code": 1, "stdout": "3 failed, 2 passed in 0.10s\\\\n"}\\n\'',
            row("test", "failed", failed=3, passed=2),
            exit_code=0,
        )


if __name__ == "__main__":
    main()
