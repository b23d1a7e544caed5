"""Lists of third-party servers that tests change: a module for each server."""
