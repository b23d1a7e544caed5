"""Simulated GitHub APIs over REST and GraphQL. Their catalogs ship with Larder."""

import urllib.parse

from standins import (
    SIZE,
    Error,
    Failure,
    Get,
    Schema,
    Sync,
    Walk,
    changes,
    connection,
    cut,
    find,
    need,
    query_text,
    stand_in,
)

# GitHub over REST


def _issue(number, state, labels):
    return {
        "id": 1000 + number,
        "number": number,
        "title": f"Issue {number}",
        "state": state,
        "state_reason": None,
        "body": "What happened, and what was expected.",
        "user": {"login": "octocat", "id": 1},
        "labels": [{"id": index, "name": name} for index, name in enumerate(labels)],
        "assignees": [{"login": "hubot"}] if number % 2 else [],
        "milestone": None,
        "comments": number,
        "locked": False,
        "html_url": f"https://github.com/octo/hello/issues/{number}",
        "created_at": f"2026-01-0{number}T10:00:00Z",
        "updated_at": f"2026-02-0{number}T10:00:00Z",
        "closed_at": None if state == "open" else "2026-03-01T10:00:00Z",
        **({"pull_request": {"html_url": f"https://github.com/octo/hello/pull/{number}"}} if number == 4 else {}),
    }


ISSUES = [
    _issue(number, "closed" if number == 2 else "open", ["bug", "ui"] if number != 3 else ["bug"])
    for number in (7, 6, 5, 4, 3, 2, 1)
]
COMMENTS = [
    {
        "id": number,
        "user": {"login": "octocat"},
        "body": f"Comment {number}",
        "html_url": f"https://github.com/octo/hello/issues/7#issuecomment-{number}",
        "created_at": f"2026-02-0{number}T10:00:00Z",
        "updated_at": f"2026-02-0{number}T10:00:00Z",
    }
    for number in (1, 2, 3)
]
REPOS = [
    {
        "id": index,
        "full_name": f"octo/{name}",
        "description": f"The repository {name}",
        "private": False,
        "fork": False,
        "archived": False,
        "language": "Swift",
        "topics": ["cache", "json"],
        "license": {"spdx_id": "MIT"} if index else None,
        "stargazers_count": 90 - index,
        "forks_count": index,
        "open_issues_count": 2,
        "default_branch": "main",
        "html_url": f"https://github.com/octo/{name}",
        "created_at": "2020-01-01T00:00:00Z",
        "updated_at": "2026-01-01T00:00:00Z",
        "pushed_at": "2026-01-02T00:00:00Z",
    }
    for index, name in enumerate(["hello", "world", "again"])
]
GITHUB_WORDS = {"message": "Not Found", "documentation_url": "https://docs.github.com/rest", "status": "404"}
BAD = {"message": "Bad credentials", "documentation_url": "https://docs.github.com/rest", "status": "401"}


