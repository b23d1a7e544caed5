import Model
import System
import TestSupport
import Testing

@testable import DataSources

@Suite(.limited) struct EntryCostTests {
    /// An id of more than 15 bytes takes more memory, because Swift allocates it separately.
    @Test(arguments: [(15, 0), (16, 64), (100, 148)])
    func idsOfMoreThan15BytesTakeMoreMemory(length: Int, additional: Int) {
        let ids = [String(repeating: "i", count: length)]
        let short = LocalEntries.page(1, ["1"]).cost
        #expect(LocalEntries.page(1, ids).cost - short == additional)
    }

    @Test func compactPageHasNoSpareCapacity() {
        var ids = ["1", "2"]
        ids.reserveCapacity(1000)
        let page = LocalEntries.page(1, ids)
        #expect(page.ids.capacity >= 1000)
        #expect(page.compact.ids.capacity < 10 && page.compact == page)
    }

    @Test func compactItemHasNoSpareCapacity() {
        var json = Array("{}".utf8)
        json.reserveCapacity(1000)
        let item = ItemEntity(key: LocalEntries.key("1"), json: json, fetchedAt: Timestamp(milliseconds: 0))
        #expect(item.json.capacity >= 1000)
        #expect(item.compact.json.capacity < 100 && item.compact == item)
    }
}
