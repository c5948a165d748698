"""The real Claude Code in a lab."""

from __future__ import annotations

import dataclasses
import json
import os
from typing import Any

import lab
from clients import cache_dir, claude_bin
from fake_anthropic import FakeAnthropic, Request, Turn, text_of

KEY = "sk-test"
MODEL = "claude-sonnet-4-5"
MARKETPLACE_URL = "https://marketplace.invalid/custom-skills.git"


@dataclasses.dataclass
class Run(lab.Run[Request]):
    """What one `claude -p` did."""

    debug: str  # its debug log

    @property
    def events(self) -> list[dict[str, Any]]:
        """What the client printed, one JSON object per line."""
        return [json.loads(line) for line in self.stdout.splitlines() if line.startswith("{")]

    @property
    def session_id(self) -> str:
        return str(self.events[0]["session_id"])

    @property
    def result(self) -> str:
        """The answer that the caller gets."""
        return str(self.events[-1].get("result"))

    @property
    def failed_calls(self) -> list[str]:
        """The results of tool calls, the subagents' too, that the model was told are errors."""
        results = [block for request in self.requests for block in request.tool_results]
        failed = {block["tool_use_id"]: block for block in results if block.get("is_error")}
        return [text_of(block["content"]) for block in failed.values()]


class ClaudeLab(lab.Lab):
    def __init__(self, prefix: str = "lab's $(x) ") -> None:
        self.bin = claude_bin(cache_dir())
        super().__init__([self.bin], prefix)
        self._runs = 0

    def client_env(self, url: str) -> dict[str, str]:
        return {
            "CLAUDE_CONFIG_DIR": self.config,
            "IS_SANDBOX": "1",  # lets root run without permission prompts
            "ANTHROPIC_BASE_URL": url,
            "ANTHROPIC_API_KEY": KEY,
            "DISABLE_TELEMETRY": "1",
            "DISABLE_ERROR_REPORTING": "1",
            "DISABLE_AUTOUPDATER": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        }

    def add_marketplace(self, repository: str) -> None:
        """Add a local repository as a *git* marketplace; git turns the address into its path.

        A directory marketplace would run the plugins in place; this one runs the copy in the
        client's cache, as for a real user, where nothing outside a plugin's folder exists.
        """
        config = '[url "file://%s"]\n\tinsteadOf = %s\n[protocol "file"]\n\tallow = always\n'
        self.write(os.path.join(self.home, ".gitconfig"), config % (repository, MARKETPLACE_URL))
        self.cli("plugin", "marketplace", "add", MARKETPLACE_URL)

    def install(self, *plugins: str) -> None:
        for plugin in plugins:
            self.cli("plugin", "install", plugin + "@custom-skills")

    def cached(self, plugin: str) -> str:
        """Return the one folder from which the client runs a plugin."""
        versions = os.path.join(self.config, "plugins", "cache", "custom-skills", plugin)
        (version,) = os.listdir(versions)
        return os.path.join(versions, version)

    def run(
        self,
        script: list[Turn],
        prompt: str = "go",
        resume: str = "",
        mode: str = "bypassPermissions",
        options: tuple[str, ...] = (),
        **env: str,
    ) -> Run:
        """Run one `claude -p` to its end; the model answers from script."""
        self._runs += 1
        debug = os.path.join(self.root, "debug-%d.log" % self._runs)
        command = [*self.command, "-p", "--output-format", "stream-json", "--verbose"]
        command += ["--include-hook-events", "--debug-file", debug]
        command += ["--model", MODEL, "--permission-mode", mode]
        command += ["--resume", resume] if resume else []
        run = self.play(FakeAnthropic(script), [*command, *options, "--", prompt], **env)
        with open(debug, encoding="utf-8", errors="replace") as file:
            return Run(**vars(run), debug=file.read())
