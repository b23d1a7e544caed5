import System
import TestSupport
import Testing

@testable import DataSources

/// What is noted of removals, and for how long.
@Suite(.limited) struct LocalRemovalsTests {
    private static let marks = SharedMachine.marks
    private static let moment = Timestamp(milliseconds: 1000)

    private let removals = LocalRemovals()

    private static func removal(_ id: String, isRemoval: Bool = true) -> LocalRemovals.Removal {
        LocalRemovals.Removal(name: SharedMachine.name(id), marks: marks, isRemoval: isRemoval)
    }

    private static func whole(isRemoval: Bool) -> LocalRemovals.Removal {
        LocalRemovals.Removal(name: marks, marks: marks, isRemoval: isRemoval)
    }

    private func outranks(_ id: String, at milliseconds: Int64) -> Bool? {
        removals.outranks(
            SharedMachine.name(id), marks: Self.marks, fetchedAt: Timestamp(milliseconds: milliseconds))
    }

    private static let noted: [([LocalRemovals.Removal], Bool?)] = [
        ([], nil), ([removal("2")], nil), ([removal("1")], true), ([removal("1", isRemoval: false)], false),
        ([whole(isRemoval: true)], true), ([whole(isRemoval: false)], false),
        ([removal("1", isRemoval: false), whole(isRemoval: true)], true),
        ([removal("1"), whole(isRemoval: false)], true),
    ]

    @Test(arguments: noted)
    private func theyOutrankWhatCameUntilThen(_ noted: [LocalRemovals.Removal], _ outranked: Bool?) {
        removals.note(noted, at: Self.moment)
        #expect(outranks("1", at: 999) == outranked)
        #expect(outranks("1", at: 1000) == outranked, "nobody can tell which of the two came first")
        #expect(outranks("1", at: 1001) == nil)
    }

    @Test func whatWasNotedAnewIsStillOwed() {
        removals.note([Self.removal("1"), Self.removal("2")], at: Self.moment)
        let owed = removals.all
        removals.note([Self.removal("1")], at: Timestamp(milliseconds: 2000))
        removals.acknowledge(owed)
        #expect(removals.all == [Self.removal("1"): Timestamp(milliseconds: 2000)])
    }

    @Test func theyComeBackFromTheirText() throws {
        #expect(removals.text == nil)
        removals.note([Self.removal("1"), Self.removal("2", isRemoval: false)], at: Self.moment)
        removals.note([Self.whole(isRemoval: false)], at: Timestamp(milliseconds: 2000))
        let text = try #require(removals.text)
        let back = LocalRemovals()
        back.note(text: text, since: Timestamp(milliseconds: 999))
        #expect(back.all == removals.all)
        let later = LocalRemovals()
        later.note([Self.whole(isRemoval: false)], at: Timestamp(milliseconds: 3000))
        later.note(text: text, since: Self.moment)
        #expect(later.all == [Self.whole(isRemoval: false): Timestamp(milliseconds: 3000)], "no value is so old")
    }

    private static let texts = [
        "", "[", "{}", "[1]", #"[{"key":"a","marks":"b","removed":true,"at":5000}]"#,
        #"[{"key":"\#(marks.key)","marks":"\#(marks.key)","removed":1,"at":5000}]"#,
        #"[{"key":"\#(marks.key)","marks":"\#(marks.key)","removed":true,"at":1e9}]"#,
        #"[{"key":"\#(marks.key.dropLast())x","marks":"\#(marks.key)","removed":true,"at":5000}]"#,
        #"[{"key":"\#(marks.key.uppercased())","marks":"\#(marks.key)","removed":true,"at":5000}]"#,
    ]

    @Test(arguments: texts) func anotherTextSaysNothing(text: String) {
        removals.note(text: text, since: Self.moment)
        #expect(removals.all.isEmpty)
    }

    /// With too many to name, all entries of their resource are meant.
    @Test(arguments: [true, false]) func tooManyWiden(isRemoval: Bool) {
        let many = (0..<LocalRemovals.most).map { Self.removal("\($0)", isRemoval: isRemoval) }
        removals.note(many, at: Self.moment)
        #expect(removals.all.count == LocalRemovals.most && outranks("x", at: 0) == nil)
        removals.note([Self.removal("y", isRemoval: isRemoval)], at: Timestamp(milliseconds: 2000))
        #expect(removals.all == [Self.whole(isRemoval: isRemoval): Timestamp(milliseconds: 2000)])
        #expect(outranks("x", at: 2000) == isRemoval && outranks("0", at: 2000) == isRemoval)
        #expect(outranks("x", at: 2001) == nil)
    }
}
