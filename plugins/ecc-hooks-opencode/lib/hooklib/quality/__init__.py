"""Code quality after an edit: format, check and warn with the project's own tools."""
