// Made from Fixtures/catalogs/hackernews.jsonc by scripts/embed-catalogs: change that file, not this one.

extension ShippedCatalog {
    static let hackernews = ##"""
        // Hacker News: https://github.com/HackerNews/API
        //
        // Its lists are arrays of ids, each of which is then asked for by itself, through the cache.
        {
          "larder": 1,
          "apis": {
            "hackernews": {"baseURL": "https://hacker-news.firebaseio.com/v0", "maxConcurrent": 16},
          },
          "resources": {
            // One of six lists: story/list list=best
            "story": {
              "api": "hackernews",
              "scope": {"list": {"type": ["top", "new", "best", "ask", "show", "job"], "default": "top"}},
              "id": "integer",
              "fields": {
                "id": "integer",
                "type": {"type": ["story", "job", "poll", "other"], "otherwise": "other"},
                "title": "string?",
                "by": "string?",
                "score": "integer?",
                "comments": {"from": "descendants", "type": "integer?"},
                "url": "string?",
                "text": "string?",
                "time": {"type": "date?", "unit": "s"},
                "kids?": ["integer"],
                "dead": "boolean?",
                "deleted": "boolean?",
              },
              "rest": {
                "get": {"path": "/item/{id}.json"},
                "list": {
                  "path": "/{list}stories.json",
                  "of": "ids",
                  "hydrate": true,
                  "pagination": {"style": "slice", "size": 30},
                },
              },
              "cache": {"freshFor": "10m", "keepFor": "30d"},
            },
            // Anything by its id: stories, comments, polls and their parts.
            "item": {
              "api": "hackernews",
              "id": "integer",
              "fields": {
                "id": "integer",
                "type": {"type": ["story", "comment", "job", "poll", "pollopt", "other"], "otherwise": "other"},
                "by": "string?",
                "time": {"type": "date?", "unit": "s"},
                "title": "string?",
                "text": "string?",
                "url": "string?",
                "score": "integer?",
                "parent": "integer?",
                "poll": "integer?",
                "kids?": ["integer"],
                "parts?": ["integer"],
                "comments": {"from": "descendants", "type": "integer?"},
                "dead": "boolean?",
                "deleted": "boolean?",
              },
              "rest": {"get": {"path": "/item/{id}.json"}},
              "cache": {"freshFor": "10m", "keepFor": "30d"},
            },
            "user": {
              "api": "hackernews",
              "id": "string",
              "fields": {
                "id": "string",
                "karma": "integer",
                "about": "string?",
                "created": {"type": "date", "unit": "s"},
                "submitted?": ["integer"],
              },
              "rest": {"get": {"path": "/user/{id}.json"}},
              "cache": {"freshFor": "1h", "keepFor": "30d"},
            },
          },
        }

        """##
}
