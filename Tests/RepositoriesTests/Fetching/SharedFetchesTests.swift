import System
import TestSupport
import Testing

@testable import DataSources
@testable import Model
@testable import Repositories

/// Who wants the same at the same time shares one transfer.
@Suite(.limited) struct SharedFetchesTests {
    private typealias Outcome = SharedFetches<String, Int>.Outcome

    /// Fetches whose transfers wait at a gate, and are counted.
    private final class Subject: Sendable {
        let fetches = SharedFetches<String, Int>()
        let gate = Gate()
        let transfers = Watched<[[String]]>([])
        let shared = Watched(0)
        let cancelled = Watched(0)

        func outcomes(
            of keys: [String], known: [String: Int] = [:], _ answer: @escaping @Sendable (String) -> Outcome
        ) async -> [String: Outcome] {
            await fetches.outcomes(
                of: keys, onShared: { count in shared.change { $0 += count } }, known: { known[$0] }
            ) { [self] keys in
                transfers.change { $0.append(keys) }
                do throws(CancellationError) {
                    try await gate.wait()
                } catch {
                    cancelled.change { $0 += 1 }
                }
                return Dictionary(uniqueKeysWithValues: keys.map { ($0, answer($0)) })
            }
        }

        /// Waits until so many callers share a transfer that others began.
        func waitForShared(_ count: Int) async {
            await shared.wait { $0 >= count }
        }

        func waitForTransfers(_ count: Int) async {
            await transfers.wait { $0.count >= count }
        }
    }