@stand_in(
    "github",
    gets=[
        Get(
            "issue",
            {"owner": "octo", "repo": "hello", "id": 4},
            {
                "number": 4,
                "title": "Issue 4",
                "state": "open",
                "labels": ["bug", "ui"],
                "assignees": [],
                "author": "octocat",
                "pull": "https://github.com/octo/hello/pull/4",
                "milestone": None,
                "created": "2026-01-04T10:00:00Z",
            },
        ),
        Get(
            "repo",
            {"id": "octo/hello"},
            {"name": "octo/hello", "stars": 90, "license": None, "topics": ["cache", "json"]},
        ),
    ],
    walks=[
        Walk(
            "issue",
            {"owner": "octo", "repo": "hello", "filter": {"labels": ["bug", "ui"], "since": "2026-01-01T00:00:00Z"}},
            "number",
            [7, 6, 5, 4, 1],
        ),
        Walk(
            "repo",
            {"filter": {"text": "larder", "language": "Swift", "topic": ["cache", "json"]}},
            "name",
            ["octo/hello", "octo/world", "octo/again"],
        ),
    ],
    errors=[
        Error("issue/get", {"owner": "octo", "repo": "hello", "id": 99}, "notFound", "Not Found"),
        Error("repo/list", {"filter": {"user": "nobody"}}, "invalidRequest", "Validation Failed"),
        Error("repo/get", {"id": "octo/busy"}, "rateLimited", "API rate limit exceeded for user ID 1."),
        Error("user/get", {"id": "busy"}, "rateLimited", "You have exceeded a secondary rate limit."),
    ],
    syncs=[
        Sync(
            "issue",
            {"owner": "octo", "repo": "hello", "filter": {"creator": "octocat"}},
            [1, 2, 3, 4, 5, 6, 7],
            changed=7,
            edit={"title": "New", "state": "closed", "updated_at": "2026-02-09T10:00:00Z"},
            item={"title": "New", "state": "closed"},
            marks=("since=2026-02-07T09:59:00Z", "since=2026-02-09T09:59:00Z"),
        ),
        Sync(
            "comment",
            {"owner": "octo", "repo": "hello", "issue": 7},
            [1, 2, 3],
            changed=3,
            edit={"body": "New", "updated_at": "2026-02-09T10:00:00Z"},
            item={"body": "New"},
            marks=("since=2026-02-03T09:59:00Z", "since=2026-02-09T09:59:00Z"),
        ),
    ],
    validators=True,
)
def github(request):
    def updated(item):
        return item["updated_at"]

    request.bearer("GITHUB_TOKEN", BAD)
    assert request.headers["X-GitHub-Api-Version"] == "2022-11-28" and request.headers["User-Agent"]
    issues = request.current(ISSUES, lambda issue: issue["number"])
    comments = request.current(COMMENTS, lambda comment: comment["id"])
    if parts := request.match("/repos/octo/hello/issues/comments/*"):
        return find(comments, lambda comment: str(comment["id"]) == parts[0], 404, GITHUB_WORDS)
    if parts := request.match("/repos/octo/hello/issues/*"):
        return find(issues, lambda issue: str(issue["number"]) == parts[0], 404, GITHUB_WORDS)
    if parts := request.match("/repos/octo/*"):
        spent = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1767225600"}
        need(parts[0] != "busy", 403, {"message": "API rate limit exceeded for user ID 1."}, spent)
        return find(REPOS, lambda repo: repo["full_name"] == f"octo/{parts[0]}", 404, GITHUB_WORDS)
    if request.path == "/users/busy":
        need(False, 403, {"message": "You have exceeded a secondary rate limit."}, {"Retry-After": "60"})
    if request.path == "/repos/octo/hello/issues":
        assert request.one("per_page") == "100"
        labels = request.one("labels", "").split(",")
        found = [
            issue
            for issue in changes(issues, updated, request.one("since"))
            if request.one("state", "open") in ("all", issue["state"])
            and set(filter(None, labels)) <= {label["name"] for label in issue["labels"]}
            and request.one("creator", "octocat") == issue["user"]["login"]
        ]
        if request.one("sort") == "updated":
            assert request.one("direction") == "asc"
        else:
            found.sort(key=lambda issue: issue["created_at"], reverse=True)
    elif request.path == "/repos/octo/hello/issues/7/comments":
        found = [one for one in comments if updated(one) >= request.one("since", "")]
    else:
        assert request.path == "/search/repositories"
        found, text = REPOS, request.one("q")
        need(
            query_text(text, "user") != "nobody", 422, {"message": "Validation Failed", "errors": [{"code": "invalid"}]}
        )
        assert text == 'larder language:"Swift" topic:cache topic:json'
    page = int(request.one("page", "1"))
    items, end = cut(found, (page - 1) * SIZE)
    rest = {name: values[0] for name, values in request.query.items() if name != "page"}
    url = f"https://api.github.com{request.path}?{urllib.parse.urlencode({**rest, 'page': page + 1})}"
    headers = {"Link": f'<{url}>; rel="next", <{url}>; rel="last"'} if end else {}
    return (items if found is not REPOS else {"total_count": 3, "incomplete_results": False, "items": items}), headers


