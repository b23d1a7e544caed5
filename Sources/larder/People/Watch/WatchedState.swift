import JSON
import System

/// The last known state of a watched item or list.
struct WatchedState {
    /// The item, or the items of the page; empty if there are none.
    let items: [JSONValue]
    /// The time at which the data was fetched; nil if there is no data.
    let fetchedAt: Timestamp?
    let origin: OriginText

    /// Creates the state of an item that does not exist.
    init() { (items, fetchedAt, origin) = ([], nil, OriginText()) }

    /// Creates the state from the JSON result of the method `get` or `list`.
    init(_ result: JSONValue) {
        items = result["item"].map { [$0] } ?? result["items"]?.elements ?? []
        fetchedAt = result["fetchedAt"]?.string.flatMap { DateText($0) }.map {
            Timestamp(milliseconds: $0.milliseconds)
        }
        var origin = OriginText()
        origin.add(result)
        self.origin = origin
    }

    /// Returns the error message of a request that failed and was answered from the cache; nil for any other request.
    static func failure(of result: JSONValue) -> String? { result["fallback"]?["message"]?.string }
}
