import System
import TestSupport
import Testing

@testable import DataSources
@testable import Model

@Suite(.limited) struct LargeBodiesTests {
    private static var thread: String { "\(pthread_self())" }

    private static func read(_ size: Int) async -> (here: String, there: String, after: String) {
        let here = thread
        return (here, await LargeBodies.reading(size) { thread }, thread)
    }

    @Test func onlyLargeBodiesAreReadOutsideTheEventLoop() async {
        let loop = EventLoop()
        let small = await Task(executorPreference: loop) { await Self.read(LargeBodies.threshold - 1) }.value
        #expect(small.there == small.here && small.after == small.here)
        let large = await Task(executorPreference: loop) { await Self.read(LargeBodies.threshold) }.value
        #expect(large.there != large.here && large.after == large.here)
    }

    @Test func errorWhileReadingALargeBodyIsRethrown() async {
        await #expect(throws: APIError.self) {
            try await LargeBodies.reading(1 << 30) { () throws(APIError) in throw APIError(.decodingFailed, "no") }
        }
    }
}
