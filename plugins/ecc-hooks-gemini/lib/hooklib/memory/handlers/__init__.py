"""What each event means for memories: one module per event."""
