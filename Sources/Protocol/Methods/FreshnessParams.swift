import JSON

/// How fresh an answer must be: `{"cachePolicy"?, "maxAge"?}` among the params of a method.
public struct FreshnessParams: Equatable, Sendable {
    /// Where the request says nothing.
    public static let standard = FreshnessParams(nil, nil)

    /// `localFirst` where the request says nothing.
    public let cachePolicy: CachePolicy
    /// The largest age in milliseconds at which a cached value is still fresh.
    public let maxAge: Int?

    init(_ cachePolicy: CachePolicy?, _ maxAge: Int?) {
        self.cachePolicy = cachePolicy ?? .localFirst
        self.maxAge = maxAge
    }
}
