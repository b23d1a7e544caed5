import DataSources
import System

/// Records the faults that data sources report.
public final class FaultRecorder: Sendable {
    private let reported = Lock<[DegradedPart]>([])

    /// Creates an empty recorder.
    public init() {}

    /// The reported faults, in order.
    public var parts: [DegradedPart] { reported.withLock { $0 } }

    /// The handler to pass as `onFault`.
    public var record: @Sendable (DegradedPart) -> Void {
        { part in self.reported.withLock { $0.append(part) } }
    }
}
