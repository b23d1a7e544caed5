import DataSources
import System

/// Logs what is unexpected in answers and no error, each once: items with another id than the one that was asked for,
/// and selectors that find nothing.
final class AnomalyLog: Sendable {
    /// An API that always does so would fill the log.
    private static let maxCount = 100

    private let warn: @Sendable (String) -> Void
    private let told = Lock<Set<String>>([])

    init(warn: @escaping @Sendable (String) -> Void) { self.warn = warn }

    /// Logs an item that came with the id `other`.
    ///
    /// - Parameter id: the id that was asked for; nil if there were several.
    func note(_ other: String, askedFor id: String?, _ resource: String) {
        let (isNew, isLast) = told.withLock { told in
            let isNew = told.count < Self.maxCount && told.insert(id ?? other).inserted
            return (isNew, told.count == Self.maxCount)
        }
        guard isNew else { return }
        let asked = id.map { "'\(Self.short($0))'" } ?? "others"
        warn(
            "\(resource): asked for \(asked), the API sent an item with the id '\(Self.short(other))'; "
                + "with \"strictIDs\" in the catalog this is an error" + (isLast ? "; no more are logged" : ""))
    }

    /// Logs a list's selectors that found nothing in its first page: these may be right, or misspelt.
    func note(unfound selectors: [String], _ resource: String) {
        for selector in selectors where told.withLock({ $0.insert("selector \(selector)").inserted }) {
            warn("\(resource): the selector \(selector) in 'list' of the catalog finds nothing in the first page")
        }
    }

    private static func short(_ id: String) -> String { id.count <= 100 ? id : "(\(id.count) characters)" }
}
