// Made from Fixtures/catalogs/prometheus.jsonc by scripts/embed-catalogs: change that file, not this one.

extension ShippedCatalog {
    static let prometheus = ##"""
        // Prometheus: https://prometheus.io/docs/prometheus/latest/querying/api/
        //
        // One elsewhere: --var PROMETHEUS=https://prometheus.example.com. Series have no ids, so each gets one that is
        // made of its labels.
        {
          "larder": 1,
          "apis": {
            "prometheus": {
              "baseURL": "${var:PROMETHEUS:-http://localhost:9090}/api/v1",
              "errors": [{"status": 200, "when": "status", "is": "error", "kind": "invalidResponse", "message": "error"}],
            },
          },
          "resources": {
            // An instant query: sample/list filter.query='up == 0'
            "sample": {
              "api": "prometheus",
              "id": {"type": "string", "from": "metric", "hash": true},
              "fields": {
                "metric": {"*": "string"},
                "time": {"from": "value.0", "type": "date", "unit": "s"},
                "value": {"from": "value.1", "type": "string"},
              },
              "rest": {
                "list": {
                  "path": "/query",
                  "items": "data.result",
                  "filters": {
                    "query": {"required": true},
                    "time": {"type": "date"},
                    "timeout": "timeout",
                  },
                  // A query for a number, `scalar(up)` or `1 + 1`, gives no series: `vector(1 + 1)` does.
                  "errors": [{"when": "data.resultType", "is": ["scalar", "string"], "kind": "invalidRequest"}],
                },
              },
              "cache": {"freshFor": "15s", "keepFor": "1d"},
            },
            // A query over a while: range/list filter.query=up filter.start=2026-01-01T00:00:00Z filter.end=...
            // filter.step=1m
            "range": {
              "api": "prometheus",
              "id": {"type": "string", "from": "metric", "hash": true},
              "fields": {
                "metric": {"*": "string"},
                // Pairs of a time, in seconds since 1970, and a value as text.
                "values": ["any"],
              },
              "rest": {
                "list": {
                  "path": "/query_range",
                  "items": "data.result",
                  "filters": {
                    "query": {"required": true},
                    "start": {"type": "date", "required": true},
                    "end": {"type": "date", "required": true},
                    "step": {"required": true},
                  },
                },
              },
              "cache": {"freshFor": "1m", "keepFor": "7d"},
            },
            // Which series there are: series/list filter.match='["up", "process_start_time_seconds{job=\"x\"}"]'
            "series": {
              "api": "prometheus",
              "id": {"type": "string", "from": "", "hash": true},
              "rest": {
                "list": {
                  "path": "/series",
                  "items": "data",
                  "filters": {
                    "match": {"param": "match[]", "type": ["string"], "join": "repeat", "required": true},
                    "start": {"type": "date"},
                    "end": {"type": "date"},
                  },
                },
              },
              "cache": {"freshFor": "5m", "keepFor": "7d"},
            },
            "label": {
              "api": "prometheus",
              "id": "string",
              "rest": {"list": {"path": "/labels", "items": "data", "of": "ids"}},
              "cache": {"freshFor": "5m", "keepFor": "7d"},
            },
            // The values of a label: labelValue/list label=job
            "labelValue": {
              "api": "prometheus",
              "scope": {"label": "string"},
              "id": "string",
              "rest": {"list": {"path": "/label/{label}/values", "items": "data", "of": "ids"}},
              "cache": {"freshFor": "5m", "keepFor": "7d"},
            },
            // What metrics mean, by their names. Where targets differ the first one's word counts.
            "metric": {
              "api": "prometheus",
              "id": {"type": "string", "from": "@key"},
              "fields": {
                "name": {"from": "@key", "type": "string"},
                "type": "string",
                "help": "string",
                "unit": "string?",
              },
              "rest": {"list": {"path": "/metadata", "items": "data.*.0"}},
              "cache": {"freshFor": "1h", "keepFor": "30d"},
            },
            "target": {
              "api": "prometheus",
              "id": {"type": "string", "from": "labels", "hash": true},
              "fields": {
                "labels": {"*": "string"},
                "pool": {"from": "scrapePool", "type": "string"},
                "url": {"from": "scrapeUrl", "type": "string"},
                "health": {"type": ["up", "down", "unknown"], "otherwise": "unknown"},
                "lastScrape": "date?",
                "lastError": "string?",
              },
              "rest": {
                "list": {
                  "path": "/targets",
                  "query": {"state": "active"},
                  "items": "data.activeTargets",
                  "filters": {"pool": "scrapePool"},
                },
              },
              "cache": {"freshFor": "15s", "keepFor": "1d"},
            },
            "alert": {
              "api": "prometheus",
              "id": {"type": "string", "from": "labels", "hash": true},
              "fields": {
                "labels": {"*": "string"},
                "annotations?": {"*": "string"},
                "state": {"type": ["pending", "firing", "inactive", "other"], "otherwise": "other"},
                "activeAt": "date?",
                "value": "string",
              },
              "rest": {"list": {"path": "/alerts", "items": "data.alerts"}},
              "cache": {"freshFor": "15s", "keepFor": "1d"},
            },
          },
        }

        """##
}
