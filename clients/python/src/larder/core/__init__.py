"""Parts that the blocking and the asyncio client share."""
