import JSON
import Model
import Protocol
import System
import TestSupport
import Testing

@Suite("Results on the wire", .limited)
struct MethodResultTests {
    private static let time = "2024-05-06T07:08:09.010Z"
    private static let network = RPCError(.network, "reset", data: JSONObject([("kind", "network")]))
    private static let fallback = #""fallback":{"code":-31008,"message":"reset","data":{"kind":"network"}}"#

    private static func provenance(
        _ source: Source, isStale: Bool = false, fallback: RPCError? = nil
    ) -> Provenance {
        Provenance(
            source: source, fetchedAt: Timestamp(milliseconds: 1_714_979_289_010), isStale: isStale, fallback: fallback)
    }

    private static func bytes(_ texts: String...) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    static let results: [(result: any RPCResult, text: String)] = [
        (ValueResult(.null), "null"),
        (
            GetResult(item: Array(#"{"id":1,"name":"Rick"}"#.utf8), provenance: provenance(.memory)),
            #"{"item":{"id":1,"name":"Rick"},"source":"memory","fetchedAt":"\#(time)","stale":false}"#
        ),
        (
            GetResult(item: Array("{}".utf8), provenance: provenance(.persistence, isStale: true)),
            #"{"item":{},"source":"persistence","fetchedAt":"\#(time)","stale":true}"#
        ),
        (
            GetResult(item: Array("{}".utf8), provenance: provenance(.remote, isStale: true, fallback: network)),
            #"{"item":{},"source":"remote","fetchedAt":"\#(time)","stale":true,\#(fallback)}"#
        ),
        (
            GetResult(
                item: Array("{}".utf8),
                provenance: Provenance(
                    source: .memory, fetchedAt: Timestamp(milliseconds: 0), isStale: false,
                    syncedAt: Timestamp(milliseconds: 1_714_979_289_010), fallback: nil)),
            #"{"item":{},"source":"memory","fetchedAt":"1970-01-01T00:00:00.000Z","stale":false,"syncedAt":"\#(time)"}"#
        ),
        (
            SearchResult(items: [], count: 2, syncedAt: Timestamp(milliseconds: 1_714_979_289_010)),
            #"{"items":[],"count":2,"syncedAt":"\#(time)"}"#
        ),
        (
            ListResult(
                items: JSONTexts(bytes(#"{"id":1}"#, #"{"id":2}"#)),
                page: Array(#"{"current":1,"pages":42,"count":826,"next":2,"previous":null}"#.utf8),
                provenance: provenance(.remote)),
            #"{"items":[{"id":1},{"id":2}],"page":{"current":1,"pages":42,"count":826,"next":2,"previous":null},"#
                + #""source":"remote","fetchedAt":"\#(time)","stale":false}"#
        ),
        (
            ListResult(
                items: [], page: Array("{}".utf8),
                provenance: provenance(.memory, isStale: true, fallback: network)),
            #"{"items":[],"page":{},"source":"memory","fetchedAt":"\#(time)","stale":true,\#(fallback)}"#
        ),
        (
            GetManyResult(
                items: bytes(#"{"id":3}"#, #"{"id":1}"#), missing: bytes("9", #""x""#),
                sources: [.memory: 1, .remote: 1], fallback: nil),
            #"{"items":[{"id":3},{"id":1}],"missing":[9,"x"],"sources":{"memory":1,"persistence":0,"remote":1}}"#
        ),
        (
            GetManyResult(items: [], missing: [], sources: [.shared: 0, .memory: 2], fallback: nil),
            #"{"items":[],"missing":[],"sources":{"memory":2,"persistence":0,"shared":0,"remote":0}}"#
        ),
        (
            GetManyResult(
                items: [], missing: [], sources: [:], fallback: network),
            #"{"items":[],"missing":[],"sources":{"memory":0,"persistence":0,"remote":0},"stale":true,\#(fallback)}"#
        ),
        (RecentsResult(recents: []), #"{"recents":[]}"#),
        (RecentsResult(recents: ["rick", "a \"b\"\n"]), #"{"recents":["rick","a \"b\"\n"]}"#),
        (SyncResult(JSONObject([("mode", "none"), ("complete", .null)])), #"{"mode":"none","complete":null}"#),
        (SyncsResult([], others: []), #"{"syncs":[],"others":[]}"#),
        (
            SyncsResult([JSONObject([("resource", "book"), ("items", 3)])], others: [JSONObject([("items", 2)])]),
            #"{"syncs":[{"resource":"book","items":3}],"others":[{"items":2}]}"#
        ),
        (
            QueryResult(columns: ["a", "b"], rows: Array(#"[[1,"x"]]"#.utf8), count: 1, isTruncated: true, tables: []),
            #"{"columns":["a","b"],"rows":[[1,"x"]],"truncated":true,"tables":[]}"#
        ),
        (CountResult("removed", 3), #"{"removed":3}"#),
        (CountResult("invalidated", 0), #"{"invalidated":0}"#),
        (ValueResult(["version": "1", "inFlight": 0]), #"{"version":"1","inFlight":0}"#),
    ]

    @Test(arguments: results.indices)
    func resultOfAMethodIsWrittenAsJSON(_ index: Int) throws {
        let (result, text) = Self.results[index]
        #expect(written { result.write(to: &$0) } == text)
        #expect(try JSONValue(parsing: text).text == text)
    }
}
