import JSON
import TestSupport
import Testing

@testable import Catalog

/// Tests that the list keeps the first hundred errors in the order of the text, and counts the further errors.
@Suite(.limited) struct FaultListTests {
    @Test(arguments: [[1, 2], [2, 1], [7, 7, 3]]) func firstHundredCatalogErrorsAreKept(offsets: [Int]) {
        var list = FaultList()
        #expect(list.isEmpty)
        for offset in offsets { list.add({ String(offset) }, at: offset) }
        let faults = list.faults(in: [UInt8](repeating: UInt8(ascii: "x"), count: 10))
        #expect(!list.isEmpty)
        #expect(faults.faults.map(\.message) == offsets.sorted().map { String($0) })
        #expect(faults.faults.map(\.position.column) == offsets.sorted().map { $0 + 1 })
        #expect(faults.more == 0)
    }

    @Test(arguments: [1, 7, 999]) func catalogErrorsAfterTheFirstHundredAreDropped(step: Int) {
        var list = FaultList()
        let text = [UInt8](repeating: UInt8(ascii: "\n"), count: 1000)
        // Each offset occurs once, because 1000 and the step have no common divisor.
        for number in 0..<1000 { list.add({ String((number * step) % 1000) }, at: (number * step) % 1000) }
        let faults = list.faults(in: text)
        #expect(faults.faults.map(\.message) == (0..<100).map { String($0) })
        #expect(faults.faults.map(\.position.line) == Array(1...100))
        #expect(faults.more == 900)
        #expect(faults.lines(file: "f").last == "f: and 900 more faults")
    }

    @Test(arguments: [3, 100, 101, 250]) func errorsOfAnEmbeddedDocumentAreCounted(count: Int) {
        var part = FaultList()
        for number in 0..<count { part.add({ String(number) }, at: number) }
        var list = FaultList()
        list.add({ "first" }, at: 0)
        list.add(part) { offsets in offsets.map { $0 + 1 } }
        #expect(list.count == count + 1)
        let faults = list.faults(in: [UInt8](repeating: UInt8(ascii: "x"), count: 300))
        #expect(faults.faults.first?.message == "first" && faults.faults.count == min(100, count + 1))
        #expect(faults.faults.dropFirst().map(\.position.column) == (2...min(100, count + 1)).map { $0 })
        #expect(faults.more == max(0, count - 99))
    }

    @Test func messageOfADroppedCatalogErrorIsNotBuilt() {
        var list = FaultList()
        var made = 0
        for offset in 0..<1000 {
            list.add(
                {
                    made += 1
                    return ""
                }, at: offset)
        }
        #expect(made == 100)
    }
}