    @Test func aThousandShareOneTransferAndAHundredMayLeave() async throws {
        let subject = Subject()
        let callers = (0..<1000).map { _ in Task { await subject.outcomes(of: ["a"]) { _ in .success(7) } } }
        await subject.waitForShared(999)
        for caller in callers.prefix(100) { caller.cancel() }
        for caller in callers.prefix(100) {
            #expect(await caller.value["a"] == .failure(APIError(.cancelled, "the caller left")))
        }
        try #require(subject.fetches.isUnderWay("a"), "else nobody would answer the others")
        subject.gate.open()
        for caller in callers.dropFirst(100) { #expect(await caller.value["a"] == .success(7)) }
        #expect(subject.transfers.value == [["a"]])
        #expect(subject.cancelled.value == 0)
    }

    @Test func theLastWhoLeavesCancelsTheTransfer() async {
        let subject = Subject()
        let callers = (0..<3).map { _ in Task { await subject.outcomes(of: ["a", "b"]) { _ in .success(1) } } }
        await subject.waitForShared(4)
        for caller in callers { caller.cancel() }
        for caller in callers { _ = await caller.value }
        await subject.cancelled.wait { $0 == 1 }
        #expect(!subject.fetches.isUnderWay("a") && !subject.fetches.isUnderWay("b"))
    }

    @Test func whoWantsOneOfSeveralKeysKeepsTheTransferAlive() async throws {
        let subject = Subject()
        let many = Task { await subject.outcomes(of: ["a", "b"]) { _ in .success(1) } }
        await subject.waitForTransfers(1)
        let one = Task { await subject.outcomes(of: ["b"]) { _ in .success(2) } }
        await subject.waitForShared(1)
        many.cancel()
        _ = await many.value
        try #require(subject.fetches.isUnderWay("b"), "else nobody would answer the other")
        subject.gate.open()
        #expect(await one.value == ["b": .success(1)])
        #expect(subject.cancelled.value == 0)
    }

    @Test func whatIsOnItsWayIsNotAskedForAgain() async {
        let subject = Subject()
        let one = Task { await subject.outcomes(of: ["b"]) { _ in .success(2) } }
        await subject.waitForTransfers(1)
        let many = Task { await subject.outcomes(of: ["a", "b", "c"]) { _ in .success(1) } }
        await subject.waitForTransfers(2)
        subject.gate.open()
        #expect(await many.value == ["a": .success(1), "b": .success(2), "c": .success(1)])
        #expect(await one.value == ["b": .success(2)])
        #expect(subject.transfers.value == [["b"], ["a", "c"]])
    }

    @Test func aFailureIsEveryonesAndIsNotRemembered() async throws {
        let subject = Subject()
        let failure = Outcome.failure(APIError(.network, "reset"))
        let callers = (0..<5).map { _ in Task { await subject.outcomes(of: ["a"]) { _ in failure } } }
        await subject.waitForShared(4)
        subject.gate.open()
        for caller in callers { #expect(await caller.value["a"] == failure) }
        try #require(!subject.fetches.isUnderWay("a"), "else the next one would wait for what is over")
        #expect(await subject.outcomes(of: ["a"]) { _ in .success(3) } == ["a": .success(3)])
    }

    @Test func whatIsKnownByNowIsNotFetched() async {
        let subject = Subject()
        subject.gate.open()
        #expect(
            await subject.outcomes(of: ["a", "b"], known: ["a": 9]) { _ in .success(1) }
                == ["a": .success(9), "b": .success(1)])
        #expect(subject.transfers.value == [["b"]])
    }

    @Test func aKeyThatIsNamedTwiceIsAskedForOnce() async {
        let subject = Subject()
        subject.gate.open()
        #expect(await subject.outcomes(of: ["a", "a"]) { _ in .success(1) } == ["a": .success(1)])
        #expect(subject.transfers.value == [["a"]])
    }

    @Test func aCallerThatIsCancelledAlreadyStartsNothingThatGoesOn() async {
        let subject = Subject()
        let caller = Task {
            // The task cancels itself before it joins.
            withUnsafeCurrentTask { $0?.cancel() }
            return await subject.outcomes(of: ["a"]) { _ in .success(1) }
        }
        #expect(await caller.value["a"] == .failure(APIError(.cancelled, "the caller left")))
        #expect(!subject.fetches.isUnderWay("a"))
    }

    /// It leaves as soon as it has joined, which takes a few jobs of its loop: by the hundredth it is gone.
    @Test func aCallerThatIsCancelledAlreadyDoesNotWaitForOthers() async {
        let subject = Subject()
        let other = Task { await subject.outcomes(of: ["a"]) { _ in .success(1) } }
        await subject.waitForTransfers(1)
        let loop = EventLoop()
        let caller = Task(executorPreference: loop) {
            withUnsafeCurrentTask { $0?.cancel() }
            return await subject.outcomes(of: ["a"]) { _ in .success(2) }
        }
        let opener = Task(executorPreference: loop) {
            for _ in 0..<100 { await Task.yield() }
            subject.gate.open()
        }
        #expect(await caller.value["a"] == .failure(APIError(.cancelled, "the caller left")))
        #expect(await other.value["a"] == .success(1))
        await opener.value
    }

    /// A task's cancellation is heard of before `cancel` returns: the one who leaves has cancelled the transfer.
    @Test func theTransferIsCancelledByTheLastWhoLeaves() async {
        let fetches = SharedFetches<String, Int>()
        let (gate, begun, isCancelled) = (Gate(), Gate(), Lock(false))
        let caller = Task {
            await fetches.outcomes(of: ["a"], onShared: { _ in }, known: { _ in nil }) { _ in
                await withTaskCancellationHandler {
                    begun.open()
                    try? await gate.wait()
                } onCancel: {
                    isCancelled.withLock { $0 = true }
                }
                return [:]
            }
        }
        try? await begun.wait()
        caller.cancel()
        #expect(await caller.value["a"] == .failure(APIError(.cancelled, "the caller left")))
        #expect(isCancelled.withLock { $0 })
        gate.open()
    }

    @Test func whatATransferDoesNotSayIsNotFound() async {
        let fetches = SharedFetches<String, Int>()
        let outcomes = await fetches.outcomes(of: ["a"], onShared: { _ in }, known: { _ in nil }) { _ in [:] }
        #expect(outcomes["a"] == .failure(APIError(.notFound, "the API has no such thing")))
    }

    @Test func manyComeAndGoAndEveryoneIsAnswered() async {
        let fetches = SharedFetches<Int, Int>()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<2000 {
                group.addTask {
                    let caller = Task {
                        let keys = (0..<5).map { (number + $0 * number) % 17 }
                        return await fetches.outcomes(of: keys, onShared: { _ in }, known: { _ in nil }) { keys in
                            await Task.yield()
                            return Dictionary(uniqueKeysWithValues: keys.map { ($0, .success($0)) })
                        }
                    }
                    if number % 3 == 0 { caller.cancel() }
                    for (key, outcome) in await caller.value {
                        #expect(outcome == .success(key) || number % 3 == 0)
                    }
                }
            }
        }
        for key in 0..<17 { #expect(!fetches.isUnderWay(key)) }
    }
}
