import DataSources
import Repositories
import TestSupport

/// A recorder of observations, as text.
final class ObservationRecorder: Sendable {
    private let told = Watched<[String]>([])

    var entries: [String] { told.value }

    var note: @Sendable (Observation) -> Void {
        { [self] observation in
            let entry =
                switch observation {
                case .item(let answer): "item \(answer.value.text) \(answer.source)"
                case .page(let answer): "page \(answer.value.items.map(\.text).joined()) \(answer.source)"
                case .gone: "gone"
                }
            told.change { $0.append(entry) }
        }
    }

    /// Waits until `count` observations were recorded.
    func has(_ count: Int) async { await told.wait { $0.count >= count } }

    /// Waits until the last recorded observation is the given one.
    func endsWith(_ entry: String) async { await told.wait { $0.last == entry } }
}
