"""Debug statements left in source code: Python, JavaScript and TypeScript, PHP."""