# GitHub over GraphQL

GITHUB_SCHEMA = """
scalar DateTime
scalar URI
enum IssueState { OPEN CLOSED }
enum PullRequestState { OPEN CLOSED MERGED }
enum RepositoryPrivacy { PUBLIC PRIVATE }
enum RepositoryAffiliation { OWNER COLLABORATOR ORGANIZATION_MEMBER }
enum OrderDirection { ASC DESC }
enum IssueOrderField { CREATED_AT UPDATED_AT COMMENTS }
enum RepositoryOrderField { CREATED_AT UPDATED_AT PUSHED_AT NAME STARGAZERS }
enum ReleaseOrderField { CREATED_AT NAME }
input IssueOrder { field: IssueOrderField! direction: OrderDirection! }
input RepositoryOrder { field: RepositoryOrderField! direction: OrderDirection! }
input ReleaseOrder { field: ReleaseOrderField! direction: OrderDirection! }
input IssueFilters { assignee: String createdBy: String mentioned: String since: DateTime }
type PageInfo { hasNextPage: Boolean! endCursor: String }
interface Actor { login: String! }
type Bot implements Actor { login: String! }
type Count { totalCount: Int! }
type Named { name: String! }
type NamedNodes { nodes: [Named] }
type LoginNodes { nodes: [User] }
type Milestone { title: String! }
type License { spdxId: String }
type Topic { name: String! }
type RepositoryTopic { topic: Topic! }
type TopicNodes { nodes: [RepositoryTopic] }
type Asset { name: String! size: Int! downloadCount: Int! }
type AssetNodes { nodes: [Asset] }
type Issue {
  number: Int! title: String! state: IssueState! stateReason: String body: String! author: Actor
  labels(first: Int): NamedNodes assignees(first: Int): LoginNodes! milestone: Milestone comments: Count!
  url: URI! createdAt: DateTime! updatedAt: DateTime! closedAt: DateTime
}
type IssueConnection { totalCount: Int! pageInfo: PageInfo! nodes: [Issue] }
type PullRequest {
  number: Int! title: String! state: PullRequestState! isDraft: Boolean! body: String! author: Actor
  labels(first: Int): NamedNodes headRefName: String! baseRefName: String! additions: Int! deletions: Int!
  changedFiles: Int! reviewDecision: String url: URI! createdAt: DateTime! updatedAt: DateTime! mergedAt: DateTime
}
type PullRequestConnection { totalCount: Int! pageInfo: PageInfo! nodes: [PullRequest] }
type Release {
  tagName: String! name: String description: String isDraft: Boolean! isPrerelease: Boolean! author: User
  releaseAssets(first: Int): AssetNodes! url: URI! createdAt: DateTime! publishedAt: DateTime
}
type ReleaseConnection { totalCount: Int! pageInfo: PageInfo! nodes: [Release] }
type Repository {
  name: String! nameWithOwner: String! description: String isPrivate: Boolean! isFork: Boolean! isArchived: Boolean!
  primaryLanguage: Named licenseInfo: License repositoryTopics(first: Int): TopicNodes! stargazerCount: Int!
  forkCount: Int! defaultBranchRef: Named url: URI! createdAt: DateTime! updatedAt: DateTime! pushedAt: DateTime
  issue(number: Int!): Issue
  issues(first: Int after: String states: [IssueState!] labels: [String!] filterBy: IssueFilters
    orderBy: IssueOrder): IssueConnection!
  pullRequest(number: Int!): PullRequest
  pullRequests(first: Int after: String states: [PullRequestState!] labels: [String!] headRefName: String
    baseRefName: String orderBy: IssueOrder): PullRequestConnection!
  release(tagName: String!): Release
  releases(first: Int after: String orderBy: ReleaseOrder): ReleaseConnection!
}
type RepositoryConnection { totalCount: Int! pageInfo: PageInfo! nodes: [Repository] }
interface RepositoryOwner {
  repositories(first: Int after: String isFork: Boolean privacy: RepositoryPrivacy
    ownerAffiliations: [RepositoryAffiliation] orderBy: RepositoryOrder): RepositoryConnection!
}
type User implements Actor & RepositoryOwner {
  login: String! name: String company: String location: String bio: String followers: Count! url: URI!
  createdAt: DateTime!
  repositories(first: Int after: String isFork: Boolean privacy: RepositoryPrivacy
    ownerAffiliations: [RepositoryAffiliation] orderBy: RepositoryOrder): RepositoryConnection!
}
type Query {
  repository(owner: String! name: String!): Repository
  repositoryOwner(login: String!): RepositoryOwner
  user(login: String!): User
}
"""
GITHUB_GRAPHQL = None


