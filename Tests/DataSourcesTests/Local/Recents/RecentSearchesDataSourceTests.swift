import Mocks
import TestSupport
import Testing

@testable import DataSources

@Suite(.limited) struct RecentSearchesDataSourceTests {
    let folder: TemporaryDirectory
    let faults = FaultRecorder()
    let clock = ClockMock()

    init() throws { folder = try TemporaryDirectory() }

    private func make(_ name: String = "recents.sqlite") -> RecentSearchesDataSource {
        RecentSearchesDataSource(path: folder.file(name), clock: clock, onFault: faults.record)
    }

    @Test func newestRecentSearchIsFirst() async throws {
        let recents = make()
        #expect(try await recents.list(scope: "default") == [])
        #expect(try await recents.add("rick", scope: "default") == ["rick"])
        #expect(try await recents.add("morty", scope: "default") == ["morty", "rick"])
        #expect(try await recents.list(scope: "default") == ["morty", "rick"])
    }

    @Test func atMostFiveSearchesAreKept() async throws {
        let recents = make()
        for number in 1...7 { _ = try await recents.add("\(number)", scope: "a") }
        #expect(try await recents.list(scope: "a") == ["7", "6", "5", "4", "3"])
        #expect(try await recents.add("5", scope: "a") == ["5", "7", "6", "4", "3"])
    }

    @Test(arguments: [
        ("Rick", "rICK"), ("ÉCLAIR", "éclair"), ("e\u{301}", "É"), ("Straße", "STRASSE"), ("ΟΔΟΣ", "οδος"),
        ("ẞ", "ß"), ("ﬁn", "FIN"), ("Ω", "\u{2126}"), ("\u{1E9B}\u{323}", "\u{1E61}\u{323}"),
    ])
    func textsThatDifferOnlyInSpellingAreDuplicates(_ spellings: (String, String)) async throws {
        let recents = make()
        _ = try await recents.add(spellings.0, scope: "a")
        _ = try await recents.add("between", scope: "a")
        let found = try await recents.add(spellings.1, scope: "a")
        // The newest spelling is kept, byte for byte.
        #expect(found.map { Array($0.utf8) } == [Array(spellings.1.utf8), Array("between".utf8)])
        #expect(try await recents.remove(spellings.0, scope: "a") == ["between"])
    }

    @Test(arguments: [("ısı", "isi"), ("a", "á"), ("a b", "ab"), ("a\u{0}b", "a\u{0}c")])
    func differentSearchesAreKeptSeparately(_ texts: (String, String)) async throws {
        let recents = make()
        _ = try await recents.add(texts.0, scope: "a")
        #expect(try await recents.add(texts.1, scope: "a") == [texts.1, texts.0])
    }

    @Test func whiteSpaceAroundARecentSearchIsRemoved() async throws {
        let recents = make()
        #expect(try await recents.add("\u{3000}\t two  words\u{A0}\r\n", scope: "a") == ["two  words"])
        #expect(try await recents.add(" \u{2003}\n", scope: "a") == ["two  words"])
        #expect(try await recents.add("", scope: "a") == ["two  words"])
        #expect(try await recents.remove(" TWO  words ", scope: "a") == [])
    }

    @Test func scopesHaveSeparateRecentSearches() async throws {
        let recents = make()
        _ = try await recents.add("one", scope: "a")
        _ = try await recents.add("two", scope: "b")
        _ = try await recents.add("three", scope: "A")
        #expect(try await recents.remove("two", scope: "a") == ["one"])
        #expect(try await recents.clear(scope: "a") == [])
        #expect(try await recents.list(scope: "b") == ["two"])
        #expect(try await recents.list(scope: "A") == ["three"])
    }

    @Test func recentSearchesOutliveTheProcess() async throws {
        let first = make("data/recents.sqlite")
        _ = try await first.add("one", scope: "a")
        _ = try await first.add("two", scope: "a")
        await first.close()
        #expect(try await make("data/recents.sqlite").list(scope: "a") == ["two", "one"])
        #expect(folder.mode(of: "data") == 0o700)
        #expect(folder.mode(of: "data/recents.sqlite") == 0o600)
    }

    @Test func twoDataSourcesLoseNoSearches() async throws {
        let (first, second) = (make(), make())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (name, recents) in [("a", first), ("b", second)] {
                group.addTask {
                    for scope in 0..<20 {
                        _ = try await recents.add("\(name)1", scope: "\(scope)")
                        _ = try await recents.add("\(name)2", scope: "\(scope)")
                    }
                }
            }
            try await group.waitForAll()
        }
        for scope in 0..<20 {
            #expect(try await first.list(scope: "\(scope)").sorted() == ["a1", "a2", "b1", "b2"])
        }
        #expect(faults.parts == [])
    }

    @Test func damagedRecentSearchesFileIsRenamedAndKept() async throws {
        let bytes = Array("this was once a list of searches".utf8)
        try folder.write(bytes, to: "recents.sqlite")
        let recents = make()
        #expect(try await recents.add("one", scope: "a") == ["one"])
        #expect(try folder.read("recents.sqlite.corrupt-20260131T090500.250Z") == bytes)
        #expect(faults.parts.map(\.part) == ["recents"])
        #expect(faults.parts.first?.since == clock.now())
        await recents.close()
        try folder.write(bytes, to: "recents.sqlite")
        #expect(try await recents.add("two", scope: "a") == ["two"])
        // The second broken file is set aside at the same time, and does not overwrite the first one.
        #expect(try folder.read("recents.sqlite.corrupt-20260131T090500.250Z-2") == bytes)
    }

    @Test func fileIsSetAsideIfDamageIsFoundAfterOpening() async throws {
        let first = make()
        for number in 0..<200 { _ = try await first.add("text", scope: "\(number)") }
        await first.close()
        var bytes = try folder.read("recents.sqlite")
        for at in 4096..<bytes.count { bytes[at] = 0xAA }
        try folder.write(bytes, to: "recents.sqlite")
        let second = make()
        #expect(try await second.add("one", scope: "a") == ["one"])
        #expect(try folder.read("recents.sqlite.corrupt-20260131T090500.250Z") == bytes)
        #expect(faults.parts.map(\.part) == ["recents"])
    }

    @Test func unopenableFileIsNamedInTheError() async throws {
        try folder.write([], to: "file")
        let recents = make("file/recents.sqlite")
        for _ in 0..<2 {
            let error = await #expect(throws: LocalDataError.self) { try await recents.add("one", scope: "a") }
            #expect(error?.message.contains(folder.file("file/recents.sqlite")) == true)
            #expect(error?.message.contains("Not a directory") == true)
        }
        #expect(faults.parts.map(\.part) == ["recents"])
    }

    @Test func cacheFileIsRefusedAsRecentSearchesFile() async throws {
        let cache = EntityDataSource(path: folder.file("recents.sqlite"), limit: 1, clock: clock) { _ in }
        cache.remove(LocalEntries.key("1"))
        await cache.flush()
        await #expect(throws: LocalDataError.self) { try await make().list(scope: "a") }
        #expect(folder.names.filter { $0.contains("corrupt") } == [])
    }
}
