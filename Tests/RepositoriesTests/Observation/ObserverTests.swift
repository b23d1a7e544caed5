import DataSources
import System
import TestSupport
import Testing

@testable import Model
@testable import Repositories

/// Tests changes that happen while an observer reads. A gate delays the reads.
@Suite(.limited) struct ObserverTests {
    private let key = ItemKey(resource: ResourceKey(name: "thing", fingerprint: .init(high: 1, low: 2)), id: "1")
    private let sleep = SleepMock()
    private let thing = Thing()
    private let told = Lock<[String]>([])

    /// Content that an observer can read.
    private final class Thing: Sendable {
        let name = Lock("old")
        let gate = Gate()
        private let reads = Lock<[(count: Int, gate: Gate)]>([])
        private let count = Lock(0)

        /// Reads the content. The read with the number `held` then waits at the gate.
        func read(held: Int) async -> Observer.Snapshot {
            let name = name.withLock { $0 }
            let count = count.withLock { count in
                count += 1
                return count
            }
            for read in reads.withLock({ $0 }) where read.count <= count { read.gate.open() }
            if count == held { try? await gate.wait() }
            return Observer.Snapshot(contents: [Array(name.utf8)], observation: .gone)
        }

        /// Opens a gate when the read with that number starts.
        func opening(_ gate: Gate, at count: Int) { reads.withLock { $0.append((count, gate)) } }
    }

    private func observer(of hub: ChangeHub, holdsRead held: Int) -> Observer {
        Observer(
            hub: hub, read: { [thing] _ in await thing.read(held: held) },
            tell: { [thing, told] _ in told.withLock { $0.append(thing.name.withLock { $0 }) } })
    }

    @Test func changeDuringTheFirstReadIsReported() async throws {
        let hub = ChangeHub(sleep: sleep.sleep)
        let (observer, begun) = (observer(of: hub, holdsRead: 1), Gate())
        thing.opening(begun, at: 1)
        let start = Task { await observer.start(.item(key)) }
        try await begun.wait()
        thing.name.withLock { $0 = "new" }
        hub.changed(items: [key])
        thing.gate.open()
        await start.value
        await sleep.begun(1, for: .milliseconds(100))
        #expect(told.withLock { $0 } == ["new"])
        observer.stop()
    }

    @Test func readThatEndsAfterStopIsNotReported() async throws {
        let hub = ChangeHub(sleep: sleep.sleep)
        let (observer, begun) = (observer(of: hub, holdsRead: 2), Gate())
        await observer.start(.item(key))
        thing.opening(begun, at: 2)
        thing.name.withLock { $0 = "new" }
        hub.changed(items: [key])
        try await begun.wait()
        observer.stop()
        thing.gate.open()
        await sleep.begun(1, for: .milliseconds(100))
        #expect(told.withLock { $0 } == [])
    }

    private final class Release: Sendable {
        let gate: Gate
        init(_ gate: Gate) { self.gate = gate }
        deinit { gate.open() }
    }

    /// A stopped observer is released after its last read.
    @Test func stoppedObserverIsReleasedAfterItsLastRead() async throws {
        let (hub, released) = (ChangeHub(sleep: sleep.sleep), Gate())
        do {
            let release = Release(released)
            let observer = Observer(
                hub: hub, read: { [thing] _ in await thing.read(held: 0) }, tell: { _ in _ = release })
            await observer.start(.item(key))
            thing.name.withLock { $0 = "new" }
            hub.changed(items: [key])
            await sleep.begun(1, for: .milliseconds(100))
            observer.stop()
        }
        sleep.wake(from: .milliseconds(100))
        try await released.wait()
    }

    @Test func newObserverReportsDifferencesFromTheOldOne() async throws {
        let (hub, known) = (ChangeHub(sleep: sleep.sleep), LastSeen())
        for name in ["old", "new", "new"] {
            thing.name.withLock { $0 = name }
            let observer = Observer(
                hub: hub, known: known, read: { [thing] _ in await thing.read(held: 0) },
                tell: { [told] _ in told.withLock { $0.append(name) } })
            await observer.start(.item(key))
            observer.stop()
        }
        #expect(told.withLock { $0 } == ["new"])
    }

    /// A changed declaration changes the keys of entries. An entry is reported as gone only if it was cached under the
    /// new key before.
    @Test func entryMissingUnderANewKeyIsNotReportedAsGone() {
        let known = LastSeen()
        known.begin(in: key.resource)
        #expect(!known.take([Array("old".utf8)]))
        known.begin(in: ResourceKey(name: "thing", fingerprint: .init(high: 3, low: 4)))
        #expect(!known.take(nil))
        #expect(!known.take([Array("old".utf8)]), "this content was already reported")
        #expect(known.take(nil), "the content was cached under the new key")
        #expect(known.take([Array("new".utf8)]))
        known.begin(in: ResourceKey(name: "thing", fingerprint: .init(high: 3, low: 4)))
        #expect(known.take(nil), "the key is the same as before")
    }
}
