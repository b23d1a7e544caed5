"""Simulated APIs of shipped catalogs that report the changes of a list by tokens."""

import fnmatch
import json

from standins import Error, Get, Sync, Walk, cut, find, merged, need, stand_in

# Stripe


def _charge(number, customer="cus_1"):
    return {
        "id": f"ch_{number}",
        "object": "charge",
        "amount": 100 * number,
        "amount_refunded": 0,
        "currency": "eur",
        "status": "succeeded",
        "paid": True,
        "captured": True,
        "customer": customer,
        "payment_intent": f"pi_{number}",
        "description": None,
        "failure_message": None,
        "receipt_url": None,
        "metadata": {"order": str(number)},
        "created": 1767225600 + number,
        "livemode": False,
    }


CHARGES = [_charge(number, "cus_1" if number != 3 else "cus_2") for number in (6, 5, 4, 3, 2, 1)]

# The resources whose changes are events: the kind of the items and their list.
STRIPE = {
    "cus": ("customer", "/v1/customers"),
    "in": ("invoice", "/v1/invoices"),
    "prod": ("product", "/v1/products"),
    "price": ("price", "/v1/prices"),
}


def _stripe_items(request, prefix):
    kind = STRIPE[prefix][0]
    item = {
        "object": kind,
        "email": "jenny@example.com",
        "address": {"country": "DE"},
        "currency": "eur",
        "total": 5,
        "amount_due": 5,
        "amount_paid": 0,
        "name": "Lamp",
        "active": True,
        "product": "prod_1",
        "type": "one_time",
        "metadata": {},
        "updated": 1767225600,
        "created": 1767225600,
        "livemode": False,
    }
    return request.current([{"id": f"{prefix}_{number}", **item} for number in (3, 2, 1)], lambda one: one["id"])


def _events(request):
    """Returns the events, the newest first. Each edit or deletion of a test is an event.

    The objects in the events lack most members. Events have the version of the API at their time, so a catalog must
    not use these objects.
    """
    found = [("customer.created", "cus_1"), ("product.created", "prod_1")]
    for id in [*request.edits, *request.deletions]:
        kind = STRIPE.get(id.partition("_")[0], ("charge",))[0]
        if id in request.deletions:
            found.append((f"{kind}.deleted", id))
        elif kind == "charge":
            found.append(("charge.succeeded", "ch_6"))
        else:
            # These two events do not name an item of the list.
            found += {"customer": [("customer.subscription.updated", "sub_1")]}.get(kind, [])
            found += {"invoice": [("invoice.upcoming", None)]}.get(kind, [])
            found.append((f"{kind}.updated", id))
    events = []
    for number, (kind, id) in enumerate(found, 1):
        event = {"id": f"evt_{number}", "object": "event", "type": kind, "api_version": "2019-05-16"}
        object = {"id": id} if number < 3 else {"id": id, "application": None} if id else {"lines": {}}
        events.append({**event, "data": {"object": object}, "created": 1767225597 + number, "livemode": False})
    return events[::-1]


def _listed_events(request):
    types, pattern = request.all("types[]"), request.one("type", "*")
    assert not (types and "type" in request.query) and not any("*" in name for name in types)
    assert request.one("limit") == "100"
    since, after = int(request.one("created[gte]", "0")), request.one("starting_after")
    events = [one for one in _events(request) if one["created"] >= since]
    events = [one for one in events if (one["type"] in types if types else fnmatch.fnmatch(one["type"], pattern))]
    start = 1 + [one["id"] for one in events].index(after) if after else 0
    items, end = cut(events, start)
    return {"object": "list", "url": "/v1/events", "has_more": end is not None, "data": items}


def _stripe_sync(resource, prefix, edit, item, newest, requests=3):
    return Sync(
        resource,
        {},
        [f"{prefix}_{number}" for number in (1, 2, 3)],
        changed=f"{prefix}_2",
        edit=edit,
        item=item,
        marks=("created[gte]=1767225600", f"created[gte]={newest}"),
        deleted=f"{prefix}_1",
        time="application",
        requests=requests,
        feed="/v1/events?",
        mode="token",
        expires=False,
    )


