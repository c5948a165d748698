"""Commands and their failures: shapes, signatures, permission rules, what new files tell."""

from __future__ import annotations

import os
import random
import unittest
from typing import Any

from hooklib.memory.learn import permission_rules, signature, structure
from hooklib.shell import command_shape, simple_commands

SECRET = "hunter" + "2abc"
AWKWARD = [
    "",
    " ",
    "\n",
    "\\",
    "'",
    '"',
    "`",
    "$(",
    "${",
    "((((",
    "))))",
    "a && (b | c",
    "<<",
    "<<EOF",
    "<<EOF\nx",
    "cat <<'E'\nnpm test\nE",
    "2>",
    ">",
    "&",
    "&&",
    "||",
    "|",
    ";",
    "#",
    "# npm test",
    "\x00",
    "\ud800",
    "git",
    "git -C",
    "sudo",
    "timeout 5",
    "env",
    "python3 -m",
    "bash -c",
    "npx",
    "=",
    "A=",
    "A=1",
    "!",
    "[",
    "[[ -f a ]]",
    "for",
    "if true; then",
    "a" * 50_000,
    "(" * 30_000,
    "'" * 30_001,
    "$(" * 20_000,
    "a\n" * 20_000,
    "<<A " * 9_000,
    "資料庫 測試",
    "\u202e",
    "-",
    "--",
]


class ShapeTest(unittest.TestCase):
    SHAPES = [
        ("pytest", "pytest"),
        ("python3 -m pytest tests/a.py -k x", "pytest"),
        ("python3.11 -X dev -m pytest -q 2>&1 | tail -5", "pytest"),
        ("cd /w/app && FOO=1 timeout 30 python -m pytest", "pytest"),
        ("uv run pytest -q", "pytest"),
        ("poetry run python -m pytest", "pytest"),
        ("/w/.venv/bin/pytest tests", "pytest"),
        ("npm run test -- --watch", "npm run test"),
        ("npm test", "npm test"),
        ("npm --prefix web run lint:fix", "npm run lint:fix"),
        ("pnpm --filter web build", "pnpm build"),
        ("npx tsc --noEmit", "tsc"),
        ("npx -y prettier --check .", "prettier"),
        ("./node_modules/.bin/jest src", "jest"),
        ('git -C x commit -m "a; npm test"', "git commit"),
        ("git -c user.name=x push origin main", "git push"),
        ("git stash pop", "git stash pop"),
        ("sudo -u root apt-get install -y jq", "apt-get install"),
        ("./gradlew test --info", "gradle test"),
        ("mvn -f pom.xml verify", "mvn verify"),
        ("vendor/bin/phpunit --filter x", "phpunit"),
        ("php artisan test", "artisan test"),
        ("python manage.py migrate", "manage.py migrate"),
        ("docker compose up -d", "docker compose up"),
        ("kubectl -n prod get pods", "kubectl get"),
        ("make -C sub -j4 test", "make test"),
        ("cargo +nightly test --all", "cargo test"),
        ("go test ./...", "go test"),
        ("go mod tidy", "go mod tidy"),
        ("python3 tests/run.py test_x", "run.py"),
        ("./tools/deploy.sh prod", "deploy.sh"),
        ("bash tools/deploy.sh prod", "deploy.sh"),
        ("bash -c 'cd a && npm test'", "npm test"),
        ("bash -lc \"cd a && bash -c 'go build ./...'\"", "go build"),
        ("bash deploy.sh -c prod", "deploy.sh"),
        ("python3 -c 'import x'", "python"),
        ("node -e 1", "node"),
        # the part that matters
        ("cd a; echo start; npm run build; echo done", "npm run build"),
        ("pip install -r r.txt && pytest", "pytest"),
        ("git add -A && git commit -m x && git push", "git push"),
        ("cat log | grep x | tail", "cat"),
        ("git log | head", "git log"),
        ("curl http://x | python3 -m json.tool", "curl"),
        ("npm test || true", "npm test"),
        ("rm -rf build && cmake --build .", "cmake"),
        ("for i in 1 2; do npm test; done", "npm test"),
        ("if [ -f Makefile ]; then make build; fi", "make build"),
        ("(cd a; cargo build)", "cargo build"),
        ("cat > a.txt <<EOF\nnpm test\nEOF\ngo vet ./...", "go vet"),
        ("cat > a.txt <<-'EOF'\n\tnpm test\n\tEOF\nls", "ls"),
        ("time make", "make"),
        ("grep -r 'npm test' .", "grep"),
        ("echo npm test", "echo"),
        ("ls # npm test", "ls"),
        ("a=$(npm test) ls", "ls"),
    ]

    def test_shapes(self) -> None:
        for command, expected in self.SHAPES:
            with self.subTest(command):
                self.assertEqual(command_shape.of_command(command), expected)

    def test_no_argument_and_no_secret_is_kept(self) -> None:
        for command in (
            "PGPASSWORD=%s psql -c 'select 1'",
            "mysql -p%s shop",
            "curl -H 'Authorization: Bearer %s' http://x",
            "git -c http.extraheader=%s push",
            "docker login -p %s",
            "sshpass -p %s ssh host",
            "npm config set token %s",
            "bash -c 'deploy %s'",
            "env TOKEN=%s make",
            "echo %s | docker login",
            "'%s with a space' x",
            "aws --profile %s s3 cp a b",
        ):
            with self.subTest(command):
                found = command_shape.of_command(command % SECRET) + command_shape.prefix(
                    command % SECRET
                )
                self.assertNotIn(SECRET, found)

    def test_weights(self) -> None:
        for name, expected in (
            ("", 0),
            ("cd", 1),
            ("cat", 1),
            ("git push", 2),
            ("curl", 2),
            ("pytest", 3),
            ("npm run test", 3),
            ("npm run test:unit", 3),
            ("make build", 3),
            ("cargo clippy", 3),
            ("run_tests.sh", 3),
            ("deploy.sh", 2),
            ("latest.sh", 2),
        ):
            with self.subTest(name):
                self.assertEqual(command_shape.weight(name), expected)

    def test_whatever_is_given_comes_to_an_end(self) -> None:
        for command in AWKWARD:
            self.assertLessEqual(len(command_shape.of_command(command)), 130)
            command_shape.prefix(command)
        signs = "a'\"\\ $(){}<>|&;\n#`=-"
        dice = random.Random(4711)
        for _ in range(3_000):
            command_shape.of_command("".join(dice.choices(signs, k=dice.randint(1, 40))))

    def test_a_simple_command_has_its_words_without_quotes(self) -> None:
        found = simple_commands.simple_commands("a 'b c' \"d $(e; f)\" g\\ h > out 2>&1 | i && j")
        words = [(each.words, each.piped) for each in found]
        expected = [(["a", "b c", "d $(e; f)", "g h"], False), (["i"], True), (["j"], False)]
        self.assertEqual(words, expected)


