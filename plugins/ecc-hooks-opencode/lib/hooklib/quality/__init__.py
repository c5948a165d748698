"""Code quality after an edit: format, check, warn; with the project's own tools."""
