import DataSources
import System

/// What is not as it should be, for `server/status`. A part stands there once, with its newest reason.
final class StatusBoard: Sendable {
    private let parts = Lock<[DegradedPart]>([])

    var degraded: [DegradedPart] { parts.withLock { $0 } }

    /// A part works as it should again.
    func clear(_ part: String) {
        parts.withLock { parts in parts.removeAll { $0.part == part } }
    }

    func note(_ part: DegradedPart) {
        parts.withLock { parts in
            parts.removeAll { $0.part == part.part }
            parts.append(part)
        }
    }
}
