import System
import TestSupport
import Testing

@testable import DataSources

@Suite(.limited) struct QueryTurnsTests {
    private let timer = TimerMock()
    private let engines = Lock(0)
    private let waiting = Watched(0)
    private let abandoned = Watched(0)
    private let turns: QueryTurns

    init() {
        turns = QueryTurns(
            timer: timer, onWait: { [waiting] count in waiting.change { $0 = count } },
            onClose: { [abandoned] count in abandoned.change { $0 = count } }
        ) { [engines] in
            engines.withLock { $0 += 1 }
            return QueryEngine(file: nil, memoryLimit: 1 << 20)
        }
    }

    /// Starts a query that ends when the gate is open. Returns after the query has begun.
    private func start(_ name: String, _ gate: Gate, timeout: Milliseconds = 1000) async -> Task<
        Result<String, QueryError>, Never
    > {
        let begun = Gate()
        let query = Task { [turns] in
            await turns.run(within: timeout, late: { "late" }) { _ in
                begun.open()
                try? await gate.wait()
                return name
            }
        }
        try? await begun.wait()
        return query
    }

    @Test func queriesShareOneEngine() async {
        for name in ["a", "b"] {
            #expect(await turns.run(within: 1000, late: { "late" }) { _ in name } == .success(name))
        }
        #expect(engines.withLock { $0 } == 1)
    }

    @Test func queriesRunInTheOrderOfTheirCalls() async {
        let gate = Gate()
        let first = await start("first", gate)
        let order = Lock<[Int]>([])
        var queries: [Task<Void, Never>] = []
        for number in 1...3 {
            queries.append(
                Task { [turns] in
                    _ = await turns.run(within: 1000, late: { 0 }) { _ in
                        order.withLock { $0.append(number) }
                        return number
                    }
                })
            await waiting.wait { $0 == number }
        }
        #expect(order.withLock { $0 } == [])
        gate.open()
        for query in queries { await query.value }
        #expect(await first.value == .success("first"))
        #expect(order.withLock { $0 } == [1, 2, 3])
    }

    @Test func queryThatDoesNotEndIsAnsweredAfterItsTimeLimit() async {
        let gate = Gate()
        let slow = await start("slow", gate)
        timer.advance(milliseconds: 1049)
        // This query waits for its turn.
        let next = Task { [turns] in await turns.run(within: 1000, late: { "late" }) { _ in "next" } }
        await waiting.wait { $0 == 1 }
        timer.advance(milliseconds: 1)
        #expect(await slow.value == .success("late"))
        #expect(await next.value == .success("next"))
        #expect(engines.withLock { $0 } == 2)
        gate.open()
    }

    @Test func queryThatEndsBeforeItsTimeLimitIsNotAnsweredAgain() async {
        for _ in 0..<3 {
            #expect(await turns.run(within: 1000, late: { "late" }) { _ in "done" } == .success("done"))
            timer.advance(milliseconds: 700)
        }
        #expect(engines.withLock { $0 } == 1)
    }

    @Test func laterQueryHasItsOwnTimeLimit() async {
        for timeout in [60_000, 10] {
            let gate = Gate()
            let query = await start("slow", gate, timeout: timeout)
            timer.advance(milliseconds: timeout + 50)
            #expect(await query.value == .success("late"))
            gate.open()
        }
    }

    @Test func twoQueriesThatDoNotEndBlockFurtherQueriesUntilOneEnds() async {
        let gates = [Gate(), Gate()]
        for gate in gates {
            let query = await start("slow", gate)
            timer.advance(milliseconds: 1050)
            #expect(await query.value == .success("late"))
        }
        #expect(await turns.run(within: 1000, late: { "late" }) { _ in "next" } == .failure(.blocked))
        gates[0].open()
        await abandoned.wait { $0 == 1 }
        #expect(await turns.run(within: 1000, late: { "late" }) { _ in "next" } == .success("next"))
        gates[1].open()
    }

    @Test func queryThatIsCancelledBeforeItsTurnIsAnsweredAtOnce() async {
        let gate = Gate()
        let first = await start("first", gate)
        let second = Task { [turns] in await turns.run(within: 1000, late: { "late" }) { _ in "second" } }
        await waiting.wait { $0 == 1 }
        second.cancel()
        #expect(await second.value == .failure(.cancelled))
        gate.open()
        #expect(await first.value == .success("first"))
        #expect(await turns.run(within: 1000, late: { "late" }) { _ in "third" } == .success("third"))
    }

    @Test func cancelledQueryThatDoesNotEndIsAnsweredAfterAShortTime() async {
        let gate = Gate()
        let slow = await start("slow", gate, timeout: 60_000)
        slow.cancel()
        await timer.alarm(in: 50)
        timer.advance(milliseconds: 50)
        #expect(await slow.value == .success("late"))
        gate.open()
    }

    @Test func closeWaitsOnlyAShortTimeForAQueryThatDoesNotEnd() async {
        let gate = Gate()
        let slow = await start("slow", gate, timeout: 60_000)
        let closing = Task { [turns] in await turns.close() }
        await timer.alarm(in: 50)
        timer.advance(milliseconds: 50)
        await closing.value
        #expect(await slow.value == .success("late"))
        gate.open()
    }
}
