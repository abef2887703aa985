# ruff: noqa: E501  (the outputs and projects are long lines)
"""Maven with JUnit 5 and JUnit 4, javac; PHPUnit; RSpec, minitest, rake, RuboCop; ExUnit, EUnit.

Needs Debian's maven, junit4, phpunit, ruby-rspec, ruby-minitest, rake, rubocop, elixir, erlang-dev, and a
local Maven repository that holds JUnit 5.11.4 and Surefire 3.2.5 ($RECORD_M2, default ~/.m2/repository).
"""

from __future__ import annotations

import os
from pathlib import Path

from _record import Recorder

M2 = os.environ.get("RECORD_M2", str(Path.home() / ".m2/repository"))
POM = """<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>x</groupId><artifactId>{name}</artifactId><version>1</version>{more}
<properties><maven.compiler.release>17</maven.compiler.release>
<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
<dependencies><dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId>
<version>5.11.4</version><scope>test</scope></dependency></dependencies>
<build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version></plugin>
<plugin><artifactId>maven-compiler-plugin</artifactId><version>3.13.0</version></plugin>
<plugin><artifactId>maven-resources-plugin</artifactId><version>3.3.1</version></plugin></plugins></build></project>
"""


def row(kind: str, outcome: str, **counts: int) -> dict[str, object]:
    return {"kind": kind, "outcome": outcome, **counts}


def java(name: str, body: str) -> str:
    return f"import org.junit.jupiter.api.*;\nclass {name} {{\n  @Test void a() {{}}\n  @Test void b() {{}}\n{body}}}\n"


