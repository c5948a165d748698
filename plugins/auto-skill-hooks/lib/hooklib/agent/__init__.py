"""For agent programs: rules called from a loop of their own, or as hooks of the Agent SDK."""