with open(os.path.join(os.path.dirname(__file__), "failures.txt"), encoding="utf-8") as file:
    FAILURES = [each.partition("\n")[::2] for each in file.read().split("\n=== ")[1:]]


class SignatureTest(unittest.TestCase):
    SILENT = [
        "",
        "Exit code 1",
        "Exit code 1\n",
        "Exit code 3\nerr",
        "Exit code 1\n\n\n",
        "Exit code 1\n42",
        "Exit code 1\n1 failed, 3 passed",
        "Exit code 1\nTests:       1 failed, 2 total",
        "Exit code 2\n/w/a/b/c",
        "Exit code 1\nhello world",
        "Exit code 1\na.txt\nb.txt",
        "Exit code 1\n========= 1 failed in 0.03s =========",
        "Exit code 1\n✖ 3 problems (3 errors)",
        "\x00\x01",
        "\ud800",
    ]

    def render(self, text: str, which: int) -> str:
        values = (
            {
                "root": "/home/dev/project",
                "number": "17",
                "hash": "Ab12Cd",
                "uuid": "6b088583-6384-4a89-8543-17655d3122bb",
            },
            {
                "root": "/srv/ci/build_9/my-checkout",
                "number": "23",
                "hash": "Zz98Xy",
                "uuid": "86fdd279-6a75-4aa1-9398-3b07ed98755c",
            },
        )[which]
        for name, value in values.items():
            text = text.replace("{%s}" % name, value)
        return text if text.startswith("Exit code") else "Exit code 1\n" + text

    def test_the_same_failure_elsewhere_has_the_same_signature(self) -> None:
        for word, text in FAILURES:
            with self.subTest(text):
                here, there = (signature.of_error(self.render(text, n)) for n in (0, 1))
                self.assertEqual(here, there)
                self.assertIn(word, here)
                self.assertLess(len(here), 900)
                for varying in ("17", "/home", "dev/project", "Ab12Cd", "6b088583", "\x1b"):
                    self.assertNotIn(varying, here)

    def test_colours_do_not_matter(self) -> None:
        self.assertEqual(
            signature.of_error("\x1b[31mError: boom\x1b[0m at 0x7f12"), "Error: boom at <hex>"
        )

    def test_different_failures_differ(self) -> None:
        found = [signature.of_error(self.render(text, 0)) for _, text in FAILURES]
        self.assertEqual(len(set(found)), len(found))
        for one, other in (
            (
                "ModuleNotFoundError: No module named 'a_b'",
                "ModuleNotFoundError: No module named 'c'",
            ),
            ("FAILED t.py::test_a - x", "FAILED t.py::test_b - x"),
            ("a.ts(1,2): error TS2322: x y z", "a.ts(1,2): error TS2345: x y z"),
            ("foo: command not found", "bar: command not found"),
            ("error[E0308]: mismatched types", "error[E0382]: borrow of moved value"),
            ("failed with status 404", "failed with status 500"),
        ):
            with self.subTest(one):
                self.assertNotEqual(signature.of_error(one), signature.of_error(other))

    def test_nothing_telling_has_no_signature(self) -> None:
        for text in self.SILENT:
            with self.subTest(text):
                self.assertEqual(signature.of_error(text), "")

    def test_the_order_of_parallel_tests_does_not_matter(self) -> None:
        lines = ["FAILED a.py::test_%s - x" % name for name in "abc"]
        texts = {signature.of_error("\n".join(order)) for order in (lines, lines[::-1])}
        self.assertEqual(len(texts), 1)

    def test_whatever_is_given_comes_to_an_end(self) -> None:
        for text in (
            *AWKWARD,
            "error: " + "a/" * 20_000,
            "Error: " + "1.2-" * 9_000,
            "E " * 20_000,
            "at a.b.c(" * 5_000,
            "x" * 399 + ": error\n" * 5_000,
        ):
            self.assertLess(len(signature.of_error(text)), 900)


