import JSON
import Model
import System

/// The settings of `sync`: how Larder requests only the changes of a list.
// A class, so that resources stay small values.
public final class SyncDefinition: Sendable {
    /// The name of an internal filter in requests for changes. The value of the filter marks the start of the requested
    /// changes: an update time, a sequence number or a token. No filter in a catalog has this name, because the name
    /// starts with a space.
    public static let filter = " since"
    /// The default value of the key `whole`: the time in milliseconds after which a sync reads the whole list again. If
    /// the style is `token` and the API reports deletions, there is no time limit by default.
    ///
    /// If the cached copy of the list may lack items, a sync reads the whole list after at most this time, even if
    /// `whole` is greater.
    public static let standardWholeAge: Milliseconds = 7 * 86_400_000

    /// The list definition for requests of changes. Keys that `sync` lacks are taken from `list`. If these requests
    /// send a time, a number or a token in a parameter, the definition's `filters` end with an internal filter for this
    /// parameter (`SyncDefinition.filter`).
    public let list: ListDefinition
    /// The list definition for requests of the whole list; nil if `list` also applies to these requests.
    public let wholeList: ListDefinition?
    public let style: Style
    /// The rules for the elements in an answer with changes.
    public let elements: ElementRules
    /// The time in milliseconds after which a sync reads the whole list again, instead of only the changes.
    public let maxWholeAge: Milliseconds
    /// The names of the filters that a request for changes may contain. An item matches such a filter either always or
    /// never. With any other filter, a sync always reads the whole list, because the API does not report items that no
    /// longer match.
    public let filters: [String]
    /// Whether a sync of the whole list sends the same requests as the operation `list`. If true, the cache can store
    /// the received pages as pages of the list.
    public let sharesPages: Bool
    /// Whether the declaration of `sync` contains `${...}` references.
    public let isExpanded: Bool
    /// A hash of the declaration of `sync`. If the hash changes, the next sync reads the whole list.
    public let digest: String

    init(
        list: ListDefinition, wholeList: ListDefinition?, style: Style, elements: ElementRules,
        maxWholeAge: Milliseconds, filters: [String], sharesPages: Bool, declaration: String
    ) {
        (self.list, self.wholeList, self.style, self.elements) = (list, wholeList, style, elements)
        (self.maxWholeAge, self.filters, self.sharesPages) = (maxWholeAge, filters, sharesPages)
        isExpanded = declaration.contains("${")
        digest = String(Array(declaration.utf8).withUnsafeBytes { XXHash64.hash($0, seed: 0) }, radix: 16)
    }

    /// The ways to request only the changes of a list.
    public enum Style: Equatable, Sendable {
        /// Each request for changes sends the update time or sequence number of the last known change.
        case since(SinceDefinition)
        /// Each request for changes sends the token of the last answer.
        case token(TokenDefinition)
    }

    /// The settings of the style `since`; nil for another style.
    public var since: SinceDefinition? { if case .since(let since) = style { since } else { nil } }

    /// The settings of the style `token`; nil for another style.
    public var token: TokenDefinition? { if case .token(let token) = style { token } else { nil } }

    /// Returns the rules for the elements of an answer. Answers to requests of `wholeList` have no rules.
    ///
    /// - Parameter isWhole: whether the answer contains the whole list instead of its changes.
    public func elements(ofWholeList isWhole: Bool) -> ElementRules {
        isWhole && wholeList != nil ? ElementRules() : elements
    }
}

extension SyncDefinition: Equatable {
    /// Returns whether two definitions have the same settings. The texts of their declarations may differ.
    public static func == (left: SyncDefinition, right: SyncDefinition) -> Bool {
        (left.list, left.wholeList, left.style, left.elements)
            == (right.list, right.wholeList, right.style, right.elements)
            && (left.maxWholeAge, left.filters, left.sharesPages, left.isExpanded)
                == (right.maxWholeAge, right.filters, right.sharesPages, right.isExpanded)
    }
}

/// The requests of a sync: for the whole list, or for its changes.
public enum SyncRequests: Sendable {
    case wholeList, changes
}

/// A rule that recognizes list elements, such as deleted items, by a value in the element.
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
