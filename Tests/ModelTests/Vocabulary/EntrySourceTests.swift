import JSON
import Model
import TestSupport
import Testing

@Suite(.limited) struct EntrySourceTests {
    @Test func sourcesOfAnswersAreOrderedFromMemoryToRemote() {
        let sources: [Source] = [.memory, .persistence, .shared, .remote]
        for (leftIndex, left) in sources.enumerated() {
            for (rightIndex, right) in sources.enumerated() {
                #expect((left < right) == (leftIndex < rightIndex), "\(left) and \(right)")
            }
        }
    }
}
