import DataSources
import Repositories

/// What an observer was told, as text.
final class Diary: Sendable {
    private let told = Lock<[String]>([])

    var entries: [String] { told.withLock { $0 } }

    var note: @Sendable (Observation) -> Void {
        { [self] observation in
            let entry =
                switch observation {
                case .item(let answer): "item \(answer.value.text) \(answer.source)"
                case .page(let answer): "page \(answer.value.items.map(\.text).joined()) \(answer.source)"
                case .gone: "gone"
                }
            told.withLock { $0.append(entry) }
        }
    }

    /// Waits until so many were told.
    func has(_ count: Int) async { await Stage.until { entries.count >= count } }
}
