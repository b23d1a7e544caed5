"""etcd in an empty folder, with its JSON gateway."""

import forwarding

PEER, CLIENT = "unix://peer:1", "unix://client:1"  # the files `peer:1` and `client:1` in the working folder
ETCD = [
    *("etcd", "--data-dir", "data", "--unsafe-no-fsync", "--logger", "zap", "--initial-cluster", f"default={PEER}"),
    *("--listen-peer-urls", PEER, "--initial-advertise-peer-urls", PEER),
    *("--listen-client-urls", CLIENT, "--advertise-client-urls", CLIENT),
]

forwarding.run(ETCD, b"serving client traffic", "client:1")
