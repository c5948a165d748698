"""The engine: registry (all hooks), planner (those to run), runner, aggregator (one answer)."""
