"""Synapse in an empty folder: everyone may register. Account data can be deleted, as MSC3391 specifies. The file
access.log has the requests."""

import json
import subprocess
import sys

import forwarding

UNLIMITED = {"per_second": 1e6, "burst_count": 1_000_000}
SETTINGS = {
    "server_name": "localhost",
    "listeners": [{"path": "client", "type": "http", "resources": [{"names": ["client"]}]}],
    "database": {"name": "sqlite3", "args": {"database": "data.db"}},
    "log_config": "log.json",
    "pid_file": "synapse.pid",
    "signing_key_path": "signing.key",
    "macaroon_secret_key": "for the tests alone",
    "form_secret": "for the tests alone",
    "trusted_key_servers": [],
    "report_stats": False,
    "enable_registration": True,
    "enable_registration_without_verification": True,
    **{f"rc_{name}": UNLIMITED for name in ("message", "registration", "room_creation", "joins_per_room")},
    "rc_joins": {"local": UNLIMITED},
    "experimental_features": {"msc3391_enabled": True},
}
LOG = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {
        "access": {"class": "logging.FileHandler", "filename": "access.log"},
        "rest": {"class": "logging.StreamHandler"},
    },
    "loggers": {"synapse.access.http": {"handlers": ["access"], "propagate": False}},
    "root": {"level": "INFO", "handlers": ["rest"]},
}
for name, value in (("synapse.json", SETTINGS), ("log.json", LOG)):  # JSON is YAML, too.
    with open(name, "w", encoding="utf-8") as file:
        json.dump(value, file)
SYNAPSE = [sys.executable, "-m", "synapse.app.homeserver", "-c", "synapse.json"]
subprocess.run([*SYNAPSE, "--generate-keys"], check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
forwarding.run(SYNAPSE, b"Synapse now listening on", "client")
