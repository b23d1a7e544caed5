"""Code that the blocking and the asyncio client share."""