def _node(issue):
    return {
        "number": issue["number"],
        "title": issue["title"],
        "state": issue["state"].upper(),
        "body": issue["body"],
        "author": {"__typename": "User", "login": "octocat"},
        "labels": {"nodes": [{"name": label["name"]} for label in issue["labels"]]},
        "assignees": {"nodes": [{"login": one["login"]} for one in issue["assignees"]]},
        "comments": {"totalCount": issue["comments"]},
        "url": issue["html_url"],
        "createdAt": issue["created_at"],
        "updatedAt": issue["updated_at"],
        "closedAt": issue["closed_at"],
    }


def _pull(number):
    return {
        **_node(ISSUES[number]),
        "number": number,
        "state": "MERGED",
        "isDraft": False,
        "headRefName": "topic",
        "baseRefName": "main",
        "additions": 3,
        "deletions": 1,
        "changedFiles": 1,
        "mergedAt": "2026-03-01T00:00:00Z",
    }


def _release(tag):
    return {
        "tagName": tag,
        "name": tag,
        "isDraft": False,
        "isPrerelease": False,
        "author": {"login": "octocat"},
        "releaseAssets": {"nodes": [{"name": "larder.tar.gz", "size": 3, "downloadCount": 4}]},
        "url": "https://x",
        "createdAt": "2026-03-01T00:00:00Z",
    }


def _repository(repo, issues):
    def listed(_info, first=None, after=None, states=None, labels=(), filterBy=None, orderBy=None):
        found = [
            issue
            for issue in issues
            if not states or issue["state"] in states
            if set(labels or ()) <= {label["name"] for label in issue["labels"]["nodes"]}
            if (filterBy or {}).get("createdBy", "octocat") == "octocat"
            if issue["updatedAt"] >= (filterBy or {}).get("since", "")
        ]
        if orderBy == {"field": "UPDATED_AT", "direction": "ASC"}:
            found.sort(key=lambda issue: issue["updatedAt"])
        return connection(found, after, totalCount=len(found))

    def one(_info, number):
        found = next((issue for issue in issues if issue["number"] == number), None)
        if found is None:
            raise Failure(f"Could not resolve to an Issue with the number of {number}.", type="NOT_FOUND")
        return found

    def pulls(_info, after=None, **_):
        found = [_pull(number) for number in (3, 2, 1)]
        return connection(found, after, totalCount=3)

    def releases(_info, after=None, **_):
        return connection([_release(tag) for tag in ("v3", "v2", "v1")], after, totalCount=3)

    return {
        "name": repo["full_name"].split("/")[1],
        "nameWithOwner": repo["full_name"],
        "description": repo["description"],
        "isPrivate": False,
        "isFork": False,
        "isArchived": False,
        "primaryLanguage": {"name": "Swift"},
        "licenseInfo": repo["license"] and {"spdxId": "MIT"},
        "repositoryTopics": {"nodes": [{"topic": {"name": name}} for name in repo["topics"]]},
        "stargazerCount": repo["stargazers_count"],
        "forkCount": repo["forks_count"],
        "defaultBranchRef": {"name": "main"},
        "url": repo["html_url"],
        "createdAt": repo["created_at"],
        "updatedAt": repo["updated_at"],
        "issue": one,
        "issues": listed,
        "pullRequest": lambda _info, number: _pull(number),
        "pullRequests": pulls,
        "release": lambda _info, tagName: _release(tagName),
        "releases": releases,
    }