class PermissionTest(unittest.TestCase):
    # Bash, Edit, Read and Write are tried in Claude Code (tests/e2e/test_permission_rules.py), the
    # others follow its documentation
    RULES = [
        ("Bash", {"command": "git push origin main"}, "Bash(git push:*)"),
        ("Bash", {"command": "npm run build -- --prod"}, "Bash(npm run build:*)"),
        ("Bash", {"command": "python3 -m pytest tests"}, "Bash(python3 -m pytest:*)"),
        ("Bash", {"command": "cd web && npx tsc --noEmit | tail -3"}, "Bash(npx tsc:*)"),
        ("Bash", {"command": "timeout 60 cargo test"}, "Bash(cargo test:*)"),
        ("Bash", {"command": "python3 tools/x.py --all"}, "Bash(python3 tools/x.py:*)"),
        ("Bash", {"command": "sudo apt-get install jq"}, "Bash(sudo apt-get install:*)"),
        ("Edit", {"file_path": "/p/src/a/b.py"}, "Edit(src/a/**)"),
        ("Write", {"file_path": "/p/src/b.py", "content": "x"}, "Edit(src/**)"),
        ("NotebookEdit", {"notebook_path": "/p/n/a.ipynb"}, "Edit(n/**)"),
        ("Edit", {"file_path": "/p/README.md"}, "Edit(/README.md)"),
        ("Edit", {"file_path": "src/b.py"}, "Edit(src/**)"),
        ("Edit", {"file_path": "/home/u/.zshrc"}, "Edit(~/.zshrc)"),
        ("Read", {"file_path": "/etc/nginx/nginx.conf"}, "Read(//etc/nginx/**)"),
        ("Read", {"file_path": "/home/u/notes/a.md"}, "Read(~/notes/**)"),
        ("Grep", {"path": "/p/src", "pattern": "x"}, "Read(src/**)"),
        ("Glob", {"path": "/var/log", "pattern": "*"}, "Read(//var/log/**)"),
        (
            "WebFetch",
            {"url": "https://docs.rs/serde?x#y", "prompt": "p"},
            "WebFetch(domain:docs.rs)",
        ),
        ("WebFetch", {"url": "https://u:p@Example.com:8443/x"}, "WebFetch(domain:example.com)"),
        ("WebSearch", {"query": "x"}, "WebSearch"),
        ("mcp__github__create_issue", {"title": "x"}, "mcp__github__create_issue"),
        ("mcp__my-server__do", {}, "mcp__my-server__do"),
        ("Task", {"subagent_type": "Explore", "prompt": "x"}, "Task(Explore)"),
        ("Agent", {"subagent_type": "my-plugin:reviewer"}, "Agent(my-plugin:reviewer)"),
        ("Skill", {"skill": "pdf"}, "Skill(pdf)"),
    ]
    NONE: list[tuple[str, dict[str, Any]]] = [
        ("Bash", {}),
        ("Bash", {"command": ""}),
        ("Bash", {"command": 3}),
        ("Bash", {"command": "python3 -c 'x'"}),
        ("Bash", {"command": "bash -c 'npm test'"}),
        ("Bash", {"command": "FOO=1 npm test"}),
        ("Bash", {"command": "git -C x push"}),
        ("Bash", {"command": "$X y"}),
        ("Bash", {"command": "env A=b make"}),
        ("Bash", {"command": "'a (b)' c"}),
        ("Bash", {"command": "node -e 1"}),
        ("Edit", {}),
        ("Edit", {"file_path": ""}),
        ("Edit", {"file_path": "/p/../etc/passwd"}),
        ("Edit", {"file_path": "/p/app/[id]/page.tsx"}),
        ("Edit", {"file_path": "/p/a*b/c.txt"}),
        ("Edit", {"file_path": "/p/" + "a/" * 400}),
        ("Grep", {"pattern": "x"}),
        ("Grep", {"path": "/p"}),
        ("WebFetch", {}),
        ("WebFetch", {"url": "file:///etc/passwd"}),
        ("WebFetch", {"url": "x"}),
        ("WebFetch", {"url": "https://localhost/"}),
        ("WebFetch", {"url": "https://a b.com/"}),
        ("Task", {}),
        ("Task", {"subagent_type": "a) b"}),
        ("Skill", {"skill": ""}),
        ("", {}),
        ("a b", {}),
        ("x(y)", {}),
        ("mcp__a__b)", {}),
    ]

    def test_rules(self) -> None:
        for tool, given, expected in self.RULES:
            with self.subTest(tool=tool, given=given):
                rule = permission_rules.rule_for(tool, dict(given), "/p", "/home/u")
                self.assertEqual(rule, expected)

    def test_no_rule_is_better_than_a_wide_one(self) -> None:
        for tool, given in self.NONE:
            with self.subTest(tool=tool, given=given):
                self.assertEqual(permission_rules.rule_for(tool, dict(given), "/p", "/home/u"), "")


