import Catalog
import Model

/// The position of a page in the local copy of a list, and the conversion to page tokens.
///
/// If the list has page numbers or offsets, the pages of the copy have them, too. Otherwise, the token of a page is a
/// string such as `larder-copy:100`.
struct CopiedPosition: Equatable {
    /// The number of items on a page of a local copy.
    static let pageSize = 100
    private static let prefix = "larder-copy:"

    /// The number of items before the page.
    let index: Int
    /// Whether the page token belongs to a local copy. Such a token is unknown to the API.
    let isOfCopy: Bool

    /// Creates the position of the page with the given token. Returns nil if no page of a local copy has this token.
    init?(_ token: PageToken, in list: ListDefinition) {
        isOfCopy = if case .opaque(let text) = token { text.hasPrefix(Self.prefix) } else { false }
        if token == list.firstPage {
            index = 0
            return
        }
        switch (token, list.pageForm) {
        case (.opaque(let text), .opaque):
            guard isOfCopy, let index = Int(text.dropFirst(Self.prefix.count)), index >= 0 else { return nil }
            self.index = index
        case (.number(let offset), .number) where Self.hasOffsets(list): index = offset
        case (.number(let number), .number(let first)):
            let (index, overflows) = number.subtractingReportingOverflow(first).partialValue
                .multipliedReportingOverflow(by: Self.pageSize)
            guard !overflows, index >= 0 else { return nil }
            self.index = index
        default: return nil
        }
    }

    /// Returns the token of the page that starts after `index` items.
    static func token(_ index: Int, in list: ListDefinition) -> PageToken {
        switch list.pageForm {
        case .number where hasOffsets(list): .number(index)
        case .number(let first): .number(first + index / pageSize)
        case .opaque: index == 0 ? list.firstPage : .opaque("\(prefix)\(index)")
        }
    }

    private static func hasOffsets(_ list: ListDefinition) -> Bool { list.pagination.style is OffsetPagination }
}
