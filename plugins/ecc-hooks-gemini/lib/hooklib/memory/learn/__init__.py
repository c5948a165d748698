"""Learn without being asked: failures and their solutions, statements, permission habits."""
