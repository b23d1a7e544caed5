import JSON
import Model
import System

/// The settings of `sync`: how Larder requests only the changes of a list.
// A class, so that resources stay small values.
public final class SyncDefinition: Sendable {
    /// The name of an internal filter, which sends the time or number from which changes are requested. Filters of a
    /// catalog never have this name, because their names do not start with a space.
    public static let filter = " since"

    /// The definition of the list, in which the keys of `sync` replace the keys of `list`. The last filter is the
    /// internal filter named `SyncDefinition.filter`.
    public let list: ListDefinition
    public let style: Style
    /// The rule that recognises list elements that represent deleted items; nil if the API does not report deletions.
    public let deleted: ElementRule?
    /// The rule that recognises list elements to ignore; nil if no element is ignored.
    public let skipped: ElementRule?
    /// The time in milliseconds after which a sync reads the whole list again, instead of only the changes.
    public let maxWholeAge: Milliseconds
    /// The names of the filters that an item still matches after every change. If a list has another filter, a sync
    /// always reads the whole list, because the API does not report items that no longer match.
    public let filters: [String]
    /// Whether a sync of the whole list sends the same requests as `list`. If true, the cache can store the received
    /// pages as pages of the list.
    public let sharesPages: Bool
    /// Whether the declaration of `sync` contains `${...}` references.
    public let isExpanded: Bool
    /// A hash of the declaration of `sync`. If the hash changes, the next sync reads the whole list.
    public let digest: String

    init(
        list: ListDefinition, style: Style, deleted: ElementRule?, skipped: ElementRule?, maxWholeAge: Milliseconds,
        filters: [String], sharesPages: Bool, declaration: String
    ) {
        (self.list, self.style, self.deleted, self.skipped) = (list, style, deleted, skipped)
        (self.maxWholeAge, self.filters, self.sharesPages) = (maxWholeAge, filters, sharesPages)
        isExpanded = declaration.contains("${")
        digest = String(Array(declaration.utf8).withUnsafeBytes { XXHash64.hash($0, seed: 0) }, radix: 16)
    }

    /// The ways to request only the changes of a list.
    public enum Style: Equatable, Sendable {
        /// Each request for changes sends the time or number of the last known change.
        case since(SinceDefinition)
    }

    /// The settings of the style `since`.
    public var since: SinceDefinition {
        switch style {
        case .since(let since): since
        }
    }
}

extension SyncDefinition: Equatable {
    /// Compares the settings, and not the text of the declaration.
    public static func == (left: SyncDefinition, right: SyncDefinition) -> Bool {
        (left.list, left.style, left.deleted, left.skipped) == (right.list, right.style, right.deleted, right.skipped)
            && (left.maxWholeAge, left.filters, left.sharesPages, left.isExpanded)
                == (right.maxWholeAge, right.filters, right.sharesPages, right.isExpanded)
    }
}

/// A rule that recognises list elements, such as deleted items, by a value in the element.
public struct ElementRule: Equatable, Sendable {
    /// The selector of the value that the rule tests.
    let when: JSONSelector
    /// The values for which the rule applies. If nil, the rule applies to all values except null, false and empty
    /// values.
    let values: [String]?

    /// Returns whether the rule applies to a list element.
    public func applies(to element: JSONView) -> Bool {
        (when.selectAll(in: element) ?? []).contains { JSONValue($0.view).meets(values) }
    }
}
