import System
import TestSupport
import Testing

@testable import DataSources

/// What is noted of removals, and for how long.
@Suite(.limited) struct LocalRemovalsTests {
    private static let marks = SharedMachine.marks
    private static let moment = Timestamp(milliseconds: 1000)

    private let removals = LocalRemovals()

    private static func removal(_ id: String, _ kind: Removal.Kind = .removed) -> Removal {
        Removal(name: SharedMachine.name(id), marks: marks, kind: kind)
    }

    private static func whole(_ kind: Removal.Kind) -> Removal { Removal(name: marks, marks: marks, kind: kind) }

    private func outranks(_ id: String, at milliseconds: Int64) -> Bool? {
        removals.outranks(
            SharedMachine.name(id), marks: Self.marks, askedAt: Timestamp(milliseconds: milliseconds))
    }

    private static let noted: [([Removal], Bool?)] = [
        ([], nil), ([removal("2")], nil), ([removal("1")], true), ([removal("1", .gone)], true),
        ([removal("1", .outdated)], false),
        ([removal("1", .stale)], false),
        ([whole(.removed)], true), ([whole(.stale)], false),
        ([removal("1", .stale), whole(.removed)], true),
        ([removal("1"), whole(.stale)], true),
    ]

    @Test(arguments: noted)
    private func theyOutrankWhatCameUntilThen(_ noted: [Removal], _ outranked: Bool?) {
        removals.note(noted, at: Self.moment)
        #expect(outranks("1", at: 999) == outranked)
        #expect(outranks("1", at: 1000) == outranked, "nobody can tell which of the two came first")
        #expect(outranks("1", at: 1001) == nil)
    }

    @Test func whatWasNotedAnewIsStillOwed() {
        removals.note([Self.removal("1"), Self.removal("2")], at: Self.moment)
        let owed = Array(removals.all)
        removals.note([Self.removal("1")], at: Timestamp(milliseconds: 2000))
        #expect(removals.acknowledge(owed) == [Self.removal("2")])
        #expect(removals.all == [Self.removal("1"): Timestamp(milliseconds: 2000)])
    }

    /// With too many to name, all entries of their resource are meant, and none is taken from others that they have.
    @Test(arguments: [Removal.Kind.removed, .stale]) func tooManyWiden(kind: Removal.Kind) {
        let many = (0..<LocalRemovals.most).map { Self.removal("\($0)", kind) }
        var change = removals.note(many, at: Self.moment)
        #expect(change.dropped.isEmpty && removals.all.count == LocalRemovals.most && outranks("x", at: 0) == nil)
        change = removals.note([Self.removal("y", kind)], at: Timestamp(milliseconds: 2000))
        #expect(removals.all == [Self.whole(.stale): Timestamp(milliseconds: 2000)] && change.wide == removals.all)
        #expect(change.dropped.count == LocalRemovals.most + 1)
        #expect(outranks("x", at: 2000) == false && outranks("0", at: 2000) == false && outranks("x", at: 2001) == nil)
    }

    /// Nobody has asked for these: where they are too many, it is as without them.
    @Test(arguments: [Removal.Kind.gone, .outdated]) func tooManyThatNobodyAskedForAreDropped(kind: Removal.Kind) {
        removals.note([Self.removal("x")], at: Self.moment)
        let change = removals.note((0..<LocalRemovals.most).map { Self.removal("\($0)", kind) }, at: Self.moment)
        #expect(removals.all == [Self.whole(.stale): Self.moment])
        #expect(change.dropped.count == LocalRemovals.most + 1)
    }

    @Test func whatWasMeantForAllStaysSo() {
        removals.note([Self.whole(.removed)], at: Self.moment)
        removals.note((0..<LocalRemovals.most).map { Self.removal("\($0)") }, at: Timestamp(milliseconds: 2000))
        #expect(Set(removals.all.keys) == [Self.whole(.removed), Self.whole(.stale)])
        #expect(outranks("x", at: 1000) == true && outranks("x", at: 2000) == false)
    }
}
