import System
import TestSupport
import Testing

@testable import HTTP

@Suite(.limited) struct BodyBudgetTests {
    private static func take(_ count: Int, _ body: inout HTTPBody) -> String {
        [UInt8](repeating: 0, count: count).withUnsafeBytes { part in
            switch body.take(part) {
            case .taken: "taken"
            case .noRoom(let need): "\(need.minimum) or \(need.desired)"
            case .refused(let error): "\(error.reason)"
            }
        }
    }

    @Test func lastReferenceToALeaseReleasesItsBytes() {
        let budget = BodyBudget(limit: 100)
        var lease: BodyLease? = BodyLease(budget)
        #expect(lease?.grow(to: 60) == true)
        let other = lease
        lease = nil
        #expect(budget.used == 60)
        #expect(BodyLease(budget).grow(to: 41) == false)
        withExtendedLifetime(other) {}
    }

    @Test func reservedBytesDoNotExceedTheBodyBudget() {
        let budget = BodyBudget(limit: 100)
        let (one, other) = (BodyLease(budget), BodyLease(budget))
        #expect(one.grow(to: 60))
        #expect(!other.grow(to: 41))
        #expect(one.grow(to: 50) && budget.used == 60)
        one.shrink(to: 59)
        #expect(budget.used == 59)
        #expect(other.grow(to: 41, hasPriority: true))
        #expect(!one.grow(to: 60))
    }

    @Test func newBodyDoesNotOvertakeAWaitingBody() {
        let budget = BodyBudget(limit: 100)
        let (one, two, three) = (BodyLease(budget), BodyLease(budget), BodyLease(budget))
        #expect(one.grow(to: 60))
        #expect(!two.grow(to: 50))
        #expect(budget.hasWaiters)
        #expect(!three.grow(to: 1))
        // A body that has started may continue, because it will release its bytes at the end.
        #expect(one.grow(to: 61))
        budget.clearWaiters()
        #expect(three.grow(to: 1))
    }

    @Test func freedBytesWakeAWaitingBody() {
        let budget = BodyBudget(limit: 100)
        let calls = Lock(0)
        budget.setRoomHandler { calls.withLock { $0 += 1 } }
        do {
            let one = BodyLease(budget)
            #expect(one.grow(to: 100))
            one.shrink(to: 90)
            #expect(calls.withLock { $0 } == 0)
            #expect(!BodyLease(budget).grow(to: 20))
        }
        #expect(calls.withLock { $0 } == 1)
        #expect(budget.used == 0)
    }

    @Test func bodyOfKnownSizeReservesItsWholeSize() {
        let budget = BodyBudget(limit: 1000)
        var body = HTTPBody(limit: 10_000, of: budget)
        #expect(body.expect(800) == nil)
        #expect(Self.take(1, &body) == "taken")
        #expect(budget.used == 800)
        var other = HTTPBody(limit: 10_000, of: budget)
        #expect(other.expect(300) == nil)
        #expect(Self.take(1, &other) == "1 or 300")
        #expect(other.bytes.isEmpty)
        body.end()
        #expect(budget.used == 1)
        #expect(Self.take(1, &other) == "1 or 300", "another body still waits")
        #expect(other.lease?.grow(to: 300, hasPriority: true) == true)
        #expect(Self.take(300, &other) == "taken")
    }

    @Test func largeBodyOfUnknownSizeReservesItsMaximum() {
        let budget = BodyBudget(limit: 10_240)
        var body = HTTPBody(limit: 5000, of: budget)
        #expect(Self.take(20, &body) == "taken")
        #expect(budget.used == 20)
        #expect(Self.take(1, &body) == "taken")
        #expect(budget.used == 5000)
        body.end()
        #expect(budget.used == 21)
    }

    @Test func pausedBodyContinuesWithTheRemainingBytes() {
        let budget = BodyBudget(limit: 10_000)
        let other = BodyLease(budget)
        #expect(other.grow(to: 100))
        var body = HTTPBody(limit: 10_000, of: budget)
        #expect(Self.take(50, &body) == "50 or 10000")
        #expect(body.lease?.growPartially(to: 10_000, minimum: 9901) == false)
        #expect(budget.used == 100)
        #expect(body.lease?.growPartially(to: 10_000, minimum: 9900) == true)
        #expect(budget.used == 10_000)
        #expect(Self.take(50, &body) == "taken", "the body continues with less than its maximum")
        #expect(Self.take(9851, &body) == "9901 or 10000")
        #expect(Self.take(9850, &body) == "taken")
        #expect(body.lease?.growPartially(to: 9000, minimum: 9000) == true && budget.used == 10_000)
    }

    @Test func oversizedBodiesAreRejected() {
        let budget = BodyBudget(limit: 100)
        var body = HTTPBody(limit: 1000, of: budget)
        #expect(body.expect(1001) == .tooLarge(limit: 1000))
        #expect(body.expect(101) == HTTPError(.exceedsBodyBudget(limit: 100)))
        #expect(Self.take(101, &body) == "\(HTTPError.Reason.exceedsBodyBudget(limit: 100))")
        var small = HTTPBody(limit: 10, of: budget)
        #expect(Self.take(11, &small) == "\(HTTPError.Reason.tooLarge(limit: 10))")
        #expect(budget.used == 0)
        #expect(small.expect(10) == nil && body.expect(100) == nil)
        #expect(Self.take(10, &small) == "taken" && budget.used == 10)
        small = HTTPBody(limit: 10, of: budget)
        #expect(Self.take(100, &body) == "taken" && budget.used == 100)
    }

    @Test func negativeContentLengthReservesNothing() {
        let budget = BodyBudget(limit: 100)
        var body = HTTPBody(limit: 10, of: budget)
        #expect(body.expect(-5) == nil)
        #expect(Self.take(3, &body) == "taken" && budget.used == 3)
    }
}
