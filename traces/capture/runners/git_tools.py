# ruff: noqa: E501  (the outputs and projects are long lines)
"""git with hooks and a bare remote in the next folder; nothing leaves the machine."""

from __future__ import annotations

from _record import Recorder

START = (
    "git init -q --bare ../remote.git && git init -q -b main && git remote add origin ../remote.git"
    " && git config user.email dev@example.com && git config user.name dev && git config commit.gpgsign false"
    " && echo 1 > a && git add a && git commit -qm one && git push -qu origin main"
)
OTHER = (
    "{ [ -d ../other ] || git clone -q ../remote.git ../other; cd ../other && git fetch -q && git checkout -q -B main origin/main"
    " && git config user.email o@example.com && git config user.name other && echo $RANDOM > b && git add b"
    " && git commit -qm other && git push -q; cd - >/dev/null; } 2>/dev/null"
)


def vcs(outcome: str) -> dict[str, str]:
    return {"kind": "vcs", "outcome": outcome}


def main() -> None:
    with Recorder("git") as r:
        r.run("setup", START, None, exit_code=0)
        r.rows.clear()
        r.run("nothing to commit", "git commit -m x", vcs("empty"), exit_code=1)
        r.run("status clean", "git status", vcs("empty"), exit_code=0)
        r.run("commit", "echo 2 > a; git commit -am two", vcs("passed"), exit_code=0)
        r.run(
            "commit piped",
            "echo 2b > a; git commit -am 'fix: 3 tests failed' | tail -2",
            vcs("passed"),
            exit_code=0,
        )
        r.run("commit not staged", "echo 3 > a; git commit -m three", vcs("empty"), exit_code=1)
        r.run(
            "commit untracked",
            "git checkout -q a; echo x > new; git commit -m new",
            vcs("empty"),
            exit_code=1,
        )
        r.run(
            "commit and log",
            "git add -A; git commit -m 'add new' && git log --oneline -3",
            vcs("passed"),
            exit_code=0,
        )
        r.run("log", "git log -2", None, exit_code=0)
        r.run("push", "git push", vcs("passed"), exit_code=0)
        r.run(
            "push piped",
            "echo 4 > a; git commit -qam four; git push 2>&1 | tail -1",
            vcs("passed"),
            exit_code=0,
        )
        r.run("push again", "git push", vcs("empty"), exit_code=0)
        r.run(
            "push new branch",
            "git checkout -qb topic; git push -u origin topic",
            vcs("passed"),
            exit_code=0,
        )
        r.run("push no upstream", "git checkout -qb lonely; git push", vcs("error"), exit_code=128)
        r.run(
            "push tag",
            "git checkout -q main; git tag v1; git push origin v1",
            vcs("passed"),
            exit_code=0,
        )
        r.run(
            "push refused",
            OTHER + "; echo 5 > a; git commit -qam five; git push",
            vcs("failed"),
            exit_code=1,
        )
        r.run("push refused masked", "git push 2>&1 | tail -8", vcs("failed"), exit_code=0)
        r.run("push refused or true", "git push || true", vcs("failed"), exit_code=0)
        r.run("pull diverged", "git pull", vcs("error"), exit_code=128)
        r.run("pull rebase", "git pull --rebase", vcs("passed"), exit_code=0)
        r.run(
            "push forced",
            "git commit -q --amend -m five2; git push --force",
            vcs("passed"),
            exit_code=0,
        )
        r.run("fetch", OTHER + "; git fetch", None, exit_code=0)
        r.run("pull", "git pull --ff-only", vcs("passed"), exit_code=0)
        r.run("up to date", "git reset -q --hard origin/main; git pull", vcs("empty"), exit_code=0)
        r.run(
            "merge fast",
            "git checkout -q -B ff main; git checkout -q main; git checkout -q ff; echo f > f; git add f;"
            " git commit -qm f; git checkout -q main; git merge ff",
            vcs("passed"),
            exit_code=0,
        )
        r.run(
            "merge",
            "git checkout -qb side HEAD~1; echo s > s; git add s; git commit -qm s; git checkout -q main; git merge side --no-edit",
            vcs("passed"),
            exit_code=0,
        )
        r.run(
            "merge conflict",
            "git checkout -qb c1; echo c1 > a; git commit -qam c1; git checkout -qb c2 HEAD~1;"
            " echo c2 > a; git commit -qam c2; git merge c1",
            vcs("failed"),
            exit_code=1,
        )
        r.run("rebase conflict", "git merge --abort; git rebase c1", vcs("failed"), exit_code=1)
        r.run(
            "rebase",
            "git rebase --abort; git checkout -qb c3 main; echo q > q; git add q; git commit -qm q; git rebase c1",
            vcs("passed"),
            exit_code=0,
        )
        r.run("checkout missing", "git checkout nothing", vcs("failed"), exit_code=1)
        r.run(
            "delete missing", "git branch -D nonexistent; echo exit: $?", vcs("failed"), exit_code=0
        )
        r.run("delete remote branch", "git push origin --delete topic", vcs("passed"), exit_code=0)
        r.run("not a repository", "cd /tmp && git -C / status", vcs("error"), exit_code=128)
        r.run("no remote", "git push nowhere main", vcs("error"), exit_code=128)
        r.run("bad remote", "git push ../gone.git main", vcs("error"), exit_code=128)
        r.run(
            "apply failed",
            "printf 'diff --git a/a b/a\\n--- a/a\\n+++ b/a\\n@@ -1 +1 @@\\n-zz\\n+yy\\n' | git apply",
            vcs("failed"),
            exit_code=1,
        )
        r.run(
            "cherry-pick conflict",
            "git checkout -q main; echo zz > a; git commit -qam zz; git cherry-pick c2",
            vcs("failed"),
            exit_code=1,
        )
        hook = "#!/bin/sh\\necho 'Running checks'\\necho '1 failed, 4 passed in 0.31s'\\nexit 1\\n"
        r.run(
            "hook declined",
            f'git cherry-pick --abort; printf "{hook}" > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit; echo h > h;'
            " git add h; git commit -m hooked",
            {"kind": "test", "outcome": "failed", "passed": 4, "failed": 1},
            exit_code=1,
        )
        r.run("no verify", "git commit --no-verify -m hooked", vcs("passed"), exit_code=0)
        ok = hook.replace("1 failed, 4", "4").replace("exit 1", "exit 0")
        r.run(
            "hook passed",
            f'printf "{ok}" > .git/hooks/pre-commit; echo h2 > h; git commit -am hooked2',
            [{"kind": "test", "outcome": "passed", "passed": 4}, vcs("passed")],
            exit_code=0,
        )
        r.run(
            "push hook declined",
            "printf '#!/bin/sh\\necho lint failed\\nexit 1\\n' > .git/hooks/pre-push; chmod +x .git/hooks/pre-push; git push",
            vcs("failed"),
            exit_code=1,
        )
        r.run(
            "remote hook declined",
            "rm .git/hooks/pre-push; printf '#!/bin/sh\\necho no pushes on Friday\\nexit 1\\n' > ../remote.git/hooks/pre-receive;"
            " chmod +x ../remote.git/hooks/pre-receive; git push",
            vcs("failed"),
            exit_code=1,
        )
        r.run(
            "push then commit",
            "rm ../remote.git/hooks/pre-receive; git push 2>&1; echo z > z; git add z; git commit --no-verify -m z",
            [vcs("passed"), vcs("passed")],
            exit_code=0,
        )
        r.run(
            "commit then push refused",
            OTHER + "; echo y > y; git add y; git commit -nm y && git push",
            [vcs("passed"), vcs("failed")],
            exit_code=1,
        )
        r.run(
            "empty message",
            "echo w > w; git add w; git commit -n -m ''",
            vcs("failed"),
            exit_code=1,
        )


if __name__ == "__main__":
    main()
