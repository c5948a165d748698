"""What memory does at each event of a session: one module per event."""
