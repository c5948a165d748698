"""Tables of programs: those that run others, have subcommands, or test and build."""

from __future__ import annotations

# words that stand before a program -> their options that take a value
WRAPPERS = {
    "sudo": "-u -g -h -p -C -r -t -U", "doas": "-u -C", "env": "-u -C -S", "time": "-f -o",
    "timeout": "-s -k --signal --kill-after", "nice": "-n", "nohup": "", "command": "", "exec": "",
    "stdbuf": "-i -o -e", "xvfb-run": "-s -n -e", "setsid": "", "ionice": "-c -n", "caffeinate": "",
    "then": "", "do": "", "else": "", "if": "", "elif": "", "while": "", "until": "", "!": "",
    "npx": "-p --package -c", "bunx": "", "pnpx": "", "uvx": "--from --with", "dotenv": "-e -f",
    "cross-env": "", "corepack": "", "winpty": "", "builtin": "",
}  # fmt: skip
# The host ignores these when it matches a permission rule; the others a rule must name.
IGNORED_BY_RULES = frozenset(("timeout", "time", "nice", "nohup"))
NAMED_IN_RULES = frozenset(("npx", "bunx", "uvx", "pnpx", "sudo"))
# subcommands that run another program
RUNNERS = frozenset(
    ("pnpm exec", "pnpm dlx", "yarn exec", "yarn dlx", "npm exec", "uv run", "poetry run",
     "pipenv run", "pdm run", "rye run", "hatch run", "bundle exec", "bun x", "conda run",
     "mise exec", "direnv exec")
)  # fmt: skip
# programs with subcommands -> their options that take a value
WITH_SUBCOMMANDS = {
    "git": "-C -c --git-dir --work-tree --namespace", "gh": "-R --repo", "glab": "-R --repo",
    "npm": "--prefix -w --workspace -C", "pnpm": "--filter -C --dir -F", "yarn": "--cwd",
    "bun": "--cwd --filter", "deno": "", "cargo": "-C --config -Z --color", "go": "-C",
    "rustup": "", "docker": "-H --host --context -c -l", "podman": "", "docker-compose": "-f -p",
    "kubectl": "-n --namespace --context --kubeconfig -s", "helm": "-n --namespace",
    "terraform": "", "pulumi": "-C -s", "aws": "--profile --region --output", "gcloud": "--project",
    "az": "", "heroku": "-a", "fly": "-a", "vercel": "", "netlify": "", "firebase": "-P",
    "pip": "--python", "pipx": "", "uv": "--directory --project", "poetry": "-C --directory",
    "pipenv": "", "pdm": "-p", "rye": "", "hatch": "-e", "conda": "", "composer": "-d",
    "artisan": "", "console": "", "manage.py": "", "rails": "", "rake": "", "bundle": "", "gem": "",
    "mix": "", "dotnet": "", "swift": "", "flutter": "", "dart": "", "make": "-C -f -j -o -W -I",
    "just": "-f -d", "task": "-t -d", "gradle": "-p -b -c -I", "mvn": "-f -pl -P -s -T",
    "ant": "-f", "bazel": "", "nx": "", "turbo": "", "lerna": "", "ng": "", "prisma": "",
    "alembic": "-c -n", "flask": "--app -A -e", "apt": "-o -t", "apt-get": "-o -t", "brew": "",
    "systemctl": "", "service": "", "nix": "", "hookctl": "", "claude": "", "ninja": "-C -j -f",
    "ruff": "", "biome": "", "meson": "", "sbt": "", "stack": "", "cabal": "", "supabase": "",
}  # fmt: skip
# subcommands that have subcommands themselves
NESTED_SUBCOMMANDS = frozenset(
    ("npm run", "pnpm run", "yarn run", "bun run", "deno task", "docker compose", "go mod", "gh pr",
     "gh issue", "gh run", "gh repo", "gh release", "aws s3", "aws ec2", "aws lambda", "uv pip",
     "docker image", "docker container", "docker volume", "kubectl rollout", "git stash",
     "git worktree", "git submodule", "git remote", "nx run", "turbo run", "poetry self")
)  # fmt: skip
INTERPRETERS = {  # name -> options followed by code, and options that take a value
    "python": ("-c", "-W -X"), "node": ("-e -p --eval --print", "-r --require --import --loader"),
    "ruby": ("-e", "-I -r"), "php": ("-r", "-d -c"), "perl": ("-e -E", "-I -M"),
    "ts-node": ("-e", "-P"), "tsx": ("-e", ""), "bash": ("", "-o"), "sh": ("", "-o"),
    "zsh": ("", "-o"), "dash": ("", "-o"),
}  # fmt: skip
ALIASES = {"gradlew": "gradle", "mvnw": "mvn", "nodejs": "node", "py": "python"}
SHELLS = ("bash", "sh", "zsh", "dash")
MINOR = frozenset(  # commands that only accompany the one that matters
    "cd pushd popd echo printf cat tail head grep egrep rg sed awk ls pwd export set unset source ."
    " sleep true false wc sort uniq tee which type test [ [[ mkdir touch tr cut xargs less more"
    " date find fd jq yes read wait trap exit return local declare alias ulimit umask eval for in"
    " done fi esac case clear diff stat file basename dirname realpath rm cp mv ln chmod kill"
    " ps env id whoami hostname uname tput stty".split()
)
CHECKS = frozenset(  # programs and subcommands that test, build or check
    "test tests spec check build lint typecheck type-check tsc compile jest vitest mocha ava tap"
    " pytest unittest nose2 tox nox mypy pyright pyre ruff flake8 pylint black isort eslint"
    " prettier biome stylelint phpunit pest phpstan psalm phpcs rspec rubocop minitest ctest"
    " playwright cypress karma make cmake ninja gcc g++ clang clang++ cc rustc javac gradle mvn"
    " clippy vet golangci-lint staticcheck shellcheck hadolint webpack vite rollup esbuild"
    " storybook coverage bench verify ci e2e validate swiftlint detekt ktlint sbt".split()
)
