"""Gemini CLI: its events, tools and transcript in Claude Code's terms, and the way back."""
