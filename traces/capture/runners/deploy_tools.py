# ruff: noqa: E501  (the outputs and projects are long lines)
"""ansible and turbo for real; what needs a cloud, a cluster or a daemon is written after its documentation.

Documented forms: developer.hashicorp.com/terraform/cli, kubernetes.io/docs/reference/kubectl, helm.sh/docs,
docs.docker.com, cli.github.com/manual, docs.gradle.org, learn.microsoft.com/dotnet, developer.apple.com,
nexte.st, golangci-lint.run, docs.cypress.io, pestphp.com, phpstan.org, docs.getdbt.com, vale.sh, nx.dev.
"""

from __future__ import annotations

from _record import Recorder, kit

DEPLOY, TEST, BUILD = "deploy", "test", "build"


def row(kind: str, outcome: str, **counts: int) -> dict[str, object]:
    return {"kind": kind, "outcome": outcome, **counts}


def recorded() -> None:
    with Recorder("ansible") as r:
        play = "- hosts: localhost\n  gather_facts: false\n  tasks:\n  - command: {}\n"
        r.write(
            {
                "ok.yml": play.format("'true'"),
                "bad.yml": play.format("'false'"),
                "syntax.yml": "- hosts: [\n",
            }
        )
        env = {"ANSIBLE_NOCOLOR": "1", "ANSIBLE_LOCALHOST_WARNING": "0", "LC_ALL": "C.UTF-8"}
        r.run(
            "passing",
            "ansible-playbook -i localhost, -c local ok.yml",
            row(DEPLOY, "passed"),
            env=env,
            exit_code=0,
        )
        r.run(
            "failing",
            "ansible-playbook -i localhost, -c local bad.yml",
            row(DEPLOY, "failed"),
            env=env,
            exit_code=2,
        )
        r.run(
            "failing piped",
            "ansible-playbook -i localhost, -c local bad.yml | tail -3",
            row(DEPLOY, "failed"),
            env=env,
            exit_code=0,
        )
        r.run(
            "unreachable",
            "ansible-playbook -i nothing.invalid, -T 2 ok.yml -e ansible_host=nothing.invalid --limit localhost,nothing.invalid; true",
            None,
            env=env,
        )
        r.rows.pop()
    bin_ = str(kit("node", "turbo"))
    with Recorder("turbo", bin_) as r:
        r.write(
            {
                "package.json": '{"name":"root","packageManager":"npm@10.0.0","workspaces":["a","b"]}',
                "turbo.json": '{"tasks":{"test":{"cache":false},"lint":{"cache":false}}}',
                "package-lock.json": '{"name":"root","lockfileVersion":3,"packages":{}}',
                "a/package.json": '{"name":"a","scripts":{"test":"echo \\"Tests:       2 passed, 2 total\\"","lint":"true"}}',
                "b/package.json": '{"name":"b","scripts":{"test":"echo \\"Tests:       1 failed, 1 total\\" && exit 1","lint":"true"}}',
            }
        )
        env = {"TURBO_TELEMETRY_DISABLED": "1", "DO_NOT_TRACK": "1"}
        r.run("setup", "git init -q .; mkdir -p node_modules", None)
        r.rows.clear()
        r.run("passing", "turbo run lint", row("script", "passed"), env=env, exit_code=0)
        r.run(
            "failing",
            "turbo run test --filter=b",
            row(TEST, "failed", failed=1),
            env=env,
            exit_code=1,
        )
        r.run(
            "passing one",
            "turbo run test --filter=a",
            row(TEST, "passed", passed=2),
            env=env,
            exit_code=0,
        )


