"""Session states: one file per session records what happened and briefs the next session."""
