import System
import TestSupport
import Testing

@testable import DataSources
@testable import Model
@testable import Repositories

/// Tests that concurrent requests for the same key share one fetch.
@Suite(.limited) struct RequestCoalescerTests {
    private typealias Outcome = RequestCoalescer<String, Int>.Outcome

    private static let left = Outcome.failure(.left)

    /// A coalescer whose fetches wait at a gate and are counted.
    private final class Subject: Sendable {
        let coalescer = RequestCoalescer<String, Int>()
        let gate = Gate()
        let fetches = Watched<[[String]]>([])
        let shared = Watched(0)
        let cancelled = Watched(0)

        func outcomes(
            of keys: [String], in generation: Int = 0, known: [String: Int] = [:],
            _ answer: @escaping @Sendable (String) -> Outcome
        ) async -> [Outcome] {
            await coalescer.outcomes(
                of: keys, in: generation, onShared: { count in shared.change { $0 += count } }, known: { known[$0] }
            ) { [self] places in
                let own = places.map { keys[$0] }
                fetches.change { $0.append(own) }
                do throws(CancellationError) {
                    try await gate.wait()
                } catch {
                    cancelled.change { $0 += 1 }
                }
                return own.map(answer)
            }
        }

        /// Waits until `count` keys have joined fetches that were under way.
        func waitForShared(_ count: Int) async {
            await shared.wait { $0 >= count }
        }

        func waitForFetches(_ count: Int) async {
            await fetches.wait { $0.count >= count }
        }
    }

