"""The encodings in which a secret can appear in output and still be read."""

import base64
import json
import re
import urllib.parse


def escaped(text):
    return "".join(f"\\u{unit:04X}" for unit in memoryview(text.encode("utf-16-le")).cast("H"))


def in_base64(text, before="", after=""):
    return base64.b64encode(f"{before}{text}{after}".encode()).decode()


def forms(secret):
    """Returns the encodings of a secret that may appear in text of any format."""
    quoted = urllib.parse.quote(secret, safe="")
    return {
        "plain": secret,
        "percent escapes": quoted,
        "percent escapes in lower case": re.sub("%..", lambda found: found[0].lower(), quoted),
        "as a form has it": urllib.parse.quote_plus(secret),
        "JSON escapes": json.dumps(secret)[1:-1],
        "nothing but JSON escapes": escaped(secret),
        "JSON in JSON": json.dumps(json.dumps(secret))[1:-1],
        "base64": in_base64(secret),
        "base64url": base64.urlsafe_b64encode(secret.encode()).decode().rstrip("="),
        "base64 in a URL": urllib.parse.quote(in_base64(secret), safe=""),
        **{f"in base64 behind {n} bytes": in_base64(secret, "u" * n, "-") for n in (1, 2, 3)},
        "Basic": in_base64(secret, "somebody:"),
    }


def encoded(secret):
    """Returns the encodings of the secret that are not UTF-8, as bytes."""
    return {
        "UTF-16 little-endian": secret.encode("utf-16-le"),
        "UTF-16 big-endian": secret.encode("utf-16-be"),
        "UTF-16 with JSON escapes": json.dumps(secret).encode("utf-16-be"),
        "Latin-1": secret.encode("latin-1"),
    }


def leaks(data, secret):
    """Returns the encodings of the secret that are found in the given bytes.

    The base64 digits that depend only on the secret are also searched for, because they reveal it.
    """
    data = data if isinstance(data, bytes) else json.dumps(data, ensure_ascii=False).encode()
    text = data.decode("latin-1")
    whole = forms(secret).values()
    core = {len(form): form[2:-4] for form in whole}.values()
    wanted = [form.encode().decode("latin-1") for form in [*whole, *core]]
    found = [form for form in wanted if form in text]
    return found + [name for name, form in encoded(secret).items() if form[:24] in data]
