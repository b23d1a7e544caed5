// Made from Fixtures/catalogs/gitlab.jsonc by scripts/embed-catalogs: change that file, not this one.

extension ShippedCatalog {
    static let gitlab = ##"""
        // GitLab's REST API, version 4: https://docs.gitlab.com/api/rest/
        //
        // GITLAB_TOKEN is an access token (personal, project or group) with the scope read_api. For a GitLab of your
        // own: --var GITLAB_HOST=gitlab.example.com
        {
          "larder": 1,
          "apis": {
            "gitlab": {
              "baseURL": "https://${var:GITLAB_HOST:-gitlab.com}/api/v4",
              "auth": {"apiKey": {"in": "header", "name": "PRIVATE-TOKEN", "value": "${env:GITLAB_TOKEN}"}},
              "rateLimit": {"reset": {"header": "RateLimit-Reset"}},
            },
          },
          "resources": {
            // Projects by their full paths, `gitlab-org/gitlab`, which GitLab takes for their numbers.
            "project": {
              "api": "gitlab",
              "id": {"type": "string", "from": "path_with_namespace"},
              "fields": {
                "id": "integer",
                "path": {"from": "path_with_namespace", "type": "string"},
                "name": "string",
                "description": "string?",
                "visibility": "string?",
                "archived": "boolean?",
                "topics?": ["string"],
                "stars": {"from": "star_count", "type": "integer?"},
                "forks": {"from": "forks_count", "type": "integer?"},
                "defaultBranch": {"from": "default_branch", "type": "string?"},
                "url": {"from": "web_url", "type": "string"},
                "created": {"from": "created_at", "type": "date"},
                "active": {"from": "last_activity_at", "type": "date?"},
              },
              "rest": {
                "get": {"path": "/projects/{id}"},
                "list": {
                  "path": "/projects",
                  "filters": {
                    "search": "search",
                    "membership": {"type": "boolean"},
                    "owned": {"type": "boolean"},
                    "starred": {"type": "boolean"},
                    "archived": {"type": "boolean"},
                    "visibility": {"type": ["public", "internal", "private"]},
                    "topic": {"type": ["string"]},
                    "orderBy": {"param": "order_by", "type": ["id", "name", "path", "created_at", "updated_at", "star_count"]},
                    "sort": {"type": ["asc", "desc"]},
                  },
                  // Where there are more than 10,000 GitLab counts neither items nor pages; the links are always there.
                  "pagination": {
                    "style": "link", "size": {"param": "per_page", "value": 100},
                    "count": {"header": "X-Total"}, "pages": {"header": "X-Total-Pages"},
                  },
                },
              },
              "cache": {"freshFor": "10m", "keepFor": "90d"},
            },
            // The parents are projects, by number or full path: issue/get project=gitlab-org/gitlab id=1
            "issue": {
              "api": "gitlab",
              "scope": {"project": "string"},
              "id": {"type": "integer", "from": "iid"},
              "fields": {
                "iid": "integer",
                "title": "string",
                "state": {"type": ["opened", "closed", "other"], "otherwise": "other"},
                "description": "string?",
                "author": {"from": "author.username", "type": "string?"},
                "assignees": {"from": "assignees.*.username", "type": ["string"]},
                "labels": ["string"],
                "milestone": {"from": "milestone.title", "type": "string?"},
                "confidential": "boolean?",
                "due": {"from": "due_date", "type": "string?"},
                "upvotes": "integer?",
                "comments": {"from": "user_notes_count", "type": "integer?"},
                "url": {"from": "web_url", "type": "string"},
                "created": {"from": "created_at", "type": "date"},
                "updated": {"from": "updated_at", "type": "date"},
                "closed": {"from": "closed_at", "type": "date?"},
              },
              "rest": {
                "get": {"path": "/projects/{project}/issues/{id}"},
                "list": {
                  "path": "/projects/{project}/issues",
                  "filters": {
                    "state": {"type": ["opened", "closed", "all"]},
                    "labels": {"type": ["string"], "join": ","},
                    "iids": {"param": "iids[]", "type": ["integer"], "join": "repeat"},
                    "milestone": "milestone",
                    "author": "author_username",
                    "assignee": "assignee_username",
                    "search": "search",
                    "createdAfter": {"param": "created_after", "type": "date"},
                    "updatedAfter": {"param": "updated_after", "type": "date"},
                    "orderBy": {"param": "order_by", "type": ["created_at", "updated_at", "priority", "due_date"]},
                    "sort": {"type": ["asc", "desc"]},
                  },
                  "pagination": {
                    "style": "page", "param": "page", "size": {"param": "per_page", "value": 100},
                    "next": {"header": "X-Next-Page"}, "count": {"header": "X-Total"}, "pages": {"header": "X-Total-Pages"},
                  },
                },
              },
              "cache": {"freshFor": "5m", "keepFor": "30d"},
            },
            "mergeRequest": {
              "api": "gitlab",
              "scope": {"project": "string"},
              "id": {"type": "integer", "from": "iid"},
              "fields": {
                "iid": "integer",
                "title": "string",
                "state": {"type": ["opened", "closed", "merged", "locked", "other"], "otherwise": "other"},
                "draft": "boolean?",
                "description": "string?",
                "author": {"from": "author.username", "type": "string?"},
                "reviewers": {"from": "reviewers.*.username", "type": ["string"]},
                "labels": ["string"],
                "source": {"from": "source_branch", "type": "string"},
                "target": {"from": "target_branch", "type": "string"},
                "sha": "string?",
                "status": {"from": "detailed_merge_status", "type": "string?"},
                "url": {"from": "web_url", "type": "string"},
                "created": {"from": "created_at", "type": "date"},
                "updated": {"from": "updated_at", "type": "date"},
                "merged": {"from": "merged_at", "type": "date?"},
              },
              "rest": {
                "get": {"path": "/projects/{project}/merge_requests/{id}"},
                "list": {
                  "path": "/projects/{project}/merge_requests",
                  "filters": {
                    "state": {"type": ["opened", "closed", "merged", "locked", "all"]},
                    "labels": {"type": ["string"], "join": ","},
                    "author": "author_username",
                    "reviewer": "reviewer_username",
                    "source": "source_branch",
                    "target": "target_branch",
                    "search": "search",
                    "updatedAfter": {"param": "updated_after", "type": "date"},
                  },
                  "pagination": {
                    "style": "page", "param": "page", "size": {"param": "per_page", "value": 100},
                    "next": {"header": "X-Next-Page"}, "count": {"header": "X-Total"}, "pages": {"header": "X-Total-Pages"},
                  },
                },
              },
              "cache": {"freshFor": "5m", "keepFor": "30d"},
            },
            "pipeline": {
              "api": "gitlab",
              "scope": {"project": "string"},
              "id": "integer",
              "fields": {
                "id": "integer",
                "status": "string",
                "source": "string?",
                "ref": "string",
                "sha": "string",
                "url": {"from": "web_url", "type": "string"},
                "created": {"from": "created_at", "type": "date"},
                "updated": {"from": "updated_at", "type": "date?"},
              },
              "rest": {
                "get": {"path": "/projects/{project}/pipelines/{id}"},
                "list": {
                  "path": "/projects/{project}/pipelines",
                  "filters": {
                    "ref": "ref", "sha": "sha", "status": "status", "source": "source", "username": "username",
                    "updatedAfter": {"param": "updated_after", "type": "date"},
                  },
                  "pagination": {
                    "style": "page", "param": "page", "size": {"param": "per_page", "value": 100},
                    "next": {"header": "X-Next-Page"}, "count": {"header": "X-Total"}, "pages": {"header": "X-Total-Pages"},
                  },
                },
              },
              "cache": {"freshFor": "1m", "keepFor": "30d"},
            },
            "release": {
              "api": "gitlab",
              "scope": {"project": "string"},
              "id": {"type": "string", "from": "tag_name"},
              "fields": {
                "tag": {"from": "tag_name", "type": "string"},
                "name": "string?",
                "description": "string?",
                "author": {"from": "author.username", "type": "string?"},
                "commit": {"from": "commit.id", "type": "string?"},
                "created": {"from": "created_at", "type": "date"},
                "released": {"from": "released_at", "type": "date?"},
              },
              "rest": {
                "get": {"path": "/projects/{project}/releases/{id}"},
                "list": {
                  "path": "/projects/{project}/releases",
                  "pagination": {
                    "style": "page", "param": "page", "size": {"param": "per_page", "value": 100},
                    "next": {"header": "X-Next-Page"}, "count": {"header": "X-Total"}, "pages": {"header": "X-Total-Pages"},
                  },
                },
              },
              "cache": {"freshFor": "1h", "keepFor": "90d"},
            },
            "branch": {
              "api": "gitlab",
              "scope": {"project": "string"},
              "id": {"type": "string", "from": "name"},
              "fields": {
                "name": "string",
                "sha": {"from": "commit.id", "type": "string"},
                "merged": "boolean",
                "protected": "boolean",
                "default": "boolean",
                "url": {"from": "web_url", "type": "string?"},
              },
              "rest": {
                "get": {"path": "/projects/{project}/repository/branches/{id}"},
                "list": {
                  "path": "/projects/{project}/repository/branches",
                  "filters": {"search": "search", "regex": "regex"},
                  "pagination": {
                    "style": "page", "param": "page", "size": {"param": "per_page", "value": 100},
                    "next": {"header": "X-Next-Page"}, "count": {"header": "X-Total"}, "pages": {"header": "X-Total-Pages"},
                  },
                },
              },
              "cache": {"freshFor": "5m", "keepFor": "30d"},
            },
            "user": {
              "api": "gitlab",
              "id": "integer",
              "fields": {
                "id": "integer",
                "username": "string",
                "name": "string",
                "state": "string",
                "url": {"from": "web_url", "type": "string"},
                "avatar": {"from": "avatar_url", "type": "string?"},
              },
              "rest": {
                "get": {"path": "/users/{id}"},
                "list": {
                  "path": "/users",
                  "filters": {"username": "username", "search": "search", "active": {"type": "boolean"}},
                  "pagination": {"style": "link", "size": {"param": "per_page", "value": 100}},
                },
              },
              "cache": {"freshFor": "1h", "keepFor": "90d"},
            },
          },
        }

        """##
}
