"""Find debug statements left in source code: Python, JavaScript and TypeScript, PHP."""