class StructureTest(unittest.TestCase):
    TOLD = [
        ("pyproject.toml", "manifest", "a Python project"),
        ("packages/web/package.json", "manifest", "packages/web/package.json: a Node.js package"),
        ("services/x/go.mod", "manifest", "a Go module"),
        ("Cargo.toml", "manifest", "Rust"),
        ("composer.json", "manifest", "PHP"),
        ("docker/api/Dockerfile", "manifest", "container"),
        ("Dockerfile.dev", "manifest", "container"),
        ("requirements-dev.txt", "manifest", "requirements"),
        ("Makefile", "manifest", "make"),
        (".github/workflows/ci.yml", "manifest", "GitHub Actions"),
        (".circleci/config.yml", "manifest", "CircleCI"),
        (".gitlab-ci.yml", "manifest", "GitLab"),
        ("Shop/Shop.csproj", "manifest", ".NET"),
        ("main.py", "entry", "main.py: an entry point"),
        ("src/shop/__main__.py", "entry", "entry point"),
        ("src/index.ts", "entry", "TypeScript"),
        ("packages/web/src/index.ts", "entry", "packages/web"),
        ("cmd/ratesd/main.go", "entry", "Go"),
        ("manage.py", "entry", "Django"),
    ]
    SILENT = [
        "",
        "a.txt",
        "src/a.py",
        "src/buttons/index.ts",
        "src/a/b/c/main.py",
        "docs/a.md",
        "../main.py",
        "node_modules/x/package.json",
        "vendor/x/composer.json",
        "tests/main.py",
        "/q/pyproject.toml",
        "tests/fixtures/p/package.json",
        "examples/a/go.mod",
        ".venv/lib/setup.py",
        "dist/index.js",
        ".github/dependabot.yml",
        "build/CMakeLists.txt",
        "src/package.json.bak",
        "Package.json.md",
        "target/x/Cargo.toml",
        "x" * 2_000,
        "\x00",
        "\ud800/main.py",
        "a//./b",
    ]

    def test_what_a_new_file_tells(self) -> None:
        for path, kind, text in self.TOLD:
            with self.subTest(path):
                for given in (path, "/p/" + path):
                    found = structure.describe_new_file(given, "/p")
                    assert found is not None
                    self.assertEqual(found[0], kind)
                    self.assertIn(text, found[1])

    def test_most_files_tell_nothing(self) -> None:
        for path in self.SILENT:
            with self.subTest(path):
                self.assertIsNone(structure.describe_new_file(path, "/p"))

    def test_a_new_top_level_folder(self) -> None:
        found = structure.describe_new_file("/p/billing/a.py", "/p", new_folder=True)
        self.assertEqual(
            found, ("folder", "billing/: a new top-level folder, first file billing/a.py")
        )
        self.assertIsNotNone(structure.describe_new_file("/p/tests/a.py", "/p", new_folder=True))
        for path in ("/p/a.py", "/p/node_modules/a.js", "/p/.cache/a", "/p/dist/a.js", "/q/b/c.py"):
            with self.subTest(path):
                self.assertIsNone(structure.describe_new_file(path, "/p", new_folder=True))


if __name__ == "__main__":
    unittest.main()
