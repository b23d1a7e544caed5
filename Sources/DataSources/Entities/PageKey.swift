import System

/// Under what a page is kept.
public struct PageKey: Hashable, Sendable {
    /// The resource whose items the page lists.
    public let resource: ResourceKey
    /// The list's parameters in one canonical text, the page among them.
    public let request: String
    /// The list that the page is of: its filters in one canonical text.
    public let list: String

    /// A key.
    public init(resource: ResourceKey, request: String, list: String = "{}") {
        self.resource = resource
        self.request = request
        self.list = list
    }

    /// The key of the page that is asked for.
    public init(resource: ResourceKey, _ request: PageRequest) {
        self.init(resource: resource, request: request.canonical, list: request.canonicalList)
    }

    /// Equal byte by byte: an API may tell filters apart that `String` takes for the same.
    public static func == (left: PageKey, right: PageKey) -> Bool {
        left.resource == right.resource && left.request.isIdentical(to: right.request)
    }

    /// The request tells: it covers the list.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(resource)
        hasher.combine(request)
    }
}