    @Test func cancelledCallersDoNotEndASharedFetch() async throws {
        let subject = Subject()
        let callers = (0..<1000).map { _ in Task { await subject.outcomes(of: ["a"]) { _ in .success(7) } } }
        await subject.waitForShared(999)
        for caller in callers.prefix(100) { caller.cancel() }
        for caller in callers.prefix(100) {
            #expect(await caller.value == [Self.left])
        }
        try #require(subject.coalescer.isUnderWay("a"), "otherwise no fetch would answer the others")
        subject.gate.open()
        for caller in callers.dropFirst(100) { #expect(await caller.value == [.success(7)]) }
        #expect(subject.fetches.value == [["a"]])
        #expect(subject.cancelled.value == 0)
    }

    @Test func lastCancelledCallerCancelsTheFetch() async {
        let subject = Subject()
        let callers = (0..<3).map { _ in Task { await subject.outcomes(of: ["a", "b"]) { _ in .success(1) } } }
        await subject.waitForShared(4)
        for caller in callers { caller.cancel() }
        for caller in callers { _ = await caller.value }
        await subject.cancelled.wait { $0 == 1 }
        #expect(!subject.coalescer.isUnderWay("a") && !subject.coalescer.isUnderWay("b"))
    }

    @Test func fetchContinuesWhileACallerStillNeedsOneOfItsKeys() async throws {
        let subject = Subject()
        let many = Task { await subject.outcomes(of: ["a", "b"]) { _ in .success(1) } }
        await subject.waitForFetches(1)
        let one = Task { await subject.outcomes(of: ["b"]) { _ in .success(2) } }
        await subject.waitForShared(1)
        many.cancel()
        _ = await many.value
        try #require(subject.coalescer.isUnderWay("b"), "otherwise no fetch would answer the other caller")
        subject.gate.open()
        #expect(await one.value == [.success(1)])
        #expect(subject.cancelled.value == 0)
    }

    @Test func keyThatIsBeingFetchedIsNotFetchedAgain() async {
        let subject = Subject()
        let one = Task { await subject.outcomes(of: ["b"]) { _ in .success(2) } }
        await subject.waitForFetches(1)
        let many = Task { await subject.outcomes(of: ["a", "b", "c"]) { _ in .success(1) } }
        await subject.waitForFetches(2)
        subject.gate.open()
        #expect(await many.value == [.success(1), .success(2), .success(1)])
        #expect(await one.value == [.success(2)])
        #expect(subject.fetches.value == [["b"], ["a", "c"]])
    }

    @Test func failedFetchFailsForAllCallersAndIsNotRemembered() async throws {
        let subject = Subject()
        let failure = Outcome.failure(.remote(APIError(.network, "reset")))
        let callers = (0..<5).map { _ in Task { await subject.outcomes(of: ["a"]) { _ in failure } } }
        await subject.waitForShared(4)
        subject.gate.open()
        for caller in callers { #expect(await caller.value == [failure]) }
        try #require(!subject.coalescer.isUnderWay("a"), "otherwise the next caller would join a finished fetch")
        #expect(await subject.outcomes(of: ["a"]) { _ in .success(3) } == [.success(3)])
    }

    @Test func cachedKeyIsNotFetched() async {
        let subject = Subject()
        subject.gate.open()
        #expect(
            await subject.outcomes(of: ["a", "b"], known: ["a": 9]) { _ in .success(1) }
                == [.success(9), .success(1)])
        #expect(subject.fetches.value == [["b"]])
    }

    @Test func duplicateKeyIsFetchedOnce() async {
        let subject = Subject()
        subject.gate.open()
        #expect(await subject.outcomes(of: ["a", "a"]) { _ in .success(1) } == [.success(1), .success(1)])
        #expect(subject.fetches.value == [["a"]])
    }

    @Test func alreadyCancelledCallerLeavesNoFetch() async {
        let subject = Subject()
        let caller = Task {
            // The task cancels itself before it joins.
            withUnsafeCurrentTask { $0?.cancel() }
            return await subject.outcomes(of: ["a"]) { _ in .success(1) }
        }
        #expect(await caller.value == [Self.left])
        #expect(!subject.coalescer.isUnderWay("a"))
    }

    /// The cancelled caller leaves right after it has joined, which takes a few jobs of its loop. After a hundred jobs
    /// it has left.
    @Test func alreadyCancelledCallerDoesNotWait() async {
        let subject = Subject()
        let other = Task { await subject.outcomes(of: ["a"]) { _ in .success(1) } }
        await subject.waitForFetches(1)
        let loop = EventLoop()
        let caller = Task(executorPreference: loop) {
            withUnsafeCurrentTask { $0?.cancel() }
            return await subject.outcomes(of: ["a"]) { _ in .success(2) }
        }
        let opener = Task(executorPreference: loop) {
            for _ in 0..<100 { await Task.yield() }
            subject.gate.open()
        }
        #expect(await caller.value == [Self.left])
        #expect(await other.value == [.success(1)])
        await opener.value
    }

    /// Cancellation handlers run before `cancel` returns, so by then the cancelled caller has cancelled the fetch.
    @Test func fetchIsCancelledBeforeCancelReturns() async {
        let coalescer = RequestCoalescer<String, Int>()
        let (gate, begun, isCancelled) = (Gate(), Gate(), Lock(false))
        let caller = Task {
            await coalescer.outcomes(of: ["a"], onShared: { _ in }, known: { _ in nil }) { _ in
                await withTaskCancellationHandler {
                    begun.open()
                    try? await gate.wait()
                } onCancel: {
                    isCancelled.withLock { $0 = true }
                }
                return []
            }
        }
        try? await begun.wait()
        caller.cancel()
        #expect(await caller.value == [Self.left])
        #expect(isCancelled.withLock { $0 })
        gate.open()
    }

    /// A cancellation holds a lock of the caller's task while its handler waits for the coalescer. The end of a fetch
    /// needs the same lock of the task.
    @Test func cancellationAtTheEndOfAFetchDoesNotBlock() async {
        for _ in 0..<500 {
            let subject = Subject()
            let caller = Task { await subject.outcomes(of: ["a"]) { _ in .success(1) } }
            await subject.waitForFetches(1)
            let opener = Task.detached { subject.gate.open() }
            caller.cancel()
            await opener.value
            #expect([[.success(1)], [Self.left]].contains(await caller.value))
            #expect(!subject.coalescer.isUnderWay("a"))
        }
    }

    @Test func keyMissingInAFetchResultCountsAsNotFound() async {
        let coalescer = RequestCoalescer<String, Int>()
        let outcomes = await coalescer.outcomes(of: ["a"], onShared: { _ in }, known: { _ in nil }) { _ in [] }
        #expect(outcomes == [.failure(.absent)])
    }

    @Test func requestsOfDifferentGenerationsShareNoFetch() async throws {
        let subject = Subject()
        let old = Task { await subject.outcomes(of: ["a"], in: 1) { _ in .success(1) } }
        await subject.waitForFetches(1)
        let new = Task { await subject.outcomes(of: ["a"], in: 2) { _ in .success(2) } }
        await subject.waitForFetches(2)
        #expect(subject.coalescer.isUnderWay("a", in: 1) && subject.coalescer.isUnderWay("a", in: 2))
        let joined = Task { await subject.outcomes(of: ["a"], in: 2) { _ in .success(3) } }
        await subject.waitForShared(1)
        // The old fetch ends with the cancellation of its caller. The new fetch is not affected.
        old.cancel()
        #expect(await old.value == [Self.left])
        #expect(!subject.coalescer.isUnderWay("a", in: 1))
        try #require(subject.coalescer.isUnderWay("a", in: 2))
        subject.gate.open()
        #expect(await new.value == [.success(2)])
        #expect(await joined.value == [.success(2)])
    }

    /// A caller with an older generation does not replace the fetch of a newer caller, even if it joins later.
    @Test func olderGenerationDoesNotReplaceANewerFetch() async throws {
        let subject = Subject()
        let new = Task { await subject.outcomes(of: ["a"], in: 2) { _ in .success(2) } }
        await subject.waitForFetches(1)
        let old = Task { await subject.outcomes(of: ["a", "a"], in: 1) { _ in .success(1) } }
        await subject.waitForFetches(2)
        try #require(subject.coalescer.isUnderWay("a", in: 2), "otherwise the next caller would start a third fetch")
        let joined = Task { await subject.outcomes(of: ["a"], in: 2) { _ in .success(3) } }
        await subject.waitForShared(1)
        subject.gate.open()
        #expect(await new.value == [.success(2)])
        #expect(await old.value == [.success(1), .success(1)])
        #expect(await joined.value == [.success(2)])
        #expect(subject.fetches.value == [["a"], ["a"]])
    }

    @Test func cancelledCallerGetsTheOutcomesThatWereAlreadyKnown() async {
        let subject = Subject()
        let caller = Task { await subject.outcomes(of: ["a", "b"], known: ["a": 9]) { _ in .success(1) } }
        await subject.waitForFetches(1)
        caller.cancel()
        #expect(await caller.value == [.success(9), Self.left])
    }

    @Test func everyConcurrentCallerGetsAnOutcome() async {
        let coalescer = RequestCoalescer<Int, Int>()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<2000 {
                group.addTask {
                    let keys = (0..<5).map { (number + $0 * number) % 17 }
                    let caller = Task {
                        await coalescer.outcomes(of: keys, onShared: { _ in }, known: { _ in nil }) { places in
                            await Task.yield()
                            return places.map { .success(keys[$0]) }
                        }
                    }
                    if number % 3 == 0 { caller.cancel() }
                    for (key, outcome) in zip(keys, await caller.value) {
                        #expect(outcome == .success(key) || number % 3 == 0)
                    }
                }
            }
        }
        for key in 0..<17 { #expect(!coalescer.isUnderWay(key)) }
    }
}
