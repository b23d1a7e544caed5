import JSON
import System
import TestSupport
import Testing

@testable import RPCServer
@testable import larder

@Suite(.limited) struct OriginTextTests {
    private let now = Timestamp(milliseconds: 1_800_000_000_000)

    private func result(_ source: JSONValue, hours: Int64 = 0, _ more: [(String, JSONValue)] = []) -> JSONValue {
        let moment = Timestamp(milliseconds: now.milliseconds - hours * 3_600_000).rfc3339
        let members: [(String, JSONValue)] = [("source", source), ("fetchedAt", .string(moment)), ("stale", false)]
        return .object(JSONObject(members + more))
    }

    private func text(_ results: [JSONValue], isOffline: Bool = false) -> String {
        var origin = OriginText()
        for result in results { origin.add(result) }
        return origin.text(now: now, isOffline: isOffline)
    }

    @Test func originLineDescribesASingleResult() {
        #expect(text([result("remote")]) == "from the API")
        #expect(text([result("memory", hours: 3)]) == "from the cache (memory), 3 h old")
        #expect(text([result("persistence", hours: 3, [("stale", true)])]) == "from the cache (disk), 3 h old, stale")
        let synced = [("syncedAt", result("", hours: 1)["fetchedAt"] ?? .null)]
        #expect(text([result("memory", hours: 3, synced)]) == "from the cache (memory), 3 h old, synced 60 min ago")
        #expect(text([result("shared", hours: 1)]) == "from the shared level, 60 min old")
        #expect(text([result("persistence", hours: 72)], isOffline: true) == "from the cache (disk), 3 d old, offline")
    }

    @Test func originLineStatesTheTimeOfTheLastSyncOfTheCopy() {
        func text(_ result: JSONValue, copySyncedAt hours: Int64) -> String {
            var origin = OriginText()
            origin.add(result)
            origin.add(copySyncedAt: self.result("", hours: hours)["fetchedAt"])
            return origin.text(now: now, isOffline: false)
        }
        let item = result("memory", hours: 5)
        #expect(text(item, copySyncedAt: 3) == "from the cache (memory), 5 h old, synced 3 h ago")
        let confirmed = result("memory", hours: 5, [("syncedAt", result("", hours: 4)["fetchedAt"] ?? .null)])
        #expect(text(confirmed, copySyncedAt: 3) == "from the cache (memory), 5 h old, synced 4 h ago")
    }

    @Test func originLineDescribesSeveralPages() {
        let pages = [result("remote"), result("persistence", hours: 5), result("remote")]
        #expect(text(pages) == "2 pages from the API, 1 page from the cache (disk), the oldest 5 h old")
        #expect(text([result("remote"), result("remote", hours: 5)]) == "2 pages from the API")
        let cached = [result("persistence"), result("persistence")]
        #expect(text(cached) == "2 pages from the cache (disk), just now")
    }

    @Test(arguments: [
        ("network", "did not answer"), ("timeout", "did not answer"), ("serverError", "failed"),
    ])
    func fallbackIsReportedWithItsReason(kind: String, words: String) {
        let fallback: JSONValue = ["message": "no \u{1B} way", "data": ["kind": .string(kind)]]
        let answer = result("persistence", hours: 3, [("stale", true), ("fallback", fallback)])
        #expect(text([answer]) == #"from the cache (disk), 3 h old, the API \#(words): no \u001b way"#)
        var origin = OriginText()
        origin.add(answer)
        #expect(origin.warning(now: now) == #"from the cache, 3 h old, the API \#(words): no \u001b way"#)
    }

    @Test func missingCassetteIsNotReportedAsAFailureOfTheAPI() {
        let fallback: JSONValue = ["message": "no cassette for GET x", "data": ["kind": "notReplayed"]]
        let answer = result("persistence", hours: 3, [("fallback", fallback)])
        #expect(text([answer]) == "from the cache (disk), 3 h old, no cassette for GET x")
    }

    @Test func skippedAndMissingItemsAreCounted() {
        let answer = result("remote", hours: 0, [("skipped", [["index": 0]]), ("missing", [1, 2])])
        #expect(
            text([answer]) == "from the API, 1 malformed item skipped, 2 items could not be fetched")
        var origin = OriginText()
        origin.add(result("remote"))
        #expect(origin.warning(now: now) == nil)
    }

    @Test(
        arguments: [
            (-5_000_000, "just now"), (0, "just now"), (4_999, "just now"), (5_000, "5 s old"), (119_999, "119 s old"),
            (120_000, "2 min old"), (7_199_999, "119 min old"), (7_200_000, "2 h old"), (172_799_999, "47 h old"),
            (172_800_000, "2 d old"), (.max, "106751991167 d old"),
        ] as [(Int64, String)])
    func ageOfDataIsShownInTheLargestSuitableUnit(milliseconds: Int64, text: String) {
        #expect(OriginText.age(milliseconds) == text)
    }
}