def maven() -> None:
    with Recorder("maven") as r:
        test = "src/test/java"
        for name, files in {
            "ok": {
                f"{test}/ATest.java": java("ATest", ""),
                f"{test}/BTest.java": java("BTest", ""),
            },
            "bad": {
                f"{test}/ATest.java": java("ATest", ""),
                f"{test}/BTest.java": java(
                    "BTest",
                    "  @Test void c() { Assertions.assertEquals(1, 2); }\n  @Test void d() { throw new RuntimeException(); }\n",
                ),
            },
            "skip": {
                f"{test}/ATest.java": "import org.junit.jupiter.api.*;\nclass ATest { @Disabled @Test void s() {} }\n"
            },
            "none": {"src/main/java/A.java": "class A {}\n"},
            "broken": {"src/main/java/A.java": 'class A { int f() { return "a"; } }\n'},
            "brokentest": {
                f"{test}/ATest.java": java("ATest", "  @Test void c() { nothing(); }\n")
            },
        }.items():
            r.write(
                {
                    f"{name}/pom.xml": POM.format(name=name, more=""),
                    **{f"{name}/{k}": v for k, v in files.items()},
                }
            )
        mvn = f"mvn -o -B -ntp -Dmaven.repo.local={M2}"
        r.places = lambda: [(M2, "/home/dev/.m2/repository"), *Recorder.places(r)]  # type: ignore[method-assign]
        r.run(
            "passing",
            f"{mvn} test",
            row("test", "passed", passed=4, failed=0, total=4),
            folder="ok",
            exit_code=0,
        )
        r.run("passing quiet", f"{mvn} -q test", None, folder="ok", exit_code=0)
        r.run(
            "passing piped",
            f"{mvn} test | tail -8",
            row("build", "passed"),
            folder="ok",
            exit_code=0,
        )
        r.run(
            "passing grep",
            f"{mvn} test | grep 'Tests run:'",
            row("test", "passed", passed=4),
            folder="ok",
            exit_code=0,
        )
        r.run(
            "failing",
            f"{mvn} test",
            row("test", "failed", passed=4, failed=1, errors=1, total=6),
            folder="bad",
            exit_code=1,
        )
        r.run(
            "failing quiet",
            f"{mvn} -q test",
            row("test", "failed", failed=1, errors=1),
            folder="bad",
            exit_code=1,
        )
        r.run(
            "failing ignored",
            f"{mvn} -Dmaven.test.failure.ignore test",
            row("test", "failed", failed=1, errors=1),
            folder="bad",
            exit_code=0,
        )
        r.run(
            "failing piped",
            f"{mvn} test 2>&1 | tail -15",
            row("build", "failed"),
            folder="bad",
            exit_code=0,
        )
        r.run(
            "masked",
            f"{mvn} test || true",
            row("test", "failed", failed=1, errors=1),
            folder="bad",
            exit_code=0,
        )
        r.run(
            "skipped", f"{mvn} test", row("test", "skipped", skipped=1), folder="skip", exit_code=0
        )
        r.run(
            "skip option",
            f"{mvn} -DskipTests test",
            row("test", "skipped"),
            folder="ok",
            exit_code=0,
        )
        r.run("empty", f"{mvn} test", row("test", "empty"), folder="none", exit_code=0)
        r.run(
            "one test",
            f"{mvn} -Dtest=ATest test",
            row("test", "passed", passed=2),
            folder="bad",
            exit_code=0,
        )
        r.run(
            "no such test",
            f"{mvn} -Dtest=NoneTest test",
            row("build", "failed"),
            folder="ok",
            exit_code=1,
        )
        r.run("compile error", f"{mvn} test", row("build", "failed"), folder="broken", exit_code=1)
        r.run(
            "test compile error",
            f"{mvn} test",
            row("build", "failed"),
            folder="brokentest",
            exit_code=1,
        )
        r.run("compile", f"{mvn} compile", row("build", "passed"), folder="none", exit_code=0)
        r.run("no pom", f"{mvn} test", row("build", "failed"), exit_code=1)
        r.run("bad goal", f"{mvn} nothing", row("build", "failed"), folder="ok", exit_code=1)
    with Recorder("junit") as r:
        cp = "/usr/share/java/junit4.jar:/usr/share/java/hamcrest-core.jar:."
        head = "import org.junit.*;\npublic class {} {{\n  @Test public void a() {{}}\n  @Test public void b() {{}}\n"
        r.write(
            {
                "Ok.java": head.format("Ok") + "}\n",
                "Bad.java": head.format("Bad") + "  @Test public void c() { Assert.fail(); }\n}\n",
                "Broken.java": 'class Broken { int f() { return "a"; } }\n',
            }
        )
        r.run("javac", f"javac -cp {cp} Ok.java Bad.java", None, exit_code=0)
        r.run(
            "passing",
            f"java -cp {cp} org.junit.runner.JUnitCore Ok",
            row("test", "passed", passed=2),
            exit_code=0,
        )
        r.run(
            "failing",
            f"java -cp {cp} org.junit.runner.JUnitCore Bad",
            row("test", "failed", passed=2, failed=1),
            exit_code=1,
        )
        r.run("compile error", "javac Broken.java", row("build", "failed", failed=1), exit_code=1)