@stand_in(
    "github-graphql",
    gets=[
        Get(
            "issue",
            {"owner": "octo", "repo": "hello", "id": 3},
            {"number": 3, "state": "OPEN", "labels": ["bug"], "assignees": ["hubot"], "comments": 3, "milestone": None},
        ),
        Get(
            "repo",
            {"owner": "octo", "id": "hello"},
            {"fullName": "octo/hello", "openIssues": 5, "topics": ["cache", "json"]},
        ),
        Get("user", {"id": "octocat"}, {"login": "octocat", "followers": 5, "bio": None}),
        Get("pull", {"owner": "octo", "repo": "hello", "id": 2}, {"number": 2, "state": "MERGED", "base": "main"}),
        Get(
            "release",
            {"owner": "octo", "repo": "hello", "id": "v2"},
            {"tag": "v2", "assets": [{"name": "larder.tar.gz", "size": 3, "downloads": 4}]},
        ),
    ],
    walks=[
        Walk(
            "issue",
            {"owner": "octo", "repo": "hello", "filter": {"states": "OPEN", "labels": ["bug"], "creator": "octocat"}},
            "number",
            [7, 6, 5, 3, 1],
        ),
        Walk("repo", {"owner": "octo", "filter": {"privacy": "PUBLIC"}}, "name", ["hello", "world", "again"]),
        Walk("pull", {"owner": "octo", "repo": "hello", "filter": {"states": ["MERGED"]}}, "number", [3, 2, 1]),
        Walk("release", {"owner": "octo", "repo": "hello"}, "tag", ["v3", "v2", "v1"]),
    ],
    errors=[
        Error(
            "issue/get",
            {"owner": "octo", "repo": "hello", "id": 99},
            "notFound",
            "Could not resolve to an Issue with the number of 99.",
        ),
        Error("user/get", {"id": "busy"}, "rateLimited", "API rate limit already exceeded."),
        Error("user/get", {"id": "hidden"}, "unauthorized", "Resource not accessible by personal access token"),
    ],
    syncs=[
        Sync(
            "issue",
            {"owner": "octo", "repo": "hello", "filter": {"creator": "octocat"}},
            [1, 2, 3, 5, 6, 7],
            changed=7,
            edit={"title": "New", "state": "CLOSED", "updatedAt": "2026-02-09T10:00:00Z"},
            item={"title": "New", "state": "CLOSED"},
            marks=('"since":"2026-02-07T09:59:00Z"', '"since":"2026-02-09T09:59:00Z"'),
            time="updatedAt",
        )
    ],
)
def github_graphql(request):
    global GITHUB_GRAPHQL
    assert request.path == "/graphql"
    request.bearer("GITHUB_TOKEN", BAD)
    GITHUB_GRAPHQL = GITHUB_GRAPHQL or Schema(GITHUB_SCHEMA)
    nodes = [_node(issue) for issue in ISSUES if "pull_request" not in issue]
    issues = request.current(nodes, lambda issue: issue["number"])
    repos = [_repository(repo, issues) for repo in REPOS]

    def owner(_info, login):
        return {
            "__typename": "User",
            "repositories": lambda _info, after=None, **_: connection(repos, after, totalCount=len(repos)),
        }

    def user(_info, login):
        if login == "busy":
            raise Failure("API rate limit already exceeded.", type="RATE_LIMITED")
        if login == "hidden":
            raise Failure("Resource not accessible by personal access token", type="FORBIDDEN")
        return {
            "login": login,
            "followers": {"totalCount": 5},
            "url": "https://x",
            "createdAt": "2020-01-01T00:00:00Z",
            "repositories": lambda _info, **_: {"totalCount": 8, "nodes": [], "pageInfo": {"hasNextPage": False}},
        }

    return GITHUB_GRAPHQL.answer(
        request,
        {
            "repository": lambda _info, owner, name: next((repo for repo in repos if repo["name"] == name), None),
            "repositoryOwner": owner,
            "user": user,
        },
    )
