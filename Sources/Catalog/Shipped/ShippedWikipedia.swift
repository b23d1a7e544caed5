// Made from Fixtures/catalogs/wikipedia.jsonc by scripts/embed-catalogs: change that file, not this one.

extension ShippedCatalog {
    static let wikipedia = ##"""
        // Wikipedia, and other wikis of MediaWiki, by its action API: https://www.mediawiki.org/wiki/API:Main_page
        //
        // Another language or project: --var WIKI=de.wikipedia.org. A list that goes on says with which parameters:
        // these are laid over its own, whatever they are called.
        {
          "larder": 1,
          "apis": {
            "wikipedia": {
              "baseURL": "https://${var:WIKI:-en.wikipedia.org}",
              "maxConcurrent": 2,
              "errors": [
                // The action API has its errors in a 200.
                {"when": "error.code", "is": ["ratelimited", "maxlag"], "kind": "rateLimited", "message": "error.info"},
                {"when": "error.code", "is": ["nosuchpageid", "missingtitle"], "kind": "notFound", "message": "error.info"},
                {"when": "error.code", "is": ["readapidenied"], "kind": "unauthorized", "message": "error.info"},
                {"when": "error.code", "kind": "invalidRequest", "message": "error.info"},
              ],
            },
          },
          "resources": {
            // Pages by their numbers; the list is the search: page/list filter.search=lighthouse
            "page": {
              "api": "wikipedia",
              "id": {"type": "integer", "from": "pageid"},
              "fields": {
                "id": {"from": "pageid", "type": "integer"},
                "title": "string",
                "namespace": {"from": "ns", "type": "integer"},
                "extract": "string?",
                "description": "string?",
                "url": {"from": "fullurl", "type": "string?"},
                "image": {"from": "thumbnail.source", "type": "string?"},
                "bytes": {"from": {"get": "length", "list": "size"}, "type": "integer?"},
                "touched": {"from": {"get": "touched", "list": "timestamp"}, "type": "date?"},
                "snippet": "string?",
              },
              "rest": {
                "get": {
                  "path": "/w/api.php",
                  "query": {
                    "action": "query", "format": "json", "formatversion": 2, "prop": "info|extracts|description|pageimages",
                    "inprop": "url", "exintro": 1, "explaintext": 1, "pithumbsize": 320, "pageids": "{id}",
                  },
                  "item": "query.pages.0",
                  "errors": [{"when": "query.pages.*.missing", "is": true, "kind": "notFound"}],
                },
                "list": {
                  "path": "/w/api.php",
                  "query": {"action": "query", "format": "json", "formatversion": 2, "list": "search"},
                  "items": "query.search",
                  "complete": false,
                  "filters": {
                    "search": {"param": "srsearch", "required": true},
                    "namespaces": {"param": "srnamespace", "type": ["integer"], "join": "|"},
                    "sort": {"param": "srsort", "type": ["relevance", "last_edit_desc", "create_timestamp_desc", "none"]},
                  },
                  "pagination": {
                    "style": "cursor", "next": {"merge": "continue"}, "count": "query.searchinfo.totalhits",
                    "size": {"param": "srlimit", "value": 50},
                  },
                },
              },
              "cache": {"freshFor": "1h", "keepFor": "90d"},
            },
            // What a reader sees first of a page, by its title: summary/get id=Lighthouse
            "summary": {
              "api": "wikipedia",
              "id": {"type": "string", "from": "titles.canonical"},
              "fields": {
                "title": "string",
                "description": "string?",
                "extract": "string",
                "page": {"from": "pageid", "type": "integer?"},
                "image": {"from": "thumbnail.source", "type": "string?"},
                "language": {"from": "lang", "type": "string"},
                "url": {"from": "content_urls.desktop.page", "type": "string"},
                "updated": {"from": "timestamp", "type": "date?"},
              },
              "rest": {"get": {"path": "/api/rest_v1/page/summary/{id}"}},
              "cache": {"freshFor": "1h", "keepFor": "90d"},
            },
            // The pages of a category: member/list category=Category:Lighthouses
            "member": {
              "api": "wikipedia",
              "scope": {"category": "string"},
              "id": {"type": "integer", "from": "pageid"},
              "fields": {
                "id": {"from": "pageid", "type": "integer"},
                "title": "string",
                "namespace": {"from": "ns", "type": "integer"},
                "type": {"type": ["page", "subcat", "file", "other"], "otherwise": "other"},
              },
              "rest": {
                "list": {
                  "path": "/w/api.php",
                  "query": {
                    "action": "query", "format": "json", "formatversion": 2, "list": "categorymembers",
                    "cmprop": "ids|title|type", "cmtitle": "{category}",
                  },
                  "items": "query.categorymembers",
                  "filters": {"types": {"param": "cmtype", "type": [["page", "subcat", "file"]], "join": "|"}},
                  "pagination": {
                    "style": "cursor", "next": {"merge": "continue"}, "size": {"param": "cmlimit", "value": 500},
                  },
                },
              },
              "cache": {"freshFor": "1h", "keepFor": "30d"},
            },
            // The history of a page: revision/list title=Lighthouse
            "revision": {
              "api": "wikipedia",
              "scope": {"title": "string"},
              "id": {"type": "integer", "from": "revid"},
              "fields": {
                "id": {"from": "revid", "type": "integer"},
                "parent": {"from": "parentid", "type": "integer"},
                "user": "string?",
                "time": {"from": "timestamp", "type": "date"},
                "comment": "string?",
                "bytes": {"from": "size", "type": "integer"},
                "minor": "boolean?",
              },
              "rest": {
                "list": {
                  "path": "/w/api.php",
                  "query": {
                    "action": "query", "format": "json", "formatversion": 2, "prop": "revisions",
                    "rvprop": "ids|timestamp|user|comment|size|flags", "titles": "{title}",
                  },
                  "items": "query.pages.0.revisions",
                  "filters": {
                    "user": "rvuser",
                    "from": {"param": "rvstart", "type": "date"},
                    "to": {"param": "rvend", "type": "date"},
                    "direction": {"param": "rvdir", "type": ["older", "newer"]},
                  },
                  "pagination": {
                    "style": "cursor", "next": {"merge": "continue"}, "size": {"param": "rvlimit", "value": 100},
                  },
                  "errors": [{"when": "query.pages.*.missing", "is": true, "kind": "notFound"}],
                },
              },
              "cache": {"freshFor": "5m", "keepFor": "30d"},
            },
            "recentChange": {
              "api": "wikipedia",
              "id": {"type": "integer", "from": "rcid"},
              "fields": {
                "id": {"from": "rcid", "type": "integer"},
                "type": "string",
                "title": "string",
                "page": {"from": "pageid", "type": "integer"},
                "revision": {"from": "revid", "type": "integer"},
                "user": "string?",
                "comment": "string?",
                "time": {"from": "timestamp", "type": "date"},
              },
              "rest": {
                "list": {
                  "path": "/w/api.php",
                  "query": {
                    "action": "query", "format": "json", "formatversion": 2, "list": "recentchanges",
                    "rcprop": "ids|title|user|comment|timestamp",
                  },
                  "items": "query.recentchanges",
                  "filters": {
                    "namespaces": {"param": "rcnamespace", "type": ["integer"], "join": "|"},
                    "types": {"param": "rctype", "type": [["edit", "new", "log", "categorize", "external"]], "join": "|"},
                    "user": "rcuser",
                  },
                  "pagination": {
                    "style": "cursor", "next": {"merge": "continue"}, "size": {"param": "rclimit", "value": 100},
                  },
                },
              },
              "cache": {"freshFor": "1m", "keepFor": "1d"},
            },
          },
        }

        """##
}
