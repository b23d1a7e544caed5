import DataSources
import System

/// Logs unexpected answers that are not errors: items whose id differs from the requested id, and selectors that match
/// nothing. The log contains each anomaly only once.
final class AnomalyLog: Sendable {
    /// The maximum number of unexpected ids in the log. Without this limit, an API with many such ids would fill the
    /// log.
    private static let maxCount = 100

    private let warn: @Sendable (String) -> Void
    private let logged = Lock<Set<String>>([])

    init(warn: @escaping @Sendable (String) -> Void) { self.warn = warn }

    /// Logs an item whose id is not the requested id.
    ///
    /// - Parameters:
    ///   - other: the item's id.
    ///   - id: the requested id; nil for a request for several ids.
    func note(_ other: String, askedFor id: String?, _ resource: String) {
        let (isNew, isLast) = logged.withLock { logged in
            let isNew = logged.count < Self.maxCount && logged.insert(id ?? other).inserted
            return (isNew, logged.count == Self.maxCount)
        }
        guard isNew else { return }
        let requested = id.map { "'\(Self.short($0))' was requested" } ?? "other ids were requested"
        warn(
            "\(resource): the API returned the item '\(Self.short(other))', but \(requested); set \"strictIDs\" in the"
                + " catalog to make this an error" + (isLast ? "; further messages of this kind are not logged" : ""))
    }

    /// Logs the selectors of a list that match nothing in its first page. Such a selector may be misspelt.
    func note(unfound selectors: [String], _ resource: String) {
        for selector in selectors where logged.withLock({ $0.insert("selector \(selector)").inserted }) {
            warn(
                "\(resource): the selector \(selector) found nothing in the first page of the list; check its spelling"
                    + " in the catalog")
        }
    }

    private static func short(_ id: String) -> String { id.count <= 100 ? id : "(\(id.count) characters)" }
}
