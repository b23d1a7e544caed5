import TestSupport
import Testing

@testable import Redis

/// Tests the pauses before Larder connects to a failed server again.
@Suite(.limited) struct CircuitBreakerTests {
    @Test func connectionPausesStartAtTheSecondFailureAndDouble() {
        var breaker = CircuitBreaker()
        let pauses = (0..<10).map { _ in breaker.fail() }
        #expect(pauses == [0, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000])
    }

    @Test func answerOfTheRedisServerResetsThePauses() {
        var breaker = CircuitBreaker()
        for _ in 0..<5 { _ = breaker.fail() }
        breaker.succeed()
        #expect([breaker.fail(), breaker.fail()] == [0, 1000])
        breaker.succeed()
        #expect([breaker.fail(), breaker.fail(), breaker.fail()] == [0, 1000, 2000])
    }

    @Test func refusedConnectionOpensTheCircuitBreakerAtOnce() {
        var breaker = CircuitBreaker()
        #expect(breaker.fail(opensAtOnce: true) == 1000)
        #expect(breaker.fail() == 2000)
        #expect(breaker.fail(opensAtOnce: true) == 4000)
    }
}
