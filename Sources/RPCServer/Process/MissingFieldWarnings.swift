import JSON
import Protocol
import System

/// Logs a warning if no item of a result has a requested field, because the name of the field may be misspelt.
///
/// The warnings are only for resources without declared fields. All other resources reject an unknown field.
package final class MissingFieldWarnings: Sendable {
    /// The maximum number of fields that one process checks.
    private static let limit = 1000

    private let warn: @Sendable (String) -> Void
    /// The fields that need no further check, each with its resource: an item had the field, or a warning was logged.
    private let settled = Lock<Set<[String]>>([])
    /// The suggested corrections of misspelt field names. The key is a requested field that no item of a result had.
    /// The value is the most similar field name in the first item of that result.
    private let similar = Lock<[String: String]>([:])

    package init(warn: @escaping @Sendable (String) -> Void) { self.warn = warn }

    /// Returns the suggested correction of a misspelt field name; nil if there is none.
    package func similar(to field: String) -> String? { similar.withLock { $0[field] } }

    /// Logs a warning for each field that no item has, unless an item of an earlier result had the field. Logs at most
    /// one warning for a field of a resource. Does nothing if there are no items.
    ///
    /// - Parameters:
    ///   - names: the names of the requested fields. A dotted name means a field of a nested object.
    ///   - items: the complete items as JSON, before the fields are selected.
    @_optimize(size)
    func check(_ names: [String], of resource: String, in items: some Sequence<[UInt8]>) {
        // Most reads end here, without a look at the items.
        let unsettled = settled.withLock { settled in
            settled.count < Self.limit ? names.filter { !settled.contains([resource, $0]) } : []
        }
        guard !unsettled.isEmpty else { return }
        var missing = unsettled
        // For each missing name, the most similar field of the first item; nil before the first item.
        var near: [String: String]?
        for item in items {
            guard !missing.isEmpty else { break }
            guard let document = try? JSONDocument(item) else { continue }
            document.withRoot { view in
                missing.removeAll { FieldPath.contains($0.split(separator: ".")[...], view) }
                if near == nil, !missing.isEmpty {
                    let found = missing.compactMap { name in FieldPath.similar(to: name, in: view).map { (name, $0) } }
                    near = Dictionary(found) { first, _ in first }
                }
            }
        }
        // Without items, nothing is known about the fields.
        guard near != nil || missing.count < unsettled.count else { return }
        for name in unsettled where isFirst([resource, name]) && missing.contains(name) {
            let near = near?[name]
            if let near { similar.withLock { $0[name] = near } }
            let hint = near.map { "did you mean '\($0)'?" } ?? "check its spelling"
            warn("no item of '\(resource)' has the field '\(name.prefix(100))'; \(hint)")
        }
    }

    /// Records that a field needs no further check. Returns false if another thread has already recorded it.
    private func isFirst(_ field: [String]) -> Bool { settled.withLock { $0.insert(field).inserted } }
}
