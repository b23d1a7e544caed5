// Made from Fixtures/catalogs/github-graphql.jsonc by scripts/embed-catalogs: change that file, not this one.

extension ShippedCatalog {
    static let githubGraphql = ##"""
        // GitHub's GraphQL API: https://docs.github.com/graphql
        //
        // GITHUB_TOKEN is a token of yours; the API answers nobody without one.
        {
          "larder": 1,
          "apis": {
            "github": {
              "baseURL": "https://${var:GITHUB_API:-api.github.com}",
              "auth": {"bearer": "${env:GITHUB_TOKEN}"},
              "rateLimit": {"reset": {"header": "X-RateLimit-Reset"}},
              "errors": [
                {"status": [403, 429], "when": {"header": "X-RateLimit-Remaining"}, "is": "0", "kind": "rateLimited"},
                {"status": 403, "when": {"header": "Retry-After"}, "kind": "rateLimited"},
                // Errors of a 200 say by their type what they are.
                {"when": "errors.*.type", "is": ["RATE_LIMITED", "RATE_LIMIT"], "kind": "rateLimited"},
                {"when": "errors.*.type", "is": "NOT_FOUND", "kind": "notFound"},
                {"when": "errors.*.type", "is": ["FORBIDDEN", "INSUFFICIENT_SCOPES"], "kind": "unauthorized"},
              ],
            },
          },
          "resources": {
            // The repositories of a user or an organization: repo/get owner=apple id=swift
            "repo": {
              "api": "github",
              "scope": {"owner": "string"},
              "id": {"type": "string", "from": "name"},
              "fields": {
                "name": "string",
                "fullName": {"from": "nameWithOwner", "type": "string"},
                "description": "string?",
                "isPrivate": "boolean",
                "isFork": "boolean",
                "isArchived": "boolean",
                "language": {"from": "primaryLanguage.name", "type": "string?"},
                "license": {"from": "licenseInfo.spdxId", "type": "string?"},
                "topics": {"from": "repositoryTopics.nodes.*.topic.name", "type": ["string"]},
                "stars": {"from": "stargazerCount", "type": "integer"},
                "forks": {"from": "forkCount", "type": "integer"},
                "openIssues": {"from": "issues.totalCount", "type": "integer"},
                "openPulls": {"from": "pullRequests.totalCount", "type": "integer"},
                "defaultBranch": {"from": "defaultBranchRef.name", "type": "string?"},
                "url": "string",
                "created": {"from": "createdAt", "type": "date"},
                "updated": {"from": "updatedAt", "type": "date"},
                "pushed": {"from": "pushedAt", "type": "date?"},
              },
              "graphql": {
                "path": "/graphql",
                "get": {
                  "query": "query Repository($owner: String!, $id: String!) { repository(owner: $owner, name: $id) { ...R } } fragment R on Repository { name nameWithOwner description isPrivate isFork isArchived primaryLanguage { name } licenseInfo { spdxId } repositoryTopics(first: 20) { nodes { topic { name } } } stargazerCount forkCount issues(states: OPEN) { totalCount } pullRequests(states: OPEN) { totalCount } defaultBranchRef { name } url createdAt updatedAt pushedAt }",
                  "item": "repository",
                },
                "list": {
                  "query": "query Repositories($owner: String!, $first: Int!, $after: String, $isFork: Boolean, $privacy: RepositoryPrivacy) { repositoryOwner(login: $owner) { repositories(first: $first, after: $after, isFork: $isFork, privacy: $privacy, ownerAffiliations: OWNER, orderBy: {field: NAME, direction: ASC}) { totalCount pageInfo { hasNextPage endCursor } nodes { ...R } } } } fragment R on Repository { name nameWithOwner description isPrivate isFork isArchived primaryLanguage { name } licenseInfo { spdxId } repositoryTopics(first: 20) { nodes { topic { name } } } stargazerCount forkCount issues(states: OPEN) { totalCount } pullRequests(states: OPEN) { totalCount } defaultBranchRef { name } url createdAt updatedAt pushedAt }",
                  "items": "repositoryOwner.repositories.nodes",
                  "filters": {"isFork": {"type": "boolean"}, "privacy": {"type": ["PUBLIC", "PRIVATE"]}},
                  "pagination": {
                    "style": "relay", "param": "after", "pageInfo": "repositoryOwner.repositories.pageInfo",
                    "size": {"param": "first", "value": 50}, "count": "repositoryOwner.repositories.totalCount",
                  },
                },
              },
              "cache": {"freshFor": "10m", "keepFor": "90d"},
            },
            "issue": {
              "api": "github",
              "scope": {"owner": "string", "repo": "string"},
              "id": {"type": "integer", "from": "number"},
              "fields": {
                "number": "integer",
                "title": "string",
                "state": {"type": ["OPEN", "CLOSED", "other"], "otherwise": "other"},
                "reason": {"from": "stateReason", "type": "string?"},
                "body": "string",
                "author": {"from": "author.login", "type": "string?"},
                "labels": {"from": "labels.nodes.*.name", "type": ["string"]},
                "assignees": {"from": "assignees.nodes.*.login", "type": ["string"]},
                "milestone": {"from": "milestone.title", "type": "string?"},
                "comments": {"from": "comments.totalCount", "type": "integer"},
                "url": "string",
                "created": {"from": "createdAt", "type": "date"},
                "updated": {"from": "updatedAt", "type": "date"},
                "closed": {"from": "closedAt", "type": "date?"},
              },
              "graphql": {
                "path": "/graphql",
                "get": {
                  "query": "query Issue($owner: String!, $repo: String!, $id: Int!) { repository(owner: $owner, name: $repo) { issue(number: $id) { ...I } } } fragment I on Issue { number title state stateReason body author { login } labels(first: 50) { nodes { name } } assignees(first: 20) { nodes { login } } milestone { title } comments { totalCount } url createdAt updatedAt closedAt }",
                  "item": "repository.issue",
                },
                "list": {
                  "query": "query Issues($owner: String!, $repo: String!, $first: Int!, $after: String, $states: [IssueState!], $labels: [String!], $by: IssueFilters) { repository(owner: $owner, name: $repo) { issues(first: $first, after: $after, states: $states, labels: $labels, filterBy: $by, orderBy: {field: CREATED_AT, direction: DESC}) { totalCount pageInfo { hasNextPage endCursor } nodes { ...I } } } } fragment I on Issue { number title state stateReason body author { login } labels(first: 50) { nodes { name } } assignees(first: 20) { nodes { login } } milestone { title } comments { totalCount } url createdAt updatedAt closedAt }",
                  "items": "repository.issues.nodes",
                  "filters": {
                    "states": {"type": [["OPEN", "CLOSED"]]},
                    "labels": {"type": ["string"]},
                    "assignee": "by.assignee",
                    "creator": "by.createdBy",
                    "mentioned": "by.mentioned",
                    "since": {"param": "by.since", "type": "date"},
                  },
                  "pagination": {
                    "style": "relay", "param": "after", "pageInfo": "repository.issues.pageInfo",
                    "size": {"param": "first", "value": 50}, "count": "repository.issues.totalCount",
                  },
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
                "state": {"type": ["OPEN", "CLOSED", "MERGED", "other"], "otherwise": "other"},
                "isDraft": "boolean",
                "body": "string",
                "author": {"from": "author.login", "type": "string?"},
                "labels": {"from": "labels.nodes.*.name", "type": ["string"]},
                "head": {"from": "headRefName", "type": "string"},
                "base": {"from": "baseRefName", "type": "string"},
                "additions": "integer",
                "deletions": "integer",
                "changedFiles": "integer",
                "reviewDecision": "string?",
                "url": "string",
                "created": {"from": "createdAt", "type": "date"},
                "updated": {"from": "updatedAt", "type": "date"},
                "merged": {"from": "mergedAt", "type": "date?"},
              },
              "graphql": {
                "path": "/graphql",
                "get": {
                  "query": "query Pull($owner: String!, $repo: String!, $id: Int!) { repository(owner: $owner, name: $repo) { pullRequest(number: $id) { ...P } } } fragment P on PullRequest { number title state isDraft body author { login } labels(first: 50) { nodes { name } } headRefName baseRefName additions deletions changedFiles reviewDecision url createdAt updatedAt mergedAt }",
                  "item": "repository.pullRequest",
                },
                "list": {
                  "query": "query Pulls($owner: String!, $repo: String!, $first: Int!, $after: String, $states: [PullRequestState!], $labels: [String!], $head: String, $base: String) { repository(owner: $owner, name: $repo) { pullRequests(first: $first, after: $after, states: $states, labels: $labels, headRefName: $head, baseRefName: $base, orderBy: {field: CREATED_AT, direction: DESC}) { totalCount pageInfo { hasNextPage endCursor } nodes { ...P } } } } fragment P on PullRequest { number title state isDraft body author { login } labels(first: 50) { nodes { name } } headRefName baseRefName additions deletions changedFiles reviewDecision url createdAt updatedAt mergedAt }",
                  "items": "repository.pullRequests.nodes",
                  "filters": {
                    "states": {"type": [["OPEN", "CLOSED", "MERGED"]]},
                    "labels": {"type": ["string"]},
                    "head": "head",
                    "base": "base",
                  },
                  "pagination": {
                    "style": "relay", "param": "after", "pageInfo": "repository.pullRequests.pageInfo",
                    "size": {"param": "first", "value": 50}, "count": "repository.pullRequests.totalCount",
                  },
                },
              },
              "cache": {"freshFor": "5m", "keepFor": "30d"},
            },
            "release": {
              "api": "github",
              "scope": {"owner": "string", "repo": "string"},
              "id": {"type": "string", "from": "tagName"},
              "fields": {
                "tag": {"from": "tagName", "type": "string"},
                "name": "string?",
                "body": {"from": "description", "type": "string?"},
                "isDraft": "boolean",
                "isPrerelease": "boolean",
                "author": {"from": "author.login", "type": "string?"},
                "assets": {
                  "from": "releaseAssets.nodes",
                  "type": [{"name": "string", "size": "integer", "downloads": {"from": "downloadCount", "type": "integer"}}],
                },
                "url": "string",
                "created": {"from": "createdAt", "type": "date"},
                "published": {"from": "publishedAt", "type": "date?"},
              },
              "graphql": {
                "path": "/graphql",
                "get": {
                  "query": "query Release($owner: String!, $repo: String!, $id: String!) { repository(owner: $owner, name: $repo) { release(tagName: $id) { ...V } } } fragment V on Release { tagName name description isDraft isPrerelease author { login } releaseAssets(first: 50) { nodes { name size downloadCount } } url createdAt publishedAt }",
                  "item": "repository.release",
                },
                "list": {
                  "query": "query Releases($owner: String!, $repo: String!, $first: Int!, $after: String) { repository(owner: $owner, name: $repo) { releases(first: $first, after: $after, orderBy: {field: CREATED_AT, direction: DESC}) { totalCount pageInfo { hasNextPage endCursor } nodes { ...V } } } } fragment V on Release { tagName name description isDraft isPrerelease author { login } releaseAssets(first: 50) { nodes { name size downloadCount } } url createdAt publishedAt }",
                  "items": "repository.releases.nodes",
                  "pagination": {
                    "style": "relay", "param": "after", "pageInfo": "repository.releases.pageInfo",
                    "size": {"param": "first", "value": 50}, "count": "repository.releases.totalCount",
                  },
                },
              },
              "cache": {"freshFor": "1h", "keepFor": "90d"},
            },
            "user": {
              "api": "github",
              "id": {"type": "string", "from": "login"},
              "fields": {
                "login": "string",
                "name": "string?",
                "company": "string?",
                "location": "string?",
                "bio": "string?",
                "followers": {"from": "followers.totalCount", "type": "integer"},
                "repos": {"from": "repositories.totalCount", "type": "integer"},
                "url": "string",
                "created": {"from": "createdAt", "type": "date"},
              },
              "graphql": {
                "path": "/graphql",
                "get": {
                  "query": "query User($id: String!) { user(login: $id) { login name company location bio followers { totalCount } repositories(ownerAffiliations: OWNER) { totalCount } url createdAt } }",
                  "item": "user",
                },
              },
              "cache": {"freshFor": "1h", "keepFor": "90d"},
            },
          },
        }

        """##
}
