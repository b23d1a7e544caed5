import JSON
import TestSupport
import Testing

@testable import larder

/// Tests the text that people get about syncs.
@Suite(.limited) struct SyncTextTests {
    @Test(
        arguments: [
            (["mode": "none", "items": 5], "5 items; the copy is recent, so nothing was requested"),
            (
                ["items": 1, "added": 1, "removed": 2, "requests": 1, "complete": true],
                "1 item: 1 added, 0 changed, 2 removed (1 request); the copy is complete"
            ),
            (
                ["items": 2, "changed": 3, "requests": 2, "complete": false, "held": 0],
                "2 items: 0 added, 3 changed, 0 removed (2 requests); the copy is incomplete"
            ),
            (["items": 2], "2 items: 0 added, 0 changed, 0 removed (0 requests); the copy may be incomplete"),
            (
                ["items": 9, "held": 1, "complete": true],
                "9 items: 0 added, 0 changed, 0 removed (0 requests); the list has lost 1 item, kept as stale;"
                    + " --accept-removals removes them"
            ),
        ] as [(JSONValue, String)])
    func summaryStatesChangesAndCompleteness(result: JSONValue, text: String) {
        #expect(SyncText.summary(result) == text)
    }

    @Test func omittedChangesAreCounted() {
        let changes: JSONValue = [["change": "added", "id": "a"], ["change": "removed", "id": 7]]
        #expect(SyncText.changes(["changes": changes]) == ["added a", "removed 7"])
        #expect(SyncText.changes(["changes": changes, "changesOmitted": 0]) == ["added a", "removed 7"])
        #expect(SyncText.changes(["changes": changes, "changesOmitted": 1]).last == "and 1 more change")
        #expect(SyncText.changes([:]) == [])
    }

    @Test func nameOfALocalCopyHasTheFormOfCommandArguments() {
        let sync: JSONValue = ["resource": "issue", "scope": ["owner": "a"], "filter": ["state": "b", "n": 2]]
        #expect(SyncText.name(of: sync) == "issue owner=a state=b n=2")
        #expect(SyncText.name(of: ["resource": "issue"]) == "issue")
    }

    @Test func onlyGivenSyncOptionsAreSent() {
        func params(_ change: (inout SyncOptions) -> Void) -> String {
            var (options, params) = (SyncOptions(), JSONObject())
            change(&options)
            options.add(to: &params)
            return JSONValue.object(params).text
        }
        #expect(params { _ in } == "{}")
        #expect(params { $0.isWhole = true } == #"{"whole":true}"#)
        #expect(params { $0.namesChanges = true } == #"{"changes":true}"#)
        #expect(params { $0.acceptsRemovals = true } == #"{"acceptRemovals":true}"#)
        #expect(params { ($0.maxRequests, $0.maxAge) = (7, 1500) } == #"{"maxRequests":7,"maxAge":1.5}"#)
    }
}