@stand_in(
    "stripe",
    gets=[
        Get(
            "charge",
            {"id": "ch_4"},
            {"id": "ch_4", "amount": 400, "created": "2026-01-01T00:00:04Z", "metadata": {"order": "4"}},
        ),
        Get("customer", {"id": "cus_1"}, {"id": "cus_1", "email": "jenny@example.com", "country": "DE"}),
    ],
    walks=[
        Walk(
            "charge",
            {"filter": {"customer": "cus_1", "createdFrom": "2026-01-01T00:00:02Z"}},
            "id",
            ["ch_6", "ch_5", "ch_4", "ch_2"],
        ),
    ],
    errors=[
        Error("charge/get", {"id": "ch_9"}, "notFound", "No such charge: 'ch_9'"),
        Error("customer/get", {"id": "cus_gone"}, "notFound", None),
        Error("subscription/list", {}, "rateLimited", "Too many requests"),
    ],
    syncs=[
        _stripe_sync("customer", "cus", {"name": "New"}, {"name": "New"}, 1767225602),
        _stripe_sync("invoice", "in", {"status": "paid"}, {"status": "paid"}, 1767225602, requests=4),
        _stripe_sync("product", "prod", {"active": False}, {"active": False}, 1767225601),
        _stripe_sync("price", "price", {"unit_amount": 7}, {"amount": 7}, 1767225601),
        Sync(
            "event",
            {"filter": {"types": ["customer.created", "product.created", "charge.succeeded"]}},
            ["evt_1", "evt_2"],
            changed="evt_3",
            edit={},
            item={"type": "charge.succeeded", "object": "ch_6"},
            marks=("created[gte]=1767225599", "created[gte]=1767225600"),
            time="application",
            mode="token",
            is_new=True,
            expires=False,
        ),
    ],
)
def stripe(request):
    invalid = {"error": {"message": "Invalid API Key provided: sk_test_***", "type": "invalid_request_error"}}
    request.bearer("STRIPE_SECRET_KEY", invalid)
    assert request.headers["Stripe-Version"] == "2024-06-20"
    if parts := request.match("/v1/charges/*"):
        lost = {"error": {"code": "resource_missing", "message": f"No such charge: '{parts[0]}'", "param": "id"}}
        return find(CHARGES, lambda charge: charge["id"] == parts[0], 404, lost)
    if request.path == "/v1/customers/cus_gone":
        return {"id": "cus_gone", "object": "customer", "deleted": True}
    if request.path == "/v1/events":
        return _listed_events(request)
    if parts := request.match("/v1/events/*"):
        return find(_events(request), lambda event: event["id"] == parts[0], 404, {})
    if parts := request.match("/v1/*/*"):
        prefix = parts[1].partition("_")[0]
        kind, path = STRIPE[prefix]
        assert path == f"/v1/{parts[0]}"
        if kind == "customer" and parts[1] in request.deletions:
            return {"id": parts[1], "object": "customer", "deleted": True}
        lost = {"error": {"code": "resource_missing", "message": f"No such {kind}: '{parts[1]}'", "param": "id"}}
        return find(_stripe_items(request, prefix), lambda one: one["id"] == parts[1], 404, lost)
    limited = {"error": {"code": "rate_limit", "message": "Too many requests"}}
    need(request.path != "/v1/subscriptions", 429, limited)
    assert request.one("limit") == "100"
    prefix = next((prefix for prefix, (_, path) in STRIPE.items() if path == request.path), None)
    if prefix:
        found = _stripe_items(request, prefix)
    else:
        assert request.path == "/v1/charges"
        found = [
            charge
            for charge in CHARGES
            if charge["customer"] == request.one("customer") and charge["created"] >= int(request.one("created[gte]"))
        ]
    after = request.one("starting_after")
    start = 1 + [one["id"] for one in found].index(after) if after else 0
    items, end = cut(found, start)
    return {"object": "list", "url": request.path, "has_more": end is not None, "data": items}


