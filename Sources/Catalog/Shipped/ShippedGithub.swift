// Made from Fixtures/catalogs/github.jsonc by scripts/embed-catalogs: change that file, not this one.

extension ShippedCatalog {
    static let github = ##"""
        // GitHub's REST API: https://docs.github.com/rest
        //
        // GITHUB_TOKEN is a token of yours; what it may read is what comes. For GitHub Enterprise Server:
        // --var GITHUB_API=HOST/api/v3
        {
          "larder": 1,
          "apis": {
            "github": {
              "baseURL": "https://${var:GITHUB_API:-api.github.com}",
              "headers": {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"},
              "auth": {"bearer": "${env:GITHUB_TOKEN}"},
              "rateLimit": {"reset": {"header": "X-RateLimit-Reset"}},
              "errors": [
                // Both limits are a 403 as often as a 429: the hourly one, and the secondary ones with their
                // Retry-After.
                {"status": [403, 429], "when": {"header": "X-RateLimit-Remaining"}, "is": "0", "kind": "rateLimited"},
                {"status": 403, "when": {"header": "Retry-After"}, "kind": "rateLimited"},
              ],
            },
          },
          "resources": {
            // Repositories by their full names, `apple/swift`; the list is the search, which shows 1,000 of them.
            "repo": {
              "api": "github",
              "id": {"type": "string", "from": "full_name"},
              "fields": {
                "name": {"from": "full_name", "type": "string"},
                "description": "string?",
                "private": "boolean",
                "fork": "boolean",
                "archived": "boolean",
                "language": "string?",
                "topics?": ["string"],
                "license": {"from": "license.spdx_id", "type": "string?"},
                "stars": {"from": "stargazers_count", "type": "integer"},
                "forks": {"from": "forks_count", "type": "integer"},
                "openIssues": {"from": "open_issues_count", "type": "integer"},
                "defaultBranch": {"from": "default_branch", "type": "string"},
                "url": {"from": "html_url", "type": "string"},
                "created": {"from": "created_at", "type": "date"},
                "updated": {"from": "updated_at", "type": "date"},
                "pushed": {"from": "pushed_at", "type": "date?"},
              },
              "rest": {
                "get": {"path": "/repos/{+id}"},
                "list": {
                  "path": "/search/repositories",
                  "items": "items",
                  "filters": {
                    "text": {"param": "q", "as": "{}"},
                    "user": {"param": "q", "as": "user:{}"},
                    "org": {"param": "q", "as": "org:{}"},
                    "language": {"param": "q", "as": "language:{}", "quote": "\""},
                    "topic": {"param": "q", "as": "topic:{}", "type": ["string"]},
                    "stars": {"param": "q", "as": "stars:{}"},
                    "sort": {"type": ["stars", "forks", "help-wanted-issues", "updated"]},
                    "order": {"type": ["asc", "desc"]},
                  },
                  "pagination": {"style": "link", "size": {"param": "per_page", "value": 100}, "count": "total_count"},
                },
              },
              "cache": {"freshFor": "10m", "keepFor": "90d"},
            },
            // Issues, and pull requests (where `pull` is not null), as GitHub lists them.
            "issue": {
              "api": "github",
              "scope": {"owner": "string", "repo": "string"},
              "id": {"type": "integer", "from": "number"},
              "fields": {
                "number": "integer",
                "title": "string",
                "state": {"type": ["open", "closed", "other"], "otherwise": "other"},
                "reason": {"from": "state_reason", "type": "string?"},
                "body": "string?",
                "author": {"from": "user.login", "type": "string?"},
                "labels": {"from": "labels.*.name", "type": ["string"]},
                "assignees?": {"from": "assignees.*.login", "type": ["string"]},
                "milestone": {"from": "milestone.title", "type": "string?"},
                "comments": "integer",
                "locked": "boolean",
                "pull": {"from": "pull_request.html_url", "type": "string?"},
                "url": {"from": "html_url", "type": "string"},
                "created": {"from": "created_at", "type": "date"},
                "updated": {"from": "updated_at", "type": "date"},
                "closed": {"from": "closed_at", "type": "date?"},
              },
              "rest": {
                "get": {"path": "/repos/{owner}/{repo}/issues/{id}"},
                "list": {
                  "path": "/repos/{owner}/{repo}/issues",
                  "filters": {
                    "state": {"type": ["open", "closed", "all"], "default": "open"},
                    "labels": {"type": ["string"], "join": ","},
                    "assignee": "assignee",
                    "creator": "creator",
                    "mentioned": "mentioned",
                    "milestone": "milestone",
                    "since": {"type": "date"},
                    "sort": {"type": ["created", "updated", "comments"]},
                    "direction": {"type": ["asc", "desc"]},
                  },
                  "pagination": {"style": "link", "size": {"param": "per_page", "value": 100}},
                },
              },
              "cache": {"freshFor": "5m", "keepFor": "30d"},
            },
            "comment": {
              "api": "github",
              "scope": {"owner": "string", "repo": "string", "issue": "integer"},
              "id": "integer",
              "fields": {
                "id": "integer",
                "author": {"from": "user.login", "type": "string?"},
                "body": "string?",
                "url": {"from": "html_url", "type": "string"},
                "created": {"from": "created_at", "type": "date"},
                "updated": {"from": "updated_at", "type": "date"},
              },
              "rest": {
                "get": {"path": "/repos/{owner}/{repo}/issues/comments/{id}"},
                "list": {
                  "path": "/repos/{owner}/{repo}/issues/{issue}/comments",
                  "filters": {"since": {"type": "date"}},
                  "pagination": {"style": "link", "size": {"param": "per_page", "value": 100}},
                },
              },
              "cache": {"freshFor": "5m", "keepFor": "30d"},
            },
            "pull": {
              "api": "github",
              "scope": {"owner": "string", "repo": "string"},
              "id": {"type": "integer", "from": "number"},
              "fields": {
                "number": "integer",
                "title": "string",
                "state": {"type": ["open", "closed", "other"], "otherwise": "other"},
                "draft": "boolean?",
                "body": "string?",
                "author": {"from": "user.login", "type": "string?"},
                "labels": {"from": "labels.*.name", "type": ["string"]},
                "head": {"from": "head.ref", "type": "string"},
                "headSHA": {"from": "head.sha", "type": "string"},
                "base": {"from": "base.ref", "type": "string"},
                "url": {"from": "html_url", "type": "string"},
                "created": {"from": "created_at", "type": "date"},
                "updated": {"from": "updated_at", "type": "date"},
                "closed": {"from": "closed_at", "type": "date?"},
                "merged": {"from": "merged_at", "type": "date?"},
              },
              "rest": {
                "get": {"path": "/repos/{owner}/{repo}/pulls/{id}"},
                "list": {
                  "path": "/repos/{owner}/{repo}/pulls",
                  "filters": {
                    "state": {"type": ["open", "closed", "all"], "default": "open"},
                    "head": "head",
                    "base": "base",
                    "sort": {"type": ["created", "updated", "popularity", "long-running"]},
                    "direction": {"type": ["asc", "desc"]},
                  },
                  "pagination": {"style": "link", "size": {"param": "per_page", "value": 100}},
                },
              },
              "cache": {"freshFor": "5m", "keepFor": "30d"},
            },
            "commit": {
              "api": "github",
              "scope": {"owner": "string", "repo": "string"},
              "id": {"type": "string", "from": "sha"},
              "fields": {
                "sha": "string",
                "message": {"from": "commit.message", "type": "string"},
                "author": {"from": "commit.author.name", "type": "string?"},
                "login": {"from": "author.login", "type": "string?"},
                "date": {"from": "commit.author.date", "type": "date?"},
                "committed": {"from": "commit.committer.date", "type": "date?"},
                "parents": {"from": "parents.*.sha", "type": ["string"]},
                "verified": {"from": "commit.verification.verified", "type": "boolean?"},
                "url": {"from": "html_url", "type": "string"},
              },
              "rest": {
                "get": {"path": "/repos/{owner}/{repo}/commits/{id}"},
                "list": {
                  "path": "/repos/{owner}/{repo}/commits",
                  "filters": {
                    "branch": "sha",
                    "path": "path",
                    "author": "author",
                    "committer": "committer",
                    "since": {"type": "date"},
                    "until": {"type": "date"},
                  },
                  "pagination": {"style": "link", "size": {"param": "per_page", "value": 100}},
                },
              },
              "cache": {"freshFor": "5m", "keepFor": "90d"},
            },
            "branch": {
              "api": "github",
              "scope": {"owner": "string", "repo": "string"},
              "id": {"type": "string", "from": "name"},
              "fields": {"name": "string", "sha": {"from": "commit.sha", "type": "string"}, "protected": "boolean"},
              "rest": {
                "get": {"path": "/repos/{owner}/{repo}/branches/{id}"},
                "list": {
                  "path": "/repos/{owner}/{repo}/branches",
                  "filters": {"protected": {"type": "boolean"}},
                  "pagination": {"style": "link", "size": {"param": "per_page", "value": 100}},
                },
              },
              "cache": {"freshFor": "5m", "keepFor": "30d"},
            },
            "release": {
              "api": "github",
              "scope": {"owner": "string", "repo": "string"},
              "id": "integer",
              "fields": {
                "id": "integer",
                "tag": {"from": "tag_name", "type": "string"},
                "name": "string?",
                "body": "string?",
                "draft": "boolean",
                "prerelease": "boolean",
                "author": {"from": "author.login", "type": "string?"},
                "assets": [
                  {
                    "name": "string",
                    "size": "integer",
                    "downloads": {"from": "download_count", "type": "integer"},
                    "url": {"from": "browser_download_url", "type": "string"},
                  },
                ],
                "url": {"from": "html_url", "type": "string"},
                "created": {"from": "created_at", "type": "date"},
                "published": {"from": "published_at", "type": "date?"},
              },
              "rest": {
                "get": {"path": "/repos/{owner}/{repo}/releases/{id}"},
                "list": {
                  "path": "/repos/{owner}/{repo}/releases",
                  "pagination": {"style": "link", "size": {"param": "per_page", "value": 100}},
                },
              },
              "cache": {"freshFor": "1h", "keepFor": "90d"},
            },
            // Runs of GitHub Actions.
            "run": {
              "api": "github",
              "scope": {"owner": "string", "repo": "string"},
              "id": "integer",
              "fields": {
                "id": "integer",
                "name": "string?",
                "title": {"from": "display_title", "type": "string"},
                "number": {"from": "run_number", "type": "integer"},
                "event": "string",
                "status": "string?",
                "conclusion": "string?",
                "branch": {"from": "head_branch", "type": "string?"},
                "sha": {"from": "head_sha", "type": "string"},
                "url": {"from": "html_url", "type": "string"},
                "created": {"from": "created_at", "type": "date"},
                "updated": {"from": "updated_at", "type": "date"},
              },
              "rest": {
                "get": {"path": "/repos/{owner}/{repo}/actions/runs/{id}"},
                "list": {
                  "path": "/repos/{owner}/{repo}/actions/runs",
                  "items": "workflow_runs",
                  "filters": {
                    "actor": "actor", "branch": "branch", "event": "event", "status": "status", "created": "created",
                    "sha": "head_sha",
                  },
                  "pagination": {"style": "link", "size": {"param": "per_page", "value": 100}, "count": "total_count"},
                },
              },
              "cache": {"freshFor": "1m", "keepFor": "30d"},
            },
            // Users and organizations by their logins. A list has only what stands first.
            "user": {
              "api": "github",
              "id": {"type": "string", "from": "login"},
              "fields": {
                "login": "string",
                "type": {"type": ["User", "Organization", "Bot", "other"], "otherwise": "other"},
                "avatar": {"from": "avatar_url", "type": "string"},
                "url": {"from": "html_url", "type": "string"},
                "name": "string?",
                "company": "string?",
                "location": "string?",
                "bio": "string?",
                "repos": {"from": "public_repos", "type": "integer"},
                "followers": "integer",
                "following": "integer",
                "created": {"from": "created_at", "type": "date"},
              },
              "rest": {
                "get": {"path": "/users/{id}"},
                "list": {
                  "path": "/users",
                  "complete": false,
                  "pagination": {"style": "link", "size": {"param": "per_page", "value": 100}},
                },
              },
              "cache": {"freshFor": "1h", "keepFor": "90d"},
            },
          },
        }

        """##
}
