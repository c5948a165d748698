"""The auto-skill folders: knowledge and experience in Markdown, with an index beside each."""
