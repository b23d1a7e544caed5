import TestSupport
import Testing

@testable import DataSources
@testable import Model

/// Tests the maintenance of the file's full-text index.
@Suite(.limited) struct SearchIndexerTests {
    typealias Entries = LocalEntries

    private let folder: TemporaryDirectory
    private let file: SearchedFile
    private let rick = SearchQuery(resource: Entries.character, text: "rick")

    init() throws {
        folder = try TemporaryDirectory()
        file = try SearchedFile(folder)
    }

    private func item(_ id: String, _ text: String) -> ItemEntity {
        Entries.item(id, json: #"{"id":\#(id),"a":"\#(text)"}"#)
    }

    private func count(_ what: String) throws -> Int {
        Int(try file.connection.integer("SELECT count(*) FROM \(what)"))
    }

    @Test func indexIsCreatedAtTheFirstTextSearch() throws {
        let before = try count("sqlite_schema")
        try file.save([item("1", "rick")])
        #expect(try file.hits(SearchQuery(resource: Entries.character)).count == 1)
        #expect(try count("sqlite_schema") == before)
        #expect(try file.hits(rick).count == 1)
        #expect(try count("sqlite_schema") > before)
    }

    @Test func savedItemIsFoundByItsNewTextOnly() throws {
        try file.save([item("1", "rick"), item("2", "rick")])
        #expect(try file.ids(rick) == ["1", "2"])
        try file.save([item("1", "morty")])
        #expect(try file.ids(rick) == ["2"])
        #expect(try file.ids(SearchQuery(resource: Entries.character, text: "morty")) == ["1"])
        #expect(try count("search") == 2)
    }

    @Test func unchangedItemIsNotIndexedAgain() throws {
        try file.save([item("1", "rick"), item("2", "rick")])
        #expect(try file.hits(rick).count == 2)
        try file.save([item("1", "rick"), item("2", "morty")])
        #expect(try count("items WHERE indexed = 0") == 1)
    }

    @Test func removedItemsLeaveTheIndex() throws {
        try file.save((1...6).map { item(String($0), "rick") })
        #expect(try file.hits(rick).count == 6)
        // An item was saved again and is not indexed yet. Its old text must be removed too.
        try file.save([item("1", "morty")])
        try file.store.apply(
            [.removeItem(Entries.key("1")), .removeItem(Entries.key("2"))], now: .init(milliseconds: 0))
        #expect(try count("search") == 4)
        #expect(try file.store.selections.remove(CacheSelection(resource: "character", ids: ["3", "9"])) == 1)
        // Rows that a trigger deletes are not counted.
        #expect(try file.store.selections.remove(CacheSelection()) == 3)
        #expect(try count("search") == 0)
        try file.save([item("7", "morty")])
        #expect(try file.ids(rick) == [])
    }

    @Test func onlySearchedResourcesAreIndexed() throws {
        try file.save([
            item("1", "rick"), Entries.item("2", isPartial: true), Entries.item("3", of: Entries.otherCharacter),
            Entries.item("4", of: Entries.location),
        ])
        _ = try file.hits(rick)
        #expect(try count("search") == 1)
        #expect(try count("items WHERE indexed = 0") == 3)
        #expect(try file.hits(SearchQuery(resource: Entries.location, text: "x")).count == 0)
        #expect(try count("search") == 2)
    }

    @Test func manyItemsAreIndexedInSeveralTransactions() throws {
        let many = SearchIndexer.batch.items * 2 + 1
        try file.save((1...many).map { item(String($0), "rick") })
        var indexer = SearchIndexer(file.store)
        try indexer.prepare()
        try indexer.prepare()
        var rounds: [Int] = []
        repeat {
            rounds.append(try count("items WHERE indexed = 1"))
        } while try indexer.indexSome(of: Entries.character)
        #expect(rounds == [0, SearchIndexer.batch.items, SearchIndexer.batch.items * 2])
        #expect(try count("search") == many)
        #expect(try ItemSearch(file.store).hits(rick).count == many)
    }

    /// Two processes can update the search index of one file at the same time.
    @Test func twoConnectionsIndexOneFile() throws {
        let other = try SearchedFile(folder)
        try file.save((1...SearchIndexer.batch.items + 10).map { item(String($0), "rick") })
        var (first, second) = (SearchIndexer(file.store), SearchIndexer(other.store))
        try first.prepare()
        try second.prepare()
        #expect(try first.indexSome(of: Entries.character))
        #expect(try !second.indexSome(of: Entries.character))
        #expect(try !first.indexSome(of: Entries.character))
        #expect(try other.hits(rick).count == SearchIndexer.batch.items + 10)
        #expect(try count("search") == SearchIndexer.batch.items + 10)
    }

    @Test func missingFTS5IsReported() {
        let lacking = LocalDataError.search(SQLiteError(code: 1, message: "no such module: fts5"), in: "/c")
        let advice = "install an SQLite with FTS5"
        #expect(lacking.message == "cannot search for words: this SQLite is built without FTS5; \(advice)")
        let other = LocalDataError.search(SQLiteError(code: 10, message: "disk I/O error"), in: "/c/cache.sqlite")
        #expect(other.message == "cannot search: /c/cache.sqlite: disk I/O error (SQLite 10)")
    }
}
