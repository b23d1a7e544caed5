import JSON
import Model
import System

/// The description of `sync`: how a sync asks for changes of a list.
// A class, so that resources stay small values.
public final class SyncDefinition: Sendable {
    /// The name of the filter that sends the time or number since when changes are wanted. No filter of a catalog has
    /// this name, because names of filters do not start with a space.
    public static let filter = " since"

    /// The list as a sync requests it: `list`, with the changes that `sync` declares. Its last filter is `filter`.
    public let list: ListDefinition
    public let style: Style
    /// The rule that recognises elements whose item was deleted; nil if the API does not report deletions.
    public let deleted: ElementRule?
    /// The rule that recognises elements to ignore; nil for none.
    public let skipped: ElementRule?
    /// The age of the last whole run at which the next run reads the whole list, in milliseconds.
    public let maxWholeAge: Milliseconds
    /// The names of the filters that an item never leaves. The changes of other filtered lists cannot be requested,
    /// because no answer contains the items that have left such a list.
    public let filters: [String]
    /// Whether the requests for the whole list are those of `list`, so that their pages can be stored.
    public let sharesPages: Bool
    /// Whether the declaration contains `${...}` references.
    public let isExpanded: Bool
    /// A hash of the declaration. If it changes, the whole list must be read.
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

    /// The way in which changes are requested.
    public enum Style: Sendable {
        /// The largest value that was seen is sent with the next request.
        case since(SinceDefinition)
    }

    /// The description of the style `since`.
    public var since: SinceDefinition {
        switch style {
        case .since(let since): since
        }
    }
}

/// A rule that recognises elements of a list by one of their values.
public struct ElementRule: Sendable {
    /// The selector of the value in the element.
    let when: JSONSelector
    /// The values for which the rule applies; nil for all but null, false and empty values.
    let values: [String]?

    /// Returns whether the rule applies to an element.
    public func applies(to element: JSONView) -> Bool {
        (when.selectAll(in: element) ?? []).contains { JSONValue($0.view).meets(values) }
    }
}
