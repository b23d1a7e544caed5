import System
import TestSupport
import Testing

@testable import DataSources
@testable import Model

/// Tests searches for items by the prefix of their ids, in the file and in memory.
@Suite(.limited) struct IDSearchTests {
    private typealias Entries = LocalEntries

    private static let items = ["1", "2", "10", "100", "21", "a", "ab", "A", "ä1", "%", "_x", "*"]
        .map { Entries.item($0, json: #"{"id":"\#($0)","name":"rick"}"#) }

    private static func keys(
        _ subject: SearchSubject, _ prefix: String?, text: String? = nil, since: Int64? = nil, limit: Int = 20,
        offset: Int = 0
    ) throws -> SearchHits {
        let query = SearchQuery(
            resource: Entries.character, text: text, idPrefix: prefix,
            fetchedAfter: since.map { Timestamp(milliseconds: $0) }, limit: limit, offset: offset)
        return try subject.hits(query, among: items)
    }

    @Test(
        arguments: [
            ("1", ["1", "10", "100"]), ("10", ["10", "100"]), ("2", ["2", "21"]), ("3", []), ("a", ["a", "ab"]),
            ("A", ["A"]), ("ä", ["ä1"]), ("%", ["%"]), ("_", ["_x"]), ("*", ["*"]), ("'", []), ("ab ", []),
        ] as [(String, [String])])
    func idsAreFoundByPrefix(prefix: String, ids: [String]) throws {
        for subject in SearchSubject.allCases {
            let hits = try Self.keys(subject, prefix)
            #expect(hits.keys.map(\.id) == ids && hits.count == ids.count, "\(subject)")
            #expect(hits.items.count == ids.count && hits.keys.allSatisfy { $0.resource == Entries.character })
        }
    }

    @Test(arguments: [nil, ""]) func emptyIDPrefixFindsAllItems(prefix: String?) throws {
        for subject in SearchSubject.allCases {
            #expect(try Self.keys(subject, prefix).keys.count == Self.items.count)
        }
    }

    @Test func idPrefixCombinesWithOtherSearchConditions() throws {
        for subject in SearchSubject.allCases {
            #expect(try Self.keys(subject, "1", limit: 1, offset: 1).keys.map(\.id) == ["10"])
            #expect(try Self.keys(subject, "1", text: "rick").keys.map(\.id) == ["1", "10", "100"])
            #expect(try Self.keys(subject, "1", text: "morty").keys == [])
            // All items were fetched at the time 1000.
            #expect(try Self.keys(subject, "1").oldest == Timestamp(milliseconds: 1000))
            #expect(try Self.keys(subject, "1", since: 999).count == 3)
            #expect(try Self.keys(subject, "1", since: 1000).count == 0)
        }
    }
}
