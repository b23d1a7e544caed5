"""The checksums of the rows of the cache file, as `RowChecksum` computes them, for tests that edit rows."""

MASK = (1 << 64) - 1
P1, P2, P3, P4, P5 = (
    0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5,
)  # fmt: skip

ITEM = "item_checksum(resource, {name}, id, partial, fetched_at, etag, modified, json, invalidated)"
PAGE = (
    "page_checksum(resource, {name}, request, partial, fetched_at, count, etag, modified, list, ids, info, next, pages,"
    " invalidated)"
)
NAME = "(SELECT name FROM resources WHERE resources.key = resource)"


def rotated(word, count):
    return (word << count | word >> 64 - count) & MASK


def mixed(lane, word):
    return rotated((lane + word * P2) & MASK, 31) * P1 & MASK


def xxh64(data, seed):
    """Returns the XXH64 hash of the bytes."""
    words = memoryview(data[: len(data) // 8 * 8]).cast("Q")
    at = 0
    if len(data) >= 32:
        lanes = [(seed + P1 + P2) & MASK, (seed + P2) & MASK, seed, (seed - P1) & MASK]
        for at in range(0, len(words) // 4 * 4, 4):
            lanes = [mixed(lane, word) for lane, word in zip(lanes, words[at : at + 4])]
        at += 4
        value = sum(rotated(lane, count) for lane, count in zip(lanes, (1, 7, 12, 18))) & MASK
        for lane in lanes:
            value = ((value ^ mixed(0, lane)) * P1 + P4) & MASK
    else:
        value = (seed + P5) & MASK
    value = (value + len(data)) & MASK
    for word in words[at:]:
        value = (rotated(value ^ mixed(0, word), 27) * P1 + P4) & MASK
    at = len(words) * 8
    if at + 4 <= len(data):
        value = (rotated(value ^ int.from_bytes(data[at : at + 4], "little") * P1 & MASK, 23) * P2 + P3) & MASK
        at += 4
    for byte in data[at:]:
        value = rotated(value ^ byte * P5 & MASK, 11) * P1 & MASK
    value = (value ^ value >> 33) * P2 & MASK
    value = (value ^ value >> 29) * P3 & MASK
    return value ^ value >> 32


def checksum(resource, parts, invalidated):
    """Returns the checksum of a row. The hash of each part is the seed for the hash of the next part. A missing string
    counts as -1."""
    value = resource & MASK
    for part in parts:
        if isinstance(part, str):
            part = part.encode()
        elif not isinstance(part, bytes):
            part = (-1 if part is None else part).to_bytes(8, "little", signed=True)
        value = xxh64(part, value)
    value = value ^ MASK if invalidated else value
    return value - (1 << 64) if value >> 63 else value


def item(resource, name, id, partial, fetched_at, etag, modified, json, invalidated):
    return checksum(resource, [name, id, partial, fetched_at, etag, modified, json], invalidated)


def page(
    resource, name, request, partial, fetched_at, count, etag, modified, list, ids, info, next, pages, invalidated
):
    counts = [int(count is not None), count or 0]
    ends = [int(pages is not None), pages or 0]
    parts = [name, request, partial, fetched_at, *counts, etag, modified, list, ids, info, next, *ends]
    return checksum(resource, parts, invalidated)


def register(connection):
    """Defines the SQL functions used in `ITEM` and `PAGE`."""
    connection.create_function("item_checksum", 9, item)
    connection.create_function("page_checksum", 14, page)


def renew(connection):
    """Recomputes the checksums of all rows."""
    register(connection)
    connection.execute("UPDATE items SET checksum = " + ITEM.format(name=NAME))
    connection.execute("UPDATE pages SET checksum = " + PAGE.format(name=NAME))