def cloud() -> None:
    with Recorder("terraform") as r:
        r.say(
            "plan",
            "terraform plan",
            0,
            "Terraform will perform the following actions:\n\n  # aws_s3_bucket.b will be created\n\nPlan: 1 to add, 0 to change, 0 to destroy.\n",
            row(DEPLOY, "skipped"),
        )
        r.say(
            "plan empty",
            "terraform plan",
            0,
            "No changes. Your infrastructure matches the configuration.\n\nTerraform has compared your real infrastructure against your configuration\nand found no differences, so no changes are needed.\n",
            row(DEPLOY, "empty"),
        )
        r.say(
            "apply",
            "terraform apply -auto-approve",
            0,
            "Plan: 1 to add, 0 to change, 0 to destroy.\naws_s3_bucket.b: Creating...\naws_s3_bucket.b: Creation complete after 2s [id=b]\n\nApply complete! Resources: 1 added, 0 changed, 0 destroyed.\n",
            row(DEPLOY, "passed"),
        )
        r.say(
            "apply failing",
            "terraform apply -auto-approve",
            1,
            'Plan: 1 to add, 0 to change, 0 to destroy.\naws_s3_bucket.b: Creating...\n╷\n│ Error: creating S3 Bucket (b): BucketAlreadyExists\n│ \n│   with aws_s3_bucket.b,\n│   on main.tf line 1, in resource "aws_s3_bucket" "b":\n╵\n',
            row(DEPLOY, "failed"),
        )
        r.say(
            "validate",
            "terraform validate",
            0,
            "Success! The configuration is valid.\n",
            row(DEPLOY, "passed"),
        )
        r.say(
            "validate failing",
            "terraform validate",
            1,
            '╷\n│ Error: Unsupported argument\n│ \n│   on main.tf line 3, in resource "aws_s3_bucket" "b":\n│    3:   nam = "x"\n╵\n',
            row(DEPLOY, "failed"),
        )
        r.say(
            "destroy",
            "terraform destroy -auto-approve",
            0,
            "Destroy complete! Resources: 3 destroyed.\n",
            row(DEPLOY, "passed"),
        )
        r.say(
            "apply cancelled",
            "terraform apply",
            1,
            "Do you want to perform these actions?\n  Enter a value: no\n\nApply cancelled.\n",
            row(DEPLOY, "partial"),
        )
    with Recorder("kubectl") as r:
        r.say(
            "apply",
            "kubectl apply -f k8s/",
            0,
            "deployment.apps/web configured\nservice/web unchanged\n",
            row(DEPLOY, "passed", total=2),
        )
        r.say(
            "apply dry run",
            "kubectl apply --dry-run=server -f k8s/",
            0,
            "deployment.apps/web configured (server dry run)\n",
            row(DEPLOY, "skipped"),
        )
        r.say(
            "rollout",
            "kubectl rollout status deployment/web",
            0,
            'Waiting for deployment "web" rollout to finish: 1 of 2 updated replicas are available...\ndeployment "web" successfully rolled out\n',
            row(DEPLOY, "passed"),
        )
        r.say(
            "rollout failing",
            "kubectl rollout status deployment/web",
            1,
            'Waiting for deployment "web" rollout to finish: 1 old replicas are pending termination...\nerror: deployment "web" exceeded its progress deadline\n',
            row(DEPLOY, "failed"),
        )
        r.say(
            "rollout timeout",
            "kubectl rollout status deployment/web --timeout=5s",
            1,
            'Waiting for deployment "web" rollout to finish: 0 of 2 updated replicas are available...\nerror: timed out waiting for the condition\n',
            row(DEPLOY, "timeout"),
        )
        r.say(
            "not found",
            "kubectl get pod web",
            1,
            'Error from server (NotFound): pods "web" not found\n',
            row(DEPLOY, "failed"),
        )
        r.say(
            "forbidden",
            "kubectl apply -f k8s/",
            1,
            'service/web unchanged\nError from server (Forbidden): error when creating "k8s/d.yaml": deployments.apps is forbidden: User "dev" cannot create resource\n',
            row(DEPLOY, "failed"),
        )
        r.say(
            "refused",
            "kubectl get pods",
            1,
            "The connection to the server localhost:8080 was refused - did you specify the right host or port?\n",
            row(DEPLOY, "error"),
        )
        r.say(
            "bad file",
            "kubectl apply -f x.yaml",
            1,
            'error: error validating "x.yaml": error validating data: unknown field "spec.replica"; if you choose to ignore these errors, turn validation off with --validate=false\n',
            row(DEPLOY, "failed"),
        )
        r.say(
            "get",
            "kubectl get pods",
            0,
            "NAME        READY   STATUS             RESTARTS   AGE\nweb-7d4b   0/1     CrashLoopBackOff   5          3m\n",
            None,
        )
    with Recorder("helm") as r:
        r.say(
            "upgrade",
            "helm upgrade web ./chart",
            0,
            'Release "web" has been upgraded. Happy Helming!\nNAME: web\nLAST DEPLOYED: Fri Jan  2 03:04:05 2026\nNAMESPACE: default\nSTATUS: deployed\nREVISION: 2\n',
            row(DEPLOY, "passed"),
        )
        r.say(
            "upgrade failing",
            "helm upgrade web ./chart",
            1,
            "Error: UPGRADE FAILED: another operation (install/upgrade/rollback) is in progress\n",
            row(DEPLOY, "failed"),
        )
        r.say(
            "status failed",
            "helm status web",
            0,
            "NAME: web\nLAST DEPLOYED: Fri Jan  2 03:04:05 2026\nNAMESPACE: default\nSTATUS: failed\nREVISION: 3\n",
            row(DEPLOY, "failed"),
        )
        r.say(
            "lint",
            "helm lint chart",
            0,
            "==> Linting chart\n[INFO] Chart.yaml: icon is recommended\n\n1 chart(s) linted, 0 chart(s) failed\n",
            row("lint", "passed"),
        )
        r.say(
            "lint failing",
            "helm lint chart",
            1,
            "==> Linting chart\n[ERROR] templates/: parse error\n\nError: 1 chart(s) linted, 1 chart(s) failed\n",
            row("lint", "failed", failed=1),
        )
    with Recorder("docker") as r:
        r.say(
            "build",
            "docker build -t web .",
            0,
            "#8 exporting to image\n#8 exporting layers 0.1s done\n#8 writing image sha256:0011223344 done\n#8 naming to docker.io/library/web done\n#8 DONE 0.2s\n",
            row(BUILD, "passed"),
        )
        r.say(
            "build failing",
            "docker build -t web .",
            1,
            '#7 [3/4] RUN npm ci\n#7 1.234 npm error code ENOTFOUND\n#7 ERROR: process "/bin/sh -c npm ci" did not complete successfully: exit code: 1\n------\n > [3/4] RUN npm ci:\n------\nERROR: failed to build: failed to solve: process "/bin/sh -c npm ci" did not complete successfully: exit code: 1\n',
            row(BUILD, "failed"),
        )
        r.say(
            "build test stage",
            "docker build --target test .",
            1,
            '#9 [test 2/2] RUN pytest -q\n#9 2.345 1 failed, 3 passed in 0.12s\n#9 ERROR: process "/bin/sh -c pytest -q" did not complete successfully: exit code: 1\nERROR: failed to solve: process "/bin/sh -c pytest -q" did not complete successfully: exit code: 1\n',
            [row(TEST, "failed", failed=1, passed=3), row(BUILD, "failed")],
        )
        r.say(
            "build legacy",
            "docker build -t web .",
            0,
            'Step 4/4 : CMD ["node"]\n ---> 0a1b2c3d4e5f\nSuccessfully built 0a1b2c3d4e5f\nSuccessfully tagged web:latest\n',
            row(BUILD, "passed"),
        )
        r.say(
            "no daemon",
            "docker ps",
            1,
            "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?\n",
            row(DEPLOY, "error"),
        )
        r.say(
            "compose up",
            "docker compose up -d",
            0,
            " Network app_default  Created\n Container app-db-1  Created\n Container app-web-1  Created\n Container app-db-1  Started\n Container app-web-1  Started\n",
            row(DEPLOY, "passed"),
        )
        r.say(
            "compose unhealthy",
            "docker compose up -d --wait",
            1,
            " Container app-db-1  Started\n Container app-db-1  Error\ndependency failed to start: container app-db-1 is unhealthy\n",
            row(DEPLOY, "failed"),
        )
        r.say(
            "compose port",
            "docker compose up -d",
            1,
            " Container app-web-1  Created\nError response from daemon: driver failed programming external connectivity on endpoint app-web-1: Bind for 0.0.0.0:80 failed: port is already allocated\n",
            row(DEPLOY, "failed"),
        )
        r.say(
            "compose test log",
            "docker compose run test",
            0,
            "test-1  | Test Suites: 1 passed, 1 total\ntest-1  | Tests:       4 passed, 4 total\ntest-1  | Snapshots:   0 total\n",
            row(TEST, "passed", passed=4),
        )
    with Recorder("gh") as r:
        vcs = "vcs"
        r.say(
            "pr create",
            "gh pr create --fill",
            0,
            "\nCreating pull request for topic into main in octo/demo\n\nhttps://github.com/octo/demo/pull/12\n",
            row(vcs, "passed"),
        )
        r.say(
            "pr create exists",
            "gh pr create --fill",
            1,
            'a pull request for branch "topic" into branch "main" already exists:\nhttps://github.com/octo/demo/pull/12\n',
            row(vcs, "failed"),
        )
        r.say(
            "pr create failing",
            "gh pr create --fill",
            1,
            "pull request create failed: GraphQL: No commits between main and topic (createPullRequest)\n",
            row(vcs, "failed"),
        )
        r.say(
            "pr view none",
            "gh pr view",
            1,
            'no pull requests found for branch "topic"\n',
            row(vcs, "empty"),
        )
        r.say(
            "pr checks",
            "gh pr checks 12",
            1,
            "lint\tpass\t12s\thttps://github.com/octo/demo/actions/runs/1/job/2\t\ntest\tfail\t1m2s\thttps://github.com/octo/demo/actions/runs/1/job/3\t\n",
            row(TEST, "failed"),
        )
        r.say(
            "pr checks pending",
            "gh pr checks 12",
            8,
            "lint\tpass\t12s\thttps://github.com/octo/demo/actions/runs/1/job/2\t\ntest\tpending\t0\thttps://github.com/octo/demo/actions/runs/1/job/3\t\n",
            row(TEST, "partial"),
        )
        r.say(
            "pr checks passing",
            "gh pr checks 12",
            0,
            "lint\tpass\t12s\thttps://github.com/octo/demo/actions/runs/1/job/2\t\ntest\tpass\t1m2s\thttps://github.com/octo/demo/actions/runs/1/job/3\t\n",
            row(TEST, "passed"),
        )
        r.say(
            "pr checks terminal",
            "gh pr checks 12",
            1,
            "Some checks were not successful\n0 cancelled, 1 failing, 3 successful, 0 skipped, and 0 pending checks\n\n   NAME  DESCRIPTION  ELAPSED  URL\nX  test               1m2s     https://github.com/octo/demo/actions/runs/1/job/3\n",
            row(TEST, "failed", failed=1, passed=3),
        )
        r.say(
            "merge",
            "gh pr merge 12 --squash",
            0,
            "✓ Squashed and merged pull request octo/demo#12 (Add x)\n",
            row(vcs, "passed"),
        )
        r.say(
            "merge refused",
            "gh pr merge 12",
            1,
            "X Pull request octo/demo#12 is not mergeable: the base branch policy prohibits the merge.\n",
            row(vcs, "failed"),
        )
        r.say(
            "api 404",
            "gh api repos/octo/none",
            1,
            '{"message":"Not Found"}\ngh: Not Found (HTTP 404)\n',
            row(vcs, "error"),
        )
        r.say(
            "run log",
            "gh run view 1 --log",
            0,
            "test\tRun tests\t2026-01-02T03:04:05.1234567Z ============================= test session starts =============================\ntest\tRun tests\t2026-01-02T03:04:05.2234567Z ========================= 1 failed, 7 passed in 0.12s =========================\n",
            row(TEST, "failed", failed=1, passed=7),
        )


