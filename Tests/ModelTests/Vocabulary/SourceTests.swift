import JSON
import Model
import TestSupport
import Testing

@Suite(.limited) struct SourceTests {
    @Test func sourcesAreOrderedByDistance() {
        let sources: [Source] = [.memory, .persistence, .shared, .remote]
        for (near, nearer) in sources.enumerated() {
            for (far, farther) in sources.enumerated() {
                #expect((nearer < farther) == (near < far), "\(nearer) and \(farther)")
            }
        }
    }
}
