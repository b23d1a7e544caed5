import JSON
import TestSupport
import Testing

@testable import DataSources
@testable import Model
@testable import RPCServer
@testable import larder

@Suite(.limited) struct LiveFindingTests {
    private static func exchange(_ limits: [Exchange.Limit] = []) -> Exchange {
        Exchange(
            method: "GET", url: "http://h/things", status: 200, milliseconds: 12, attempts: 1, limits: limits, signs: []
        )
    }

    @Test func liveCheckReplacesSecretsInAllTexts() throws {
        let secret = "s3cr3t-value-1"
        var error = APIError(.notFound, "no \(secret)")
        (error.path, error.apiMessage, error.url) = ("a.\(secret)", "\(secret)?", "http://h/\(secret)")
        var finding = LiveFinding(resource: "thing", operation: "get", detail: "id=\(secret)")
        (finding.error, finding.notTried, finding.notes) = (error, "not \(secret)", ["note \(secret)"])
        let shown = finding.redacted(by: Redactor(secrets: [secret]))
        let texts = [
            shown.detail, shown.notTried, shown.notes.first, shown.error?.message, shown.error?.path,
            shown.error?.apiMessage, shown.error?.url,
        ]
        for text in texts { #expect(try !(#require(text)).contains(secret), "\(text ?? "")") }
        #expect(shown.hasFailed && shown.resource == "thing")
    }

    @Test func outputOfALiveCheckStatesTheResult() {
        var finding = LiveFinding(resource: "thing", operation: "list")
        #expect(finding.lines == ["thing/list: "])
        finding.detail = "page 2"
        finding.exchange = Self.exchange()
        (finding.exchanges, finding.items) = (1, 1)
        #expect(finding.lines == ["thing/list page 2: 200, 12 ms, 1 item, GET http://h/things"])
        (finding.exchanges, finding.items, finding.notes) = (2, 0, ["a\u{1B}b"])
        finding.exchange = Self.exchange([.init(name: "x-limit", value: "5"), .init(name: "x-rest", value: "4")])
        #expect(
            finding.lines == [
                "thing/list page 2: 200, 12 ms, 2 requests, 0 items, GET http://h/things", "  note: a\\u001bb",
                "  limits: x-limit: 5, x-rest: 4",
            ])
    }

    @Test func outputOfALiveCheckStatesTheResultOfBothSyncs() {
        var finding = LiveFinding(resource: "thing", operation: "sync")
        finding.exchange = Self.exchange()
        (finding.exchanges, finding.items) = (2, 20)
        finding.changed = LiveFinding.Changed(items: 0, requests: 1)
        #expect(
            finding.lines == [
                "thing/sync: 200, 12 ms, 2 requests, 20 items, then 0 changed (1 request), GET http://h/things"
            ])
    }

    @Test func outputOfALiveCheckStatesWhyThereIsNoResult() {
        var finding = LiveFinding(resource: "thing", operation: "get")
        finding.notTried = "no id is known"
        #expect(finding.lines == ["thing/get: not tried: no id is known"] && !finding.hasFailed)
        finding.notTried = nil
        finding.error = APIError(.notFound, "gone")
        #expect(finding.lines == ["thing/get: notFound: gone"] && finding.hasFailed)
    }

    @Test func unknownValuesOfALiveCheckAreNullInJSON() {
        var finding = LiveFinding(resource: "thing", operation: "get")
        #expect(
            finding.json.text == """
                {"resource":"thing","operation":"get","detail":null,"tried":true,"reason":null,"method":null,\
                "url":null,"status":null,"milliseconds":null,"requests":0,"items":null,"changed":null,"error":null,\
                "notes":[],"limits":{}}
                """)
        (finding.notTried, finding.exchanges, finding.items, finding.notes) = ("why", 3, 2, ["n"])
        finding.changed = LiveFinding.Changed(items: 1, requests: 2)
        finding.error = APIError(.notFound, "gone")
        finding.exchange = Self.exchange([.init(name: "x", value: "5")])
        #expect(
            finding.json.text == """
                {"resource":"thing","operation":"get","detail":null,"tried":false,"reason":"why","method":"GET",\
                "url":"http://h/things","status":200,"milliseconds":12,"requests":3,"items":2,"changed":1,\
                "error":{"kind":"notFound","message":"gone","path":null},"notes":["n"],"limits":{"x":"5"}}
                """)
    }
}