# Kubernetes


def _pod(name, app):
    return {
        "metadata": {
            "name": name,
            "namespace": "shop",
            "uid": f"uid-{name}",
            "creationTimestamp": "2026-01-01T00:00:00Z",
            "labels": {"app.kubernetes.io/name": app, "tier": "front"},
            "ownerReferences": [{"kind": "ReplicaSet", "name": f"{app}-1"}],
        },
        "spec": {"nodeName": "node-1", "containers": [{"name": "main", "image": f"{app}:1"}]},
        "status": {
            "phase": "Running",
            "podIP": "10.0.0.1",
            "containerStatuses": [{"name": "main", "ready": True, "restartCount": 2}],
        },
    }


PODS = [_pod(f"{app}-{number}", app) for app in ("web", "api") for number in (1, 2, 3)]
# The other lists with `sync`, and the members of their objects beside `metadata`.
LISTS = {
    "/api/v1/namespaces": {"status": {"phase": "Active"}},
    "/api/v1/nodes": {"spec": {}, "status": {"conditions": []}},
    "/apis/apps/v1/namespaces/shop/deployments": {"spec": {"template": {"spec": {"containers": []}}}},
    "/api/v1/namespaces/shop/services": {"spec": {"type": "ClusterIP"}},
    "/apis/batch/v1/namespaces/shop/jobs": {"status": {"active": 1}},
    "/api/v1/namespaces/shop/configmaps": {"data": {"a": "b"}},
}


def _objects(request, path):
    """Returns the objects of a list. An object has the version of its last change."""
    if path == "/api/v1/namespaces/shop/pods":
        found = PODS
    else:
        found = [{**_pod(f"web-{number}", "web"), "spec": {}, "status": {}, **LISTS[path]} for number in (1, 2, 3)]
    found = [merged(one, {"metadata": {"resourceVersion": "7"}}) for one in found]
    return request.current(found, lambda one: one["metadata"]["name"])


def _watch(request, path):
    """Returns the events since a version as lines of JSON. The watch ends with a bookmark."""
    # The API refuses the media types of other streams, such as `application/x-ndjson`.
    refused = _status(406, "NotAcceptable", "only the following media types are accepted: application/json")
    need(request.headers["Accept"] == "application/json", 406, refused)
    since = request.one("resourceVersion")
    constants = {"watch": ["true"], "allowWatchBookmarks": ["true"], "timeoutSeconds": ["3"]}
    assert request.query == {**constants, "resourceVersion": [since]}
    if request.are_expired:
        gone = _status(410, "Expired", f"too old resource version: {since} (9)")
        return json.dumps({"type": "ERROR", "object": {**gone, "metadata": {}}}) + "\n"
    newest = 7 + len(request.edits) + len(request.deletions)
    events = []
    if since != str(newest):
        kind = {"apiVersion": "v1", "kind": "Thing"}
        changed = [one for one in _objects(request, path) if one["metadata"]["name"] in request.edits]
        for change, one in [("MODIFIED", one) for one in changed] + [
            ("DELETED", one) for one in request.deletions.values()
        ]:
            version = {"metadata": {"resourceVersion": str(8 + len(events))}}
            events.append({"type": change, "object": merged({**kind, **one}, version)})
    bookmark = {"kind": "Thing", "metadata": {"resourceVersion": str(newest), "creationTimestamp": None}}
    events.append({"type": "BOOKMARK", "object": bookmark})
    return "".join(json.dumps(event) + "\n" for event in events)


