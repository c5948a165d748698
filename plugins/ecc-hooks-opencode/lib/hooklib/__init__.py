"""The library behind every hook of the bundle: standard library only, one copy per plugin."""
