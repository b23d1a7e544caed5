import System
import TestSupport
import Testing

@testable import DataSources

/// Who is told of which reply.
@Suite(.limited) struct AwaitedRepliesTests {
    private let told = Watched<[String]>([])
    private var awaited = AwaitedReplies()

    private mutating func append(_ name: String, _ count: Int = 1, at now: Int = 0, isWaited: Bool = false) {
        awaited.append(count, at: now, isWaited: isWaited) { [told] outcome in
            guard case .success(let replies) = outcome else { return told.change { $0.append("\(name) failed") } }
            told.change { $0.append("\(name): \(replies.count)") }
        }
    }

    @Test mutating func eachHearsOfItsOwn() {
        append("a", 2)
        append("b")
        for number in 1...3 { awaited.take(.integer(Int64(number)))?() }
        #expect(told.value == ["a: 2", "b: 1"] && awaited.isEmpty)
    }

    /// What comes for who waits no longer is passed over, and is nobody else's.
    @Test mutating func whoIsLateIsPassedOver() {
        append("posted", at: 100)
        append("old", 2, at: 100, isWaited: true)
        append("new", at: 101, isWaited: true)
        for then in awaited.takeLate(since: 100) { then(.failure(.late)) }
        #expect(told.value == ["old failed"] && awaited.takeLate(since: 100).isEmpty)
        for number in 1...4 { awaited.take(.integer(Int64(number)))?() }
        #expect(told.value == ["old failed", "posted: 1", "new: 1"] && awaited.isEmpty)
    }

    @Test mutating func whoIsLateIsNotToldOfTheEnd() {
        append("old", at: 100, isWaited: true)
        _ = awaited.takeLate(since: 100)
        #expect(awaited.completions.isEmpty && !awaited.isEmpty)
    }
}
