"""The API of the page docs/from-documentation.md: a register of lighthouses, as described on that page."""

from standins import Request, find, need

LIGHTS = [
    {
        "code": f"DE-{number}",
        "name": name,
        "state": state,
        "height": {"m": height},
        "position": {"lat": lat, "lon": lon},
        "keepers": [{"name": keeper} for keeper in keepers],
        "notes": notes,
        "surveyed_at": 1767225600 + number,
    }
    for number, name, state, height, lat, lon, keepers, notes in [
        (101, "Amrum", "active", 41.8, 54.63, 8.35, ["H. Jensen"], {"de": "Besteigung möglich"}),
        (118, "Westerheversand", "active", 40, 54.37, 8.64, ["F. Geertsen", "K. Thiessen"], {}),
        (131, "Helgoland", "active", 35, 54.18, 7.88, [], {}),
        (204, "Roter Sand", "museum", 28, 53.85, 8.08, [], {"en": "Open to visitors in summer"}),
        (219, "Hohe Weg", "planned works", 29, 53.71, 8.24, [], {}),
    ]
]
SIZE = 2


def fault(code: str, text: str) -> dict:
    return {"fault": {"code": code, "text": text}}


def answer(request: Request) -> dict:
    need(request.headers.get("X-Key") == "lamp-0815-4711", 401, fault("key", "This key is not known."))
    if parts := request.match("/v1/lights/*"):
        lost = fault("no_such_light", f"There is no light {parts[0]}.")
        return {"light": find(LIGHTS, lambda light: light["code"] == parts[0], 404, lost)}
    assert request.path == "/v1/lights"
    need(request.one("country") != "XX", 400, fault("quota", "Your 1,000 requests of today are used up."))
    states = (request.one("state") or "").split(",")
    since = int(request.one("surveyed_since", "0"))
    found = [
        light
        for light in LIGHTS
        if states == [""] or light["state"] in states
        if light["code"].startswith(request.one("country", "DE")) and light["surveyed_at"] >= since
    ]
    size, start = int(request.one("limit", "50")), int(request.one("cursor", "c0")[1:])
    items = found[start : start + size]
    more = f"c{start + size}" if start + size < len(found) else ""
    return {"lights": items, "paging": {"next": more, "total": len(found)}}
