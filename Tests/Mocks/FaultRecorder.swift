import DataSources
import System

/// Collects what data sources report as degraded.
public final class FaultRecorder: Sendable {
    private let reported = Lock<[DegradedPart]>([])

    /// A recorder of nothing yet.
    public init() {}

    /// What was reported, in order.
    public var parts: [DegradedPart] { reported.withLock { $0 } }

    /// Pass this as `onFault`.
    public var record: @Sendable (DegradedPart) -> Void {
        { part in self.reported.withLock { $0.append(part) } }
    }
}
