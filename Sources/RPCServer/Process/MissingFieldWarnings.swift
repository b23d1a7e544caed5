import JSON
import Protocol
import System

/// Logs a warning if no item of a result has a requested field, because the name of the field may be misspelt.
///
/// Needed only for resources whose catalog declares no fields. Other resources reject an unknown field.
package final class MissingFieldWarnings: Sendable {
    /// The maximum number of warnings in the life of the process.
    private static let limit = 100

    private let warn: @Sendable (String) -> Void
    /// The resources and fields of all earlier warnings.
    private let earlier = Lock<Set<[String]>>([])

    package init(warn: @escaping @Sendable (String) -> Void) { self.warn = warn }

    /// Logs a warning for each field that no item has, once per resource and field. Does nothing if there are no items.
    ///
    /// - Parameters:
    ///   - names: the names of the requested fields. A dotted name means a field of a nested object.
    ///   - items: the complete items as JSON, before the fields are selected.
    @_optimize(size)
    func check(_ names: [String], of resource: String, in items: some Sequence<[UInt8]>) {
        var missing = earlier.withLock { earlier in names.filter { !earlier.contains([resource, $0]) } }
        var known: [String]?
        for item in items {
            guard !missing.isEmpty else { return }
            guard let document = try? JSONDocument(item) else { continue }
            document.withRoot { view in
                missing.removeAll { Self.contains($0.split(separator: ".")[...], view) }
                if known == nil, !missing.isEmpty { known = view.members.compactMap { $0.key.string } }
            }
        }
        guard let known else { return }
        for name in missing where isFirst([resource, name]) {
            let hint = Suggestion.nearest(to: name, in: known).map { "did you mean '\($0)'?" } ?? "check its spelling"
            warn("no item of '\(resource)' has the field '\(name.prefix(100))'; \(hint)")
        }
    }

    /// Whether a value contains a field. An array contains a field if one of its elements does. The fields of null and
    /// of an empty array are unknown, so these values count as values with every field.
    private static func contains(_ path: ArraySlice<Substring>, _ view: JSONView) -> Bool {
        guard let name = path.first else { return true }
        switch view.kind {
        case .object: return view[String(name)].map { $0.isNull || contains(path.dropFirst(), $0) } ?? false
        case .array:
            var isEmpty = true
            for element in view.elements {
                if contains(path, element) { return true }
                isEmpty = false
            }
            return isEmpty
        default: return false
        }
    }

    private func isFirst(_ warning: [String]) -> Bool {
        earlier.withLock { $0.count < Self.limit && $0.insert(warning).inserted }
    }
}