def php() -> None:
    with Recorder("phpunit") as r:
        head = "<?php\nclass {0} extends PHPUnit\\Framework\\TestCase {{\n  function testA() {{ $this->assertTrue(true); }}\n"
        r.write(
            {
                "OkTest.php": head.format("OkTest")
                + "  function testB() { $this->assertTrue(true); }\n}\n",
                "BadTest.php": head.format("BadTest")
                + "  function testB() { $this->assertTrue(false); }\n  function testC() { throw new Exception('x'); }\n}\n",
                "SkipTest.php": "<?php\nclass SkipTest extends PHPUnit\\Framework\\TestCase {\n  function testS() { $this->markTestSkipped('x'); }\n}\n",
                "MixTest.php": head.format("MixTest")
                + "  function testS() { $this->markTestSkipped('x'); }\n}\n",
                "NoneTest.php": "<?php\nclass NoneTest extends PHPUnit\\Framework\\TestCase {\n}\n",
                "syntax.php": "<?php\nfunction (\n",
                "ok.php": "<?php\n",
            }
        )
        r.run("passing", "phpunit OkTest.php", row("test", "passed", passed=2), exit_code=0)
        r.run(
            "failing",
            "phpunit BadTest.php",
            row("test", "failed", passed=1, failed=1, errors=1, total=3),
        )
        r.run("testdox", "phpunit --testdox BadTest.php", row("test", "failed", failed=1, errors=1))
        r.run("skipped", "phpunit SkipTest.php", row("test", "skipped", skipped=1), exit_code=0)
        r.run(
            "mixed", "phpunit MixTest.php", row("test", "passed", passed=1, skipped=1), exit_code=0
        )
        r.run("empty", "phpunit NoneTest.php", row("test", "empty"))
        r.run("filter", "phpunit --filter nothing OkTest.php", row("test", "empty"))
        r.run(
            "piped",
            "phpunit BadTest.php | tail -2",
            row("test", "failed", failed=1, errors=1),
            exit_code=0,
        )
        r.run("masked", "phpunit BadTest.php || true", row("test", "failed", failed=1), exit_code=0)
        r.run("syntax", "php -l syntax.php", row("lint", "failed"), exit_code=255)
        r.run("syntax ok", "php -l ok.php", row("lint", "passed"), exit_code=0)


def ruby() -> None:
    with Recorder("rspec") as r:
        r.write(
            {
                "ok_spec.rb": "describe 'x' do\n  it('a') { expect(1).to eq 1 }\n  it('b') { }\nend\n",
                "bad_spec.rb": "describe 'x' do\n  it('a') { expect(1).to eq 1 }\n  it('b') { expect(1).to eq 2 }\nend\n",
                "pend_spec.rb": "describe 'x' do\n  xit('a') { }\nend\n",
                "none_spec.rb": "",
                "broken_spec.rb": "require 'nothing_there'\n",
                "mix_spec.rb": "describe 'x' do\n  it('a') { }\n  xit('b') { }\nend\n",
            }
        )
        r.run(
            "passing",
            "rspec ok_spec.rb",
            row("test", "passed", passed=2, failed=0, total=2),
            exit_code=0,
        )
        r.run(
            "documentation",
            "rspec -fd bad_spec.rb",
            row("test", "failed", passed=1, failed=1),
            exit_code=1,
        )
        r.run(
            "failing", "rspec bad_spec.rb", row("test", "failed", passed=1, failed=1), exit_code=1
        )
        r.run(
            "colour",
            "rspec --force-color bad_spec.rb",
            row("test", "failed", passed=1, failed=1),
            exit_code=1,
        )
        r.run("pending", "rspec pend_spec.rb", row("test", "skipped", skipped=1), exit_code=0)
        r.run("mixed", "rspec mix_spec.rb", row("test", "passed", passed=1, skipped=1), exit_code=0)
        r.run("empty", "rspec none_spec.rb", row("test", "empty"), exit_code=0)
        r.run("load error", "rspec broken_spec.rb", row("test", "error", errors=1), exit_code=1)
        r.run("no file", "rspec nothing_spec.rb", row("test", "error", errors=1), exit_code=1)
        r.run("piped", "rspec bad_spec.rb | tail -4", row("test", "failed", failed=1), exit_code=0)
        r.run(
            "masked",
            'rspec bad_spec.rb; echo "exit: $?"',
            row("test", "failed", failed=1),
            exit_code=0,
        )
    with Recorder("ruby") as r:
        head = "require 'minitest/autorun'\nclass T < Minitest::Test\n  def test_a = assert(true)\n"
        r.write(
            {
                "ok.rb": head + "end\n",
                "bad.rb": head + "  def test_b = assert(false)\n  def test_c = raise('x')\nend\n",
                "skip.rb": "require 'minitest/autorun'\nclass T < Minitest::Test\n  def test_s = skip\nend\n",
                "none.rb": "require 'minitest/autorun'\n",
                "Rakefile": "task(:test) { abort 'no' }\ntask(:boom) { raise 'x' }\n",
                "style.rb": 'x = "a"\nputs x\n',
                "good.rb": "# frozen_string_literal: true\n\nputs 1\n",
            }
        )
        r.run("passing", "ruby ok.rb", row("test", "passed", passed=1, failed=0), exit_code=0)
        r.run(
            "failing",
            "ruby bad.rb",
            row("test", "failed", passed=1, failed=1, errors=1, total=3),
            exit_code=1,
        )
        r.run("skipped", "ruby skip.rb", row("test", "skipped", skipped=1), exit_code=0)
        r.run("empty", "ruby none.rb", row("test", "empty"), exit_code=0)
        r.run("rake", "rake boom", row("build", "error"), exit_code=1)
        r.run("rake missing", "rake nothing", row("build", "error"), exit_code=1)
        r.run("rubocop failing", "rubocop style.rb", row("lint", "failed", files=1), exit_code=1)
        r.run("rubocop passing", "rubocop good.rb", row("lint", "passed", files=1), exit_code=0)
        r.run("rubocop piped", "rubocop style.rb | tail -2", row("lint", "failed"), exit_code=0)


