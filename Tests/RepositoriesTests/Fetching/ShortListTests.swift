import TestSupport
import Testing

@testable import Repositories

@Suite(.limited) struct ShortListTests {
    @Test(arguments: [[], [1], [1, 2], [1, 2, 3]])
    func shortListKeepsTheOrderOfItsElements(elements: [Int]) {
        var list = ShortList<Int>()
        for element in elements {
            list.append(element)
            #expect(list.last == element)
        }
        var found: [Int] = []
        list.forEach { found.append($0) }
        #expect(found == elements)
    }

    @Test func emptyListHasNoLastElement() { #expect(ShortList<Int>().last == nil) }
}