def _kubernetes_sync(resource, edit, item, names=("web-1", "web-2", "web-3"), scope=None):
    return Sync(
        resource,
        {"namespace": "shop"} if scope is None else scope,
        list(names),
        changed="web-2",
        edit=edit,
        item=item,
        marks=("resourceVersion=7", "resourceVersion=9"),
        deleted="web-1",
        tombstone=_pod("web-1", "web"),
        time="uid",
        mode="token",
    )


def _status(code, reason, message):
    return {"kind": "Status", "status": "Failure", "message": message, "reason": reason, "code": code}


@stand_in(
    "kubernetes",
    gets=[
        Get(
            "pod",
            {"namespace": "shop", "id": "api-2"},
            {
                "name": "api-2",
                "app": "api",
                "images": ["api:1"],
                "phase": "Running",
                "owner": "api-1",
                "containers": [{"name": "main", "ready": True, "restarts": 2}],
                "labels": {"app.kubernetes.io/name": "api", "tier": "front"},
            },
        ),
    ],
    walks=[
        Walk(
            "pod",
            {"namespace": "shop", "filter": {"labels": "app.kubernetes.io/name=web"}},
            "name",
            ["web-1", "web-2", "web-3"],
        ),
    ],
    errors=[
        Error("pod/get", {"id": "none"}, "notFound", 'pods "none" not found'),
        Error("namespace/get", {"id": "kube-system"}, "unauthorized", 'namespaces "kube-system" is forbidden'),
        Error("event/list", {}, "invalidResponse", "The provided continue parameter is too old"),
    ],
    syncs=[
        _kubernetes_sync("namespace", {"status": {"phase": "Terminating"}}, {"phase": "Terminating"}, scope={}),
        _kubernetes_sync("node", {"spec": {"unschedulable": True}}, {"unschedulable": True}, scope={}),
        _kubernetes_sync(
            "pod",
            {"status": {"phase": "Failed"}},
            {"phase": "Failed"},
            names=sorted(pod["metadata"]["name"] for pod in PODS),
        ),
        _kubernetes_sync("deployment", {"spec": {"replicas": 2}}, {"replicas": 2}),
        _kubernetes_sync("service", {"spec": {"type": "NodePort"}}, {"type": "NodePort"}),
        _kubernetes_sync("job", {"status": {"failed": 1}}, {"failed": 1}),
        _kubernetes_sync("configMap", {"data": {"a": "c"}}, {"data": {"a": "c"}}),
    ],
)
def kubernetes(request):
    request.bearer("KUBERNETES_TOKEN", _status(401, "Unauthorized", "Unauthorized"))
    expired = _status(410, "Expired", "The provided continue parameter is too old")
    need(request.path != "/api/v1/namespaces/default/events", 410, expired)
    forbidden = _status(403, "Forbidden", 'namespaces "kube-system" is forbidden')
    need(request.path != "/api/v1/namespaces/kube-system", 403, forbidden)
    path = request.path.replace("/namespaces/default/", "/namespaces/shop/")
    if path not in [*LISTS, "/api/v1/namespaces/shop/pods"]:
        path, _, name = path.rpartition("/")
        lost = _status(404, "NotFound", f'{path.rpartition("/")[2]} "{name}" not found')
        found = find(_objects(request, path), lambda one: one["metadata"]["name"] == name, 404, lost)
        return {"apiVersion": "v1", "kind": "Thing", **found}
    if "watch" in request.query:
        return _watch(request, path), {"Content-Type": "application/json"}
    found = _objects(request, path)
    if selector := request.one("labelSelector"):
        key, value = selector.split("=")
        found = [one for one in found if one["metadata"]["labels"][key] == value]
    items, end = cut(found, int(request.one("continue", "at-0").split("-")[1]))
    assert request.one("limit") == "500"
    version = str(7 + len(request.edits) + len(request.deletions))
    metadata = {"resourceVersion": version, "continue": f"at-{end}" if end else ""}
    return {"kind": "List", "apiVersion": "v1", "metadata": metadata, "items": items}