def beam() -> None:
    with Recorder("elixir") as r:
        mix = 'defmodule X.MixProject do\n  use Mix.Project\n  def project, do: [app: :x, version: "0.1.0"]\nend\n'
        head = 'defmodule XTest do\n  use ExUnit.Case\n  test "a" do\n    assert true\n  end\n'
        for name, text in (
            ("ok", head + "end\n"),
            ("bad", head + '  test "b" do\n    assert 1 == 2\n  end\nend\n'),
            ("skip", head + '  @tag :skip\n  test "s" do\n  end\nend\n'),
        ):
            r.write(
                {
                    f"{name}/mix.exs": mix,
                    f"{name}/test/x_test.exs": text,
                    f"{name}/test/test_helper.exs": "ExUnit.start()\n",
                }
            )
        r.write(
            {
                "none/mix.exs": mix,
                "broken/mix.exs": mix,
                "broken/lib/x.ex": "defmodule X do\n  def f( do\nend\n",
            }
        )
        env = {"LANG": "C.UTF-8", "ELIXIR_ERL_OPTIONS": "+fnu"}
        r.run(
            "passing",
            "mix test",
            row("test", "passed", passed=1, failed=0),
            folder="ok",
            env=env,
            exit_code=0,
        )
        r.run(
            "failing",
            "mix test",
            row("test", "failed", passed=1, failed=1),
            folder="bad",
            env=env,
            exit_code=2,
        )
        r.run(
            "skipped one",
            "mix test",
            row("test", "passed", passed=1, skipped=1),
            folder="skip",
            env=env,
            exit_code=0,
        )
        r.run("no helper", "mix test", None, folder="none", env=env)
        r.run(
            "compile error",
            "mix test",
            row("build", "error"),
            folder="broken",
            env=env,
            exit_code=1,
        )
        r.run("only", "mix test --only nothing", row("test", "empty"), folder="ok", env=env)
        r.run(
            "masked",
            "mix test || true",
            row("test", "failed", failed=1),
            folder="bad",
            env=env,
            exit_code=0,
        )
    with Recorder("eunit") as r:
        r.write(
            {
                "ok.erl": '-module(ok).\n-include_lib("eunit/include/eunit.hrl").\na_test() -> ok.\nb_test() -> ok.\n',
                "bad.erl": '-module(bad).\n-include_lib("eunit/include/eunit.hrl").\na_test() -> ok.\nb_test() -> ?assert(false).\n',
            }
        )
        for name, outcome, counts in (
            ("ok", "passed", {"passed": 2}),
            ("bad", "failed", {"passed": 1, "failed": 1}),
        ):
            r.run(
                name,
                f"erlc {name}.erl && erl -noshell -eval 'eunit:test({name})' -s init stop",
                row("test", outcome, **counts),
            )


def main() -> None:
    maven()
    php()
    ruby()
    beam()


if __name__ == "__main__":
    main()
