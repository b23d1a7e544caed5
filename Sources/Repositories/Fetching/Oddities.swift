import DataSources
import System

/// Tells of what is odd in answers and no error, each once: items that say they have another id than the one that was
/// asked for, and selectors that find nothing.
final class Oddities: Sendable {
    /// An API that does so always would fill the log.
    private static let most = 100

    private let warn: @Sendable (String) -> Void
    private let told = Lock<Set<String>>([])

    init(warn: @escaping @Sendable (String) -> Void) { self.warn = warn }

    /// An item of a resource that was asked for by `id`; nil for one of several that were.
    func note(_ other: String, askedFor id: String?, _ resource: String) {
        let (isNew, isLast) = told.withLock { told in
            let isNew = told.count < Self.most && told.insert(id ?? other).inserted
            return (isNew, told.count == Self.most)
        }
        guard isNew else { return }
        let asked = id.map { "'\(Self.short($0))'" } ?? "others"
        warn(
            "\(resource): asked for \(asked), the API sent an item with the id '\(Self.short(other))'; "
                + "with \"strictIDs\" in the catalog this is an error" + (isLast ? "; no more are told" : ""))
    }

    /// A list's selectors that found nothing in its first page: that may be right, or misspelt.
    func note(unfound selectors: [String], _ resource: String) {
        for selector in selectors where told.withLock({ $0.insert("selector \(selector)").inserted }) {
            warn("\(resource): the selector \(selector) in 'list' of the catalog finds nothing in the first page")
        }
    }

    private static func short(_ id: String) -> String { id.count <= 100 ? id : "(\(id.count) characters)" }
}
