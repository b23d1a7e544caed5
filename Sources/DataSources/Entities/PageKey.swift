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
}
