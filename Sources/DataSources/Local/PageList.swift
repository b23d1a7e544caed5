import System

/// A list of a resource: what all of its pages have in common.
struct PageList: Hashable {
    private let resource: ResourceKey
    private let text: String

    /// The list that a page is of.
    init(of page: PageKey) {
        resource = page.resource
        text = page.list
    }

    /// Equal byte by byte, as the keys of pages are.
    static func == (left: PageList, right: PageList) -> Bool {
        left.resource == right.resource && left.text.isIdentical(to: right.text)
    }
}
