import System
import TestSupport
import Testing

@testable import DataSources
@testable import Model

@Suite(.limited) struct UnconfirmedRemovalsTests {
    private func resource(_ name: String) -> SharedResource {
        SharedResource(key: LocalEntries.character, identity: Array(name.utf8), keepFor: 10_000, timeout: 5000)
    }

    private func moment(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }

    @Test func unconfirmedRemovalAffectsOnlyOlderValuesOfItsResource() {
        let removals = UnconfirmedRemovals()
        #expect(!removals.affect(resource("a"), fetchedAt: moment(1)))
        removals.note(resource("a"), at: moment(5))
        #expect(removals.affect(resource("a"), fetchedAt: moment(4)))
        #expect(removals.affect(resource("a"), fetchedAt: moment(5)))
        #expect(!removals.affect(resource("a"), fetchedAt: moment(6)))
        #expect(!removals.affect(resource("b"), fetchedAt: moment(4)))
    }

    @Test func laterRemovalReplacesAnEarlierRemoval() {
        let removals = UnconfirmedRemovals()
        removals.note(resource("a"), at: moment(5))
        removals.note(resource("a"), at: moment(8))
        #expect(removals.affect(resource("a"), fetchedAt: moment(8)))
    }
}
