// Made from Fixtures/catalogs/kubernetes.jsonc by scripts/embed-catalogs: change that file, not this one.

extension ShippedCatalog {
    static let kubernetes = ##"""
        // Kubernetes: https://kubernetes.io/docs/reference/kubernetes-api/
        //
        // In a pod nothing needs to be set but KUBERNETES_TOKEN, to what stands in
        // /var/run/secrets/kubernetes.io/serviceaccount/token. From elsewhere: --var KUBERNETES_HOST=HOST:6443,
        // --var KUBERNETES_CA=FILE, and a token as `kubectl create token` prints it.
        {
          "larder": 1,
          "apis": {
            "kubernetes": {
              "baseURL": "https://${var:KUBERNETES_HOST:-kubernetes.default.svc}",
              "auth": {"bearer": "${env:KUBERNETES_TOKEN}"},
              "tls": {"caFile": "${var:KUBERNETES_CA:-/var/run/secrets/kubernetes.io/serviceaccount/ca.crt}"},
              "errors": [
                // A continuation that is too old: the walk must begin anew, and the list is not gone.
                {"status": 410, "when": "reason", "is": "Expired", "kind": "invalidResponse", "message": "message"},
              ],
            },
          },
          "resources": {
            "namespace": {
              "api": "kubernetes",
              "id": {"type": "string", "from": "metadata.name"},
              "fields": {
                "name": {"from": "metadata.name", "type": "string"},
                "uid": {"from": "metadata.uid", "type": "string"},
                "created": {"from": "metadata.creationTimestamp", "type": "date"},
                "labels?": {"from": "metadata.labels", "type": {"*": "string"}},
                "phase": {"from": "status.phase", "type": "string?"},
              },
              "rest": {
                "get": {"path": "/api/v1/namespaces/{id}"},
                "list": {
                  "path": "/api/v1/namespaces",
                  "items": "items",
                  "filters": {"labels": "labelSelector", "fields": "fieldSelector"},
                  "pagination": {
                    "style": "cursor", "param": "continue", "next": "metadata.continue",
                    "size": {"param": "limit", "value": 500},
                  },
                },
              },
              "cache": {"freshFor": "1m", "keepFor": "7d"},
            },
            "node": {
              "api": "kubernetes",
              "id": {"type": "string", "from": "metadata.name"},
              "fields": {
                "name": {"from": "metadata.name", "type": "string"},
                "uid": {"from": "metadata.uid", "type": "string"},
                "created": {"from": "metadata.creationTimestamp", "type": "date"},
                "labels?": {"from": "metadata.labels", "type": {"*": "string"}},
                "zone": {"from": ["metadata", "labels", "topology.kubernetes.io/zone"], "type": "string?"},
                "unschedulable": {"from": "spec.unschedulable", "type": "boolean?"},
                "version": {"from": "status.nodeInfo.kubeletVersion", "type": "string?"},
                "capacity?": {"from": "status.capacity", "type": {"*": "string"}},
                "conditions": {"from": "status.conditions", "type": [{"type": "string", "status": "string", "reason": "string?"}]},
              },
              "rest": {
                "get": {"path": "/api/v1/nodes/{id}"},
                "list": {
                  "path": "/api/v1/nodes",
                  "items": "items",
                  "filters": {"labels": "labelSelector", "fields": "fieldSelector"},
                  "pagination": {
                    "style": "cursor", "param": "continue", "next": "metadata.continue",
                    "size": {"param": "limit", "value": 500},
                  },
                },
              },
              "cache": {"freshFor": "1m", "keepFor": "7d"},
            },
            // pod/list namespace=kube-system filter.labels=k8s-app=kube-dns
            "pod": {
              "api": "kubernetes",
              "scope": {"namespace": {"type": "string", "default": "default"}},
              "id": {"type": "string", "from": "metadata.name"},
              "fields": {
                "name": {"from": "metadata.name", "type": "string"},
                "namespace": {"from": "metadata.namespace", "type": "string"},
                "uid": {"from": "metadata.uid", "type": "string"},
                "created": {"from": "metadata.creationTimestamp", "type": "date"},
                "labels?": {"from": "metadata.labels", "type": {"*": "string"}},
                "app": {"from": ["metadata", "labels", "app.kubernetes.io/name"], "type": "string?"},
                "phase": {
                  "from": "status.phase", "type": ["Pending", "Running", "Succeeded", "Failed", "Unknown"], "otherwise": "Unknown",
                },
                "node": {"from": "spec.nodeName", "type": "string?"},
                "ip": {"from": "status.podIP", "type": "string?"},
                "images": {"from": "spec.containers.*.image", "type": ["string"]},
                "containers?": {
                  "from": "status.containerStatuses",
                  "type": [{"name": "string", "ready": "boolean", "restarts": {"from": "restartCount", "type": "integer"}}],
                },
                "owner": {"from": "metadata.ownerReferences.0.name", "type": "string?"},
              },
              "rest": {
                "get": {"path": "/api/v1/namespaces/{namespace}/pods/{id}"},
                "list": {
                  "path": "/api/v1/namespaces/{namespace}/pods",
                  "items": "items",
                  "filters": {"labels": "labelSelector", "fields": "fieldSelector"},
                  "pagination": {
                    "style": "cursor", "param": "continue", "next": "metadata.continue",
                    "size": {"param": "limit", "value": 500},
                  },
                },
              },
              "cache": {"freshFor": "15s", "keepFor": "7d"},
            },
            "deployment": {
              "api": "kubernetes",
              "scope": {"namespace": {"type": "string", "default": "default"}},
              "id": {"type": "string", "from": "metadata.name"},
              "fields": {
                "name": {"from": "metadata.name", "type": "string"},
                "namespace": {"from": "metadata.namespace", "type": "string"},
                "uid": {"from": "metadata.uid", "type": "string"},
                "created": {"from": "metadata.creationTimestamp", "type": "date"},
                "labels?": {"from": "metadata.labels", "type": {"*": "string"}},
                "app": {"from": ["metadata", "labels", "app.kubernetes.io/name"], "type": "string?"},
                "replicas": {"from": "spec.replicas", "type": "integer?"},
                "ready": {"from": "status.readyReplicas", "type": "integer?"},
                "updated": {"from": "status.updatedReplicas", "type": "integer?"},
                "available": {"from": "status.availableReplicas", "type": "integer?"},
                "images": {"from": "spec.template.spec.containers.*.image", "type": ["string"]},
              },
              "rest": {
                "get": {"path": "/apis/apps/v1/namespaces/{namespace}/deployments/{id}"},
                "list": {
                  "path": "/apis/apps/v1/namespaces/{namespace}/deployments",
                  "items": "items",
                  "filters": {"labels": "labelSelector", "fields": "fieldSelector"},
                  "pagination": {
                    "style": "cursor", "param": "continue", "next": "metadata.continue",
                    "size": {"param": "limit", "value": 500},
                  },
                },
              },
              "cache": {"freshFor": "15s", "keepFor": "7d"},
            },
            "service": {
              "api": "kubernetes",
              "scope": {"namespace": {"type": "string", "default": "default"}},
              "id": {"type": "string", "from": "metadata.name"},
              "fields": {
                "name": {"from": "metadata.name", "type": "string"},
                "namespace": {"from": "metadata.namespace", "type": "string"},
                "uid": {"from": "metadata.uid", "type": "string"},
                "created": {"from": "metadata.creationTimestamp", "type": "date"},
                "labels?": {"from": "metadata.labels", "type": {"*": "string"}},
                "app": {"from": ["metadata", "labels", "app.kubernetes.io/name"], "type": "string?"},
                "type": {"from": "spec.type", "type": "string?"},
                "ip": {"from": "spec.clusterIP", "type": "string?"},
                "ports?": {
                  "from": "spec.ports",
                  "type": [{"name": "string?", "protocol": "string?", "port": "integer", "target": {"from": "targetPort", "type": "any"}}],
                },
                "selector?": {"from": "spec.selector", "type": {"*": "string"}},
              },
              "rest": {
                "get": {"path": "/api/v1/namespaces/{namespace}/services/{id}"},
                "list": {
                  "path": "/api/v1/namespaces/{namespace}/services",
                  "items": "items",
                  "filters": {"labels": "labelSelector", "fields": "fieldSelector"},
                  "pagination": {
                    "style": "cursor", "param": "continue", "next": "metadata.continue",
                    "size": {"param": "limit", "value": 500},
                  },
                },
              },
              "cache": {"freshFor": "15s", "keepFor": "7d"},
            },
            "job": {
              "api": "kubernetes",
              "scope": {"namespace": {"type": "string", "default": "default"}},
              "id": {"type": "string", "from": "metadata.name"},
              "fields": {
                "name": {"from": "metadata.name", "type": "string"},
                "namespace": {"from": "metadata.namespace", "type": "string"},
                "uid": {"from": "metadata.uid", "type": "string"},
                "created": {"from": "metadata.creationTimestamp", "type": "date"},
                "labels?": {"from": "metadata.labels", "type": {"*": "string"}},
                "app": {"from": ["metadata", "labels", "app.kubernetes.io/name"], "type": "string?"},
                "active": {"from": "status.active", "type": "integer?"},
                "succeeded": {"from": "status.succeeded", "type": "integer?"},
                "failed": {"from": "status.failed", "type": "integer?"},
                "started": {"from": "status.startTime", "type": "date?"},
                "completed": {"from": "status.completionTime", "type": "date?"},
              },
              "rest": {
                "get": {"path": "/apis/batch/v1/namespaces/{namespace}/jobs/{id}"},
                "list": {
                  "path": "/apis/batch/v1/namespaces/{namespace}/jobs",
                  "items": "items",
                  "filters": {"labels": "labelSelector", "fields": "fieldSelector"},
                  "pagination": {
                    "style": "cursor", "param": "continue", "next": "metadata.continue",
                    "size": {"param": "limit", "value": 500},
                  },
                },
              },
              "cache": {"freshFor": "15s", "keepFor": "7d"},
            },
            "configMap": {
              "api": "kubernetes",
              "scope": {"namespace": {"type": "string", "default": "default"}},
              "id": {"type": "string", "from": "metadata.name"},
              "fields": {
                "name": {"from": "metadata.name", "type": "string"},
                "namespace": {"from": "metadata.namespace", "type": "string"},
                "uid": {"from": "metadata.uid", "type": "string"},
                "created": {"from": "metadata.creationTimestamp", "type": "date"},
                "labels?": {"from": "metadata.labels", "type": {"*": "string"}},
                "data?": {"*": "string"},
              },
              "rest": {
                "get": {"path": "/api/v1/namespaces/{namespace}/configmaps/{id}"},
                "list": {
                  "path": "/api/v1/namespaces/{namespace}/configmaps",
                  "items": "items",
                  "filters": {"labels": "labelSelector", "fields": "fieldSelector"},
                  "pagination": {
                    "style": "cursor", "param": "continue", "next": "metadata.continue",
                    "size": {"param": "limit", "value": 500},
                  },
                },
              },
              "cache": {"freshFor": "1m", "keepFor": "7d"},
            },
            "event": {
              "api": "kubernetes",
              "scope": {"namespace": {"type": "string", "default": "default"}},
              "id": {"type": "string", "from": "metadata.name"},
              "fields": {
                "name": {"from": "metadata.name", "type": "string"},
                "namespace": {"from": "metadata.namespace", "type": "string"},
                "uid": {"from": "metadata.uid", "type": "string"},
                "created": {"from": "metadata.creationTimestamp", "type": "date"},
                "labels?": {"from": "metadata.labels", "type": {"*": "string"}},
                "type": "string?",
                "reason": "string?",
                "message": "string?",
                "object": {"from": "involvedObject.name", "type": "string?"},
                "kind": {"from": "involvedObject.kind", "type": "string?"},
                "count": "integer?",
                "last": {"from": "lastTimestamp", "type": "date?"},
              },
              "rest": {
                "get": {"path": "/api/v1/namespaces/{namespace}/events/{id}"},
                "list": {
                  "path": "/api/v1/namespaces/{namespace}/events",
                  "items": "items",
                  "filters": {"labels": "labelSelector", "fields": "fieldSelector"},
                  "pagination": {
                    "style": "cursor", "param": "continue", "next": "metadata.continue",
                    "size": {"param": "limit", "value": 500},
                  },
                },
              },
              "cache": {"freshFor": "15s", "keepFor": "7d"},
            },
          },
        }

        """##
}
