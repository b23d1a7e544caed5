import DataSources
import Model
import System
import TestSupport
import Testing

/// Compares each cache level with a simple model while random operations run on both.
@Suite(.limited) struct CacheModelTests {
    typealias Entries = LocalEntries
    typealias Subject = LocalDataSourceContractTests.Subject

    /// A cache level without limits, as two dictionaries.
    private struct SimpleCache {
        var items: [ItemKey: ItemEntity] = [:]
        var pages: [PageKey: PageEntity] = [:]

        var count: Int { items.count + pages.count }

        func page(_ key: PageKey) -> StoredPage? {
            guard let page = pages[key] else { return nil }
            let found = page.ids.compactMap { items[Entries.key($0, of: key.resource, isPartial: page.isPartial)] }
            return found.count == page.ids.count ? StoredPage(page: page, items: PackedItems(found)) : nil
        }

        private static func selects(_ selection: CacheSelection, _ resource: ResourceKey, _ at: Timestamp) -> Bool {
            (selection.resource == nil || selection.resource == resource.name)
                && (selection.fetchedBefore == nil || at < selection.fetchedBefore ?? at)
        }

        func items(_ selection: CacheSelection) -> [ItemKey] {
            if selection.pages != nil { return [] }
            return items.values.filter { item in
                Self.selects(selection, item.key.resource, item.fetchedAt)
                    && selection.ids?.contains(item.key.id) != false
            }.map(\.key)
        }

        func pages(_ selection: CacheSelection) -> [PageKey] {
            if selection.ids != nil { return [] }
            return pages.values.filter { Self.selects(selection, $0.key.resource, $0.fetchedAt) }.map(\.key)
        }

        mutating func remove(_ selection: CacheSelection) -> Int {
            let (items, pages) = (items(selection), pages(selection))
            for key in items { self.items[key] = nil }
            for key in pages { self.pages[key] = nil }
            return items.count + pages.count
        }

        mutating func invalidate(_ selection: CacheSelection) -> Int {
            let items = items(selection).filter { self.items[$0]?.isInvalidated == false }
            let pages = pages(selection).filter { self.pages[$0]?.isInvalidated == false }
            for key in items { self.items[key]?.isInvalidated = true }
            for key in pages { self.pages[key]?.isInvalidated = true }
            return items.count + pages.count
        }
    }

    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private static let resources = [Entries.character, Entries.otherCharacter, Entries.location]
    private static let ids = (1...6).map { String($0) } + ["an id of more than fifteen bytes", ""]

    private static func selection(_ random: inout SeededGenerator) -> CacheSelection {
        var selection = CacheSelection()
        if Bool.random(using: &random) { selection.resource = ["character", "location"].randomElement(using: &random) }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: selection.ids = [ids.randomElement(using: &random) ?? "", "1"]
        case 1: selection.pages = .all
        default: break
        }
        if Int.random(in: 0..<3, using: &random) == 0 {
            selection.fetchedBefore = Timestamp(milliseconds: Int64.random(in: 0...20, using: &random))
        }
        return selection
    }

    private static func change(
        _ random: inout SeededGenerator, at time: Int64
    ) -> (items: [ItemEntity], page: PageEntity?) {
        let resource = resources.randomElement(using: &random) ?? Entries.character
        let isPartial = Int.random(in: 0..<4, using: &random) == 0
        let chosen = ids.shuffled(using: &random).prefix(Int.random(in: 0..<4, using: &random))
        let items = chosen.map { id in
            let text = String(repeating: "x", count: Int.random(in: 0..<300, using: &random))
            return Entries.item(id, of: resource, isPartial: isPartial, json: "\"\(text)\"", at: time)
        }
        guard Bool.random(using: &random) else { return (items, nil) }
        let number = Int.random(in: 1...4, using: &random)
        return (items, Entries.page(number, items.map(\.key.id), of: resource, isPartial: isPartial, at: time))
    }

    @Test(arguments: Subject.allCases, [1, 2, 3] as [UInt64])
    func cacheLevelReturnsTheSameEntriesAsTheModel(_ subject: Subject, seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var source = subject.make(in: folder)
        var model = SimpleCache()
        for round in 0..<300 {
            let resource = Self.resources.randomElement(using: &random) ?? Entries.character
            let id = Self.ids.randomElement(using: &random) ?? ""
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<11:
                let (items, page) = Self.change(&random, at: Int64.random(in: 0...20, using: &random))
                source.save(LocalChange(items: PackedItems(items), page: page))
                for item in items { model.items[item.key] = item }
                if let page { model.pages[page.key] = page }
            case 11:
                source.remove(Entries.key(id, of: resource))
                model.items[Entries.key(id, of: resource)] = nil
            case 12:
                source.remove(Entries.pageKey(2, of: resource))
                model.pages[Entries.pageKey(2, of: resource)] = nil
            case 13:
                let selection = Self.selection(&random)
                #expect(try await source.remove(selection) == model.remove(selection), "\(round): \(selection)")
            case 14..<17:
                let selection = Self.selection(&random)
                #expect(try await source.invalidate(selection) == model.invalidate(selection), "\(round): \(selection)")
            case 17:
                guard let file = source as? EntityDataSource else { continue }
                await file.close()
                source = subject.make(in: folder)
            default: break
            }
            let keys = Self.ids.flatMap { id in
                [false, true].map { Entries.key(id, of: resource, isPartial: $0) }
            }
            #expect(try await source.read(keys) == keys.map { model.items[$0] }, "\(round)")
            for number in 1...4 {
                let key = Entries.pageKey(number, of: resource)
                #expect(try await source.read(key) == model.page(key), "\(round)")
            }
            if round % 20 == 0 { #expect(await source.statistics().entries == model.count, "\(round)") }
        }
    }
}