def languages() -> None:
    with Recorder("gradle") as r:
        r.say(
            "passing",
            "./gradlew test",
            0,
            "> Task :compileJava\n> Task :test\n\nBUILD SUCCESSFUL in 3s\n4 actionable tasks: 4 executed\n",
            row(TEST, "passed"),
        )
        r.say(
            "failing",
            "./gradlew test",
            1,
            "> Task :test FAILED\n\nATest > c() FAILED\n    org.opentest4j.AssertionFailedError at ATest.java:9\n\n3 tests completed, 1 failed\n\nFAILURE: Build failed with an exception.\n\n* What went wrong:\nExecution failed for task ':test'.\n> There were failing tests. See the report at: file:///project/build/reports/tests/test/index.html\n\nBUILD FAILED in 2s\n3 actionable tasks: 1 executed, 2 up-to-date\n",
            row(TEST, "failed", failed=1, passed=2, total=3),
        )
        r.say(
            "failing piped",
            "./gradlew test 2>&1 | tail -3",
            0,
            "\nBUILD FAILED in 2s\n3 actionable tasks: 1 executed, 2 up-to-date\n",
            row(BUILD, "failed"),
        )
        r.say(
            "no tests",
            "./gradlew test",
            0,
            "> Task :compileTestJava NO-SOURCE\n> Task :test NO-SOURCE\n\nBUILD SUCCESSFUL in 1s\n",
            row(TEST, "empty"),
        )
        r.say(
            "up to date",
            "./gradlew test",
            0,
            "> Task :test UP-TO-DATE\n\nBUILD SUCCESSFUL in 500ms\n",
            row(TEST, "passed"),
        )
        r.say(
            "compile error",
            "./gradlew build",
            1,
            "> Task :compileJava FAILED\n/project/src/main/java/A.java:3: error: incompatible types: String cannot be converted to int\n1 error\n\nFAILURE: Build failed with an exception.\n\n* What went wrong:\nExecution failed for task ':compileJava'.\n\nBUILD FAILED in 1s\n",
            row(BUILD, "failed"),
        )
        r.say(
            "build",
            "./gradlew assemble",
            0,
            "\nBUILD SUCCESSFUL in 1s\n2 actionable tasks: 2 executed\n",
            row(BUILD, "passed"),
        )
        r.say(
            "ktlint",
            "ktlint",
            1,
            '/project/src/A.kt:1:1: Missing newline after "{" (standard:final-newline)\n\nSummary error count (descending) by rule:\n  standard:final-newline: 1\n',
            row("lint", "failed"),
        )
        r.say(
            "detekt",
            "detekt",
            2,
            "style - 20min debt\n\tMagicNumber - [f] at /project/A.kt:3:9\n\nAnalysis failed with 1 weighted issues.\n",
            row("lint", "failed", failed=1),
        )
    with Recorder("dotnet") as r:
        r.say(
            "test",
            "dotnet test",
            0,
            "  Determining projects to restore...\n  All projects are up-to-date for restore.\n\nStarting test execution, please wait...\nA total of 1 test files matched the specified pattern.\n\nPassed!  - Failed:     0, Passed:     3, Skipped:     0, Total:     3, Duration: 12 ms - Demo.Tests.dll (net8.0)\n",
            row(TEST, "passed", passed=3, failed=0, total=3),
        )
        r.say(
            "test failing",
            "dotnet test",
            1,
            "  Failed Demo.Tests.C [1 ms]\n  Error Message:\n   Assert.Equal() Failure\n\nFailed!  - Failed:     1, Passed:     2, Skipped:     0, Total:     3, Duration: 12 ms - Demo.Tests.dll (net8.0)\n",
            row(TEST, "failed", passed=2, failed=1),
        )
        r.say(
            "test two projects",
            "dotnet test",
            1,
            "Passed!  - Failed:     0, Passed:     3, Skipped:     1, Total:     4, Duration: 12 ms - A.Tests.dll (net8.0)\n\nFailed!  - Failed:     1, Passed:     2, Skipped:     0, Total:     3, Duration: 12 ms - B.Tests.dll (net8.0)\n",
            row(TEST, "failed", passed=5, failed=1, skipped=1, total=7),
        )
        r.say(
            "test terminal logger",
            "dotnet test",
            1,
            "Restore complete (0.4s)\n  Demo succeeded (0.2s) → bin/Debug/net9.0/Demo.dll\n  Demo.Tests test net9.0 failed with 1 error(s) (0.9s)\n\nTest summary: total: 3, failed: 1, succeeded: 2, skipped: 0, duration: 0.9s\nBuild failed with 1 error(s) in 2.1s\n",
            row(TEST, "failed", failed=1, passed=2, total=3),
        )
        r.say(
            "test none",
            "dotnet test",
            0,
            "No test is available in /project/bin/Debug/net8.0/Demo.Tests.dll. Make sure that test discoverer & executors are registered.\n",
            row(TEST, "empty"),
        )
        r.say(
            "build",
            "dotnet build",
            0,
            "  Demo -> /project/bin/Debug/net8.0/Demo.dll\n\nBuild succeeded.\n    0 Warning(s)\n    0 Error(s)\n\nTime Elapsed 00:00:01.23\n",
            row(BUILD, "passed", failed=0),
        )
        r.say(
            "build failing",
            "dotnet build",
            1,
            "/project/A.cs(3,5): error CS1002: ; expected [/project/Demo.csproj]\n\nBuild FAILED.\n\n/project/A.cs(3,5): error CS1002: ; expected [/project/Demo.csproj]\n    0 Warning(s)\n    1 Error(s)\n",
            row(BUILD, "failed", failed=1),
        )
        r.say(
            "build piped",
            "dotnet build 2>&1 | grep error",
            0,
            "/project/A.cs(3,5): error CS1002: ; expected [/project/Demo.csproj]\n",
            row(BUILD, "failed", failed=1),
        )
        r.say(
            "build terminal logger",
            "dotnet build",
            0,
            "Restore complete (0.4s)\n  Demo succeeded (0.2s) → bin/Debug/net9.0/Demo.dll\n\nBuild succeeded in 1.2s\n",
            row(BUILD, "passed"),
        )
    with Recorder("swift") as r:
        r.say(
            "xctest",
            "swift test",
            0,
            "Test Suite 'All tests' started at 2026-01-02 03:04:05.000\nTest Suite 'debug.xctest' passed at 2026-01-02 03:04:05.100.\n\t Executed 3 tests, with 0 failures (0 unexpected) in 0.003 (0.004) seconds\nTest Suite 'All tests' passed at 2026-01-02 03:04:05.100.\n\t Executed 3 tests, with 0 failures (0 unexpected) in 0.003 (0.005) seconds\n",
            row(TEST, "passed", passed=3, failed=0),
        )
        r.say(
            "xctest failing",
            "swift test",
            1,
            "Test Suite 'All tests' failed at 2026-01-02 03:04:05.100.\n\t Executed 3 tests, with 1 failure (0 unexpected) in 0.003 (0.005) seconds\n",
            row(TEST, "failed", failed=1, passed=2),
        )
        r.say(
            "testing",
            "swift test",
            0,
            "◇ Test run started.\n✔ Test a() passed after 0.001 seconds.\n✔ Test run with 2 tests in 1 suite passed after 0.001 seconds.\n",
            row(TEST, "passed", total=2),
        )
        r.say(
            "testing failing",
            "swift test",
            1,
            "✘ Test b() failed after 0.001 seconds with 1 issue.\n✘ Test run with 2 tests in 1 suite failed after 0.001 seconds with 1 issue.\n",
            row(TEST, "failed", total=2),
        )
        r.say(
            "build failing",
            "swift build",
            1,
            "/project/Sources/x/a.swift:3:5: error: cannot convert value of type 'String' to specified type 'Int'\nerror: fatalError\n",
            row(BUILD, "failed"),
        )
        r.say(
            "xcodebuild",
            "xcodebuild test",
            65,
            "Testing failed:\n\tATests.testC()\n\n** TEST FAILED **\n",
            row(TEST, "failed"),
        )
    with Recorder("more-runners") as r:
        r.say(
            "nextest",
            "cargo nextest run",
            0,
            "    Starting 14 tests across 3 binaries (177 tests skipped)\n        PASS [   0.005s] x tests::a\n------------\n     Summary [   0.021s] 14 tests run: 14 passed, 177 skipped\n",
            row(TEST, "passed", passed=14, total=14),
        )
        r.say(
            "nextest failing",
            "cargo nextest run",
            100,
            "        FAIL [   0.005s] x tests::b\n------------\n     Summary [   0.021s] 3 tests run: 2 passed, 1 failed, 0 skipped\n        FAIL [   0.005s] x tests::b\nerror: test run failed\n",
            row(TEST, "failed", passed=2, failed=1),
        )
        r.say(
            "golangci-lint",
            "golangci-lint run",
            1,
            "a/a.go:7:2: Error return value of `f` is not checked (errcheck)\n\tf()\n\t^\n1 issues:\n* errcheck: 1\n",
            row("lint", "failed", failed=1),
        )
        r.say(
            "golangci-lint v1",
            "golangci-lint run",
            1,
            "a/a.go:7:2: Error return value of `f` is not checked (errcheck)\n\tf()\n\t^\n",
            row("lint", "failed", failed=1),
        )
        r.say(
            "golangci-lint passing",
            "golangci-lint run",
            0,
            "0 issues.\n",
            row("lint", "passed", failed=0),
        )
        r.say(
            "cypress",
            "cypress run",
            0,
            "  1 passing (2s)\n\n  (Results)\n  ┌────────────────────────────────────────────────┐\n  │ Tests:        1                                │\n  │ Passing:      1                                │\n  │ Failing:      0                                │\n  └────────────────────────────────────────────────┘\n\n  (Run Finished)\n\n    ✔  All specs passed!                        00:02        1        1        -        -        -  \n",
            [row(TEST, "passed", passed=1), row(TEST, "passed")],
        )
        r.say(
            "cypress failing",
            "cypress run",
            1,
            "  (Run Finished)\n\n    ✖  1 of 2 failed (50%)                      00:05        3        2        1        -        -  \n",
            row(TEST, "failed"),
        )
        r.say(
            "pest",
            "./vendor/bin/pest",
            0,
            "   PASS  Tests\\Unit\\ExampleTest\n  ✓ that true is true\n\n  Tests:    2 passed (2 assertions)\n  Duration: 0.12s\n",
            row(TEST, "passed", passed=2),
        )
        r.say(
            "artisan failing",
            "php artisan test",
            1,
            "   FAIL  Tests\\Unit\\ExampleTest\n  ⨯ b\n\n  Tests:    1 failed, 2 passed (3 assertions)\n  Duration: 0.12s\n",
            row(TEST, "failed", failed=1, passed=2),
        )
        r.say(
            "phpstan",
            "phpstan analyse",
            0,
            " 12/12 [============================] 100%\n\n [OK] No errors                                                                 \n\n",
            row("types", "passed"),
        )
        r.say(
            "phpstan failing",
            "phpstan analyse",
            1,
            " ------ ---------------------------------- \n  Line   src/A.php                         \n ------ ---------------------------------- \n  3      Undefined variable: $x            \n ------ ---------------------------------- \n\n [ERROR] Found 1 error                                                          \n\n",
            row("types", "failed", failed=1),
        )
        r.say(
            "pint",
            "./vendor/bin/pint --test",
            1,
            "  ⨯..\n\n  ──────────────────────────────────── Laravel  \n    FAIL   ........................ 3 files, 1 style issue  \n  ⨯ app/A.php          no_unused_imports  \n",
            row("format", "failed", failed=1, files=3),
        )
        r.say(
            "pint passing",
            "./vendor/bin/pint --test",
            0,
            "  ...\n\n  ──────────────────────────────────── Laravel  \n    PASS   .................................. 3 files  \n",
            row("format", "passed", files=3),
        )
        r.say(
            "test-unit",
            "ruby t.rb",
            1,
            "Finished in 0.001 seconds.\n-------------------------------------------------\n3 tests, 3 assertions, 1 failures, 0 errors, 0 pendings, 0 omissions, 0 notifications\n66.6667% passed\n-------------------------------------------------\n",
            row(TEST, "failed", passed=2, failed=1),
        )
        r.say(
            "rails migrate",
            "bin/rails db:migrate",
            0,
            "== 20260102030405 CreateUsers: migrating ======================================\n-- create_table(:users)\n   -> 0.0012s\n== 20260102030405 CreateUsers: migrated (0.0013s) =============================\n",
            row("db", "passed"),
        )
        r.say(
            "dbt",
            "dbt build",
            1,
            "03:04:05  Completed with 1 error and 0 warnings:\n03:04:05  \n03:04:05    Failure in test not_null_id (models/schema.yml)\n03:04:05  \n03:04:05  Done. PASS=5 WARN=0 ERROR=1 SKIP=2 NO-OP=0 TOTAL=8\n",
            row("db", "failed", passed=5, failed=1, skipped=2, total=8),
        )
        r.say(
            "alembic",
            "alembic upgrade head",
            0,
            "INFO  [alembic.runtime.migration] Context impl PostgresqlImpl.\nINFO  [alembic.runtime.migration] Running upgrade  -> 1a2b3c4d5e6f, create users\n",
            row("db", "passed"),
        )
        r.say(
            "mysql",
            "mysql -e 'update t set a=1' -vv",
            0,
            "--------------\nupdate t set a=1\n--------------\n\nQuery OK, 3 rows affected (0.01 sec)\nRows matched: 3  Changed: 3  Warnings: 0\n\nBye\n",
            row("db", "passed", total=3),
        )
        r.say(
            "mysql failing",
            "mysql -e 'select * from nothing'",
            1,
            "ERROR 1146 (42S02) at line 1: Table 'x.nothing' doesn't exist\n",
            row("db", "failed"),
        )
        r.say(
            "mysql rows",
            "mysql",
            0,
            "+---+\n| a |\n+---+\n| 1 |\n+---+\n1 row in set (0.00 sec)\n",
            row("db", "passed", total=1),
        )
        r.say(
            "vale",
            "vale docs",
            1,
            "\n docs/a.md\n 3:1  error  Use 'sign in'.  Demo.Terms \n\n✖ 1 error, 0 warnings and 0 suggestions in 1 file.\n",
            row("lint", "failed", failed=1),
        )
        r.say(
            "vale passing",
            "vale docs",
            0,
            "✔ 0 errors, 0 warnings and 0 suggestions in 3 files.\n",
            row("lint", "passed", failed=0, files=3),
        )
        r.say(
            "nx",
            "nx run-many -t test",
            1,
            " NX   Running target test for 2 projects failed\n\nFailed tasks:\n\n- web:test\n",
            row("script", "failed"),
        )
        r.say(
            "nx passing",
            "nx run-many -t test",
            0,
            " NX   Successfully ran target test for 2 projects (3s)\n",
            row("script", "passed"),
        )
        r.say(
            "next build",
            "next build",
            1,
            "   Creating an optimized production build ...\nFailed to compile.\n\n./app/page.tsx\nType error: Type 'string' is not assignable to type 'number'.\n",
            row(BUILD, "failed"),
        )
        r.say(
            "next build passing",
            "next build",
            0,
            "   Creating an optimized production build ...\n ✓ Compiled successfully in 2.0s\n   Collecting page data ...\n ✓ Generating static pages (5/5)\n",
            row(BUILD, "passed"),
        )
        r.say(
            "npm audit",
            "npm audit",
            1,
            "# npm audit report\n\nlodash  <4.17.21\nSeverity: high\n\n3 vulnerabilities (1 moderate, 2 high)\n\nTo address all issues, run:\n  npm audit fix\n",
            row("audit", "failed", failed=3),
        )
        r.say(
            "npm audit passing", "npm audit", 0, "found 0 vulnerabilities\n", row("audit", "passed")
        )
        r.say(
            "npm install with audit",
            "npm install",
            0,
            "\nadded 12 packages, and audited 13 packages in 2s\n\n3 packages are looking for funding\n  run `npm fund` for details\n\n2 high severity vulnerabilities\n\nTo address all issues, run:\n  npm audit fix\n",
            [row("install", "passed"), row("audit", "failed", failed=2)],
        )
        r.say(
            "pip-audit",
            "pip-audit",
            1,
            "Found 2 known vulnerabilities in 1 package\nName  Version ID             Fix Versions\n",
            row("audit", "failed", failed=2),
        )
        r.say(
            "uv",
            "uv sync",
            0,
            "Resolved 12 packages in 5ms\nInstalled 3 packages in 12ms\n + attrs==25.1.0\n",
            row("install", "passed"),
        )
        r.say(
            "apt",
            "apt-get install nothing",
            100,
            "Reading package lists...\nBuilding dependency tree...\nE: Unable to locate package nothing\n",
            row("install", "failed"),
        )
        r.say(
            "husky",
            "git commit -m x",
            1,
            "✖ eslint --fix:\n\n/project/a.js\n  1:1  error  Unexpected var  no-var\n\n✖ 1 problem (1 error, 0 warnings)\n\nhusky - pre-commit script failed (code 1)\n",
            row("lint", "failed", failed=1),
        )
        r.say(
            "claude timeout",
            "sleep 500",
            1,
            "Command timed out after 2m 0.0s\n",
            row("script", "timeout"),
        )
        r.say(
            "claude exit code",
            "pytest",
            1,
            "Exit code 1\n=================== 1 failed, 3 passed in 0.12s ===================\n",
            row(TEST, "failed", failed=1, passed=3),
        )
        r.say(
            "junit xml",
            "cat report.xml",
            0,
            '<?xml version="1.0" encoding="utf-8"?><testsuites>\n<testsuite name="pytest" errors="0" failures="1" skipped="0" tests="3" time="0.12" timestamp="2026-01-02T03:04:05">\n',
            row(TEST, "failed", failed=1, passed=2, total=3),
        )


def main() -> None:
    recorded()
    cloud()
    languages()


if __name__ == "__main__":
    main()
