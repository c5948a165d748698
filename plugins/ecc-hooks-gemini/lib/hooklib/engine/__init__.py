"""The engine: registry (what there is), planner (what runs), runner, aggregator (one answer)."""
