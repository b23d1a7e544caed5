/// Under what a page is kept.
public struct PageKey: Hashable, Sendable {
    /// The resource whose items the page lists.
    public let resource: ResourceKey
    /// The list's parameters in one canonical text, the page among them.
    public let request: String

    /// A key.
    public init(resource: ResourceKey, request: String) {
        self.resource = resource
        self.request = request
    }

    /// Equal byte by byte: an API may tell filters apart that `String` takes for the same.
    public static func == (left: PageKey, right: PageKey) -> Bool {
        left.resource == right.resource && left.request.isIdentical(to: right.request)
    }
}
