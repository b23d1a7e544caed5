import JSON
import System
import TestSupport
import Testing

@testable import DataSources
@testable import Model

@Suite(.limited) struct SearchRankTests {
    @Test(
        arguments: [
            (#"{"name": "Book 12"}"#, 0), (#"{"title": "BOOK - 12!"}"#, 0), (#"{"name": "The book, volume 12"}"#, 1),
            (#"{"name": "Book 123"}"#, 2), (#"{"fullName": "Bookshelf 12"}"#, 2),
            (#"{"name": "x", "at": "book 2026-01-12"}"#, 3),
            (#"{"name": "Book", "at": "12"}"#, 3), (#"{"name": "Book 39", "at": "2026-01-123"}"#, 4),
            (#"{"name": "x", "a": {"name": "Book 12"}}"#, 3), (#"{"label": "Book 12"}"#, 0), (#"{"id": "book 12"}"#, 0),
            (#"{"names": "Book 12"}"#, 3), (#"{"name": ["Book 12"]}"#, 3), ("7", 4), ("{", 4),
        ])
    func searchRankDependsOnNamesAndWholeWords(json: String, tier: Int) {
        #expect(SearchRank(of: Array(json.utf8), for: ["book", "12"]).tier == tier)
    }

    @Test(
        arguments: [
            ("Rick  Sanchez", ["rick", "sanchez"]), ("a-b_c.d", ["a", "b", "c", "d"]), ("Élan 7½", ["élan", "7½"]),
            ("?!", []),
            ("日本 語", ["日本", "語"]), ("e\u{301}a", ["e\u{301}a"]),
        ])
    func searchTextIsSplitIntoWords(text: String, words: [String]) {
        #expect(SearchRank.words(of: text) == words)
    }

    @Test(arguments: SearchSubject.allCases)
    func matchInANameRanksBeforeMatchesInOtherFields(subject: SearchSubject) throws {
        let texts = [
            (1, #""name":"Book 39","at":"2026-01-12""#), (2, #""name":"Book 123","at":"x""#),
            (3, #""name":"A book: 12","at":"x""#),
            (4, #""name":"Book 12","at":"x""#), (5, #""name":"Book 67","at":"12 and 12 and 12 book""#),
        ]
        let items = texts.map { LocalEntries.item("\($0)", json: #"{"id":\#($0),\#($1)}"#) }
        let ids = try subject.ids(SearchQuery(resource: LocalEntries.character, text: "book 12"), among: items)
        #expect(ids.prefix(3) == ["4", "3", "2"] && Set(ids.suffix(2)) == ["1", "5"])
    }

    @Test func onlyTheFirstMatchesAreRanked() throws {
        let count = SearchRank.maxRanked + 20
        // SQLite's rank prefers short texts, so that the exact names come last.
        var items = (1..<count).map {
            LocalEntries.item("\($0)", json: #"{"id":\#($0),"name":"rickety"}"#)
        }
        items.append(
            LocalEntries.item(
                "\(count)", json: #"{"id":\#(count),"name":"rick","b":"\#(String(repeating: "x ", count: 50))"}"#))
        let query = SearchQuery(resource: LocalEntries.character, text: "rick", limit: 1000)
        let ids = try SearchSubject.file.ids(query, among: items)
        #expect(ids.count == count && ids.last == "\(count)" && Set(ids).count == count)
        let few = try SearchSubject.file.ids(query, among: Array(items.suffix(SearchRank.maxRanked)))
        #expect(few.first == "\(count)")
    }
}
