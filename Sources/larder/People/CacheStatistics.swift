import JSON
import Protocol
import RPCServer
import System

/// The contents of the cache as text for a terminal (`larder cache stats`).
struct CacheStatistics {
    private let rows: [JSONValue]
    private let file: JSONValue

    /// Counts the cached items of each resource. If the cache cannot be read, reports the error on stderr and returns
    /// nil.
    init?(_ process: Process) {
        let client = InProcessClient(process.serving)
        let (result, error) = client.ask("cache/stats", nil)
        guard let result else {
            ErrorStream.fail("larder: \(error?["message"]?.string ?? "no reply")\n")
            return nil
        }
        file = result["persistence"] ?? .null
        guard case .object(let resources)? = result["resources"] else { return nil }
        rows = resources.members.map { resource in
            ["resource": .string(resource.key), "items": Self.count(of: resource.key, client) ?? .null]
        }
    }

    /// Adds the number of cached items, `items`, to each resource in a result of `cache/stats`.
    static func withItems(_ result: JSONValue, _ process: Process) -> JSONValue {
        guard case .object(var amended) = result, case .object(var resources)? = amended["resources"] else {
            return result
        }
        let client = InProcessClient(process.serving)
        for member in resources.members {
            guard case .object(let numbers) = member.value, let count = count(of: member.key, client) else { continue }
            resources[member.key] = .object(JSONObject([("items", count)] + numbers.members.map { ($0.key, $0.value) }))
        }
        amended["resources"] = .object(resources)
        return .object(amended)
    }

    /// Returns the number of cached items of a resource, as counted by a search. Returns nil for a resource with
    /// required scope parameters, because the search would need their values.
    private static func count(of resource: String, _ client: InProcessClient) -> JSONValue? {
        client.ask("\(resource)/search", ["limit": 1]).result?["count"]
    }

    /// Removes entries from the cache, and returns a sentence about them. If the entries cannot be removed, reports the
    /// error on stderr and returns nil.
    static func cleared(_ process: Process, _ params: JSONValue) -> String? {
        let (result, error) = InProcessClient(process.serving).ask("cache/remove", params)
        guard let removed = result?["removed"]?.int else {
            ErrorStream.fail("larder: \(error?["message"]?.string ?? "no reply")\n")
            return nil
        }
        return "removed \(OriginText.count(removed, "item or page", "items and pages"))\n"
    }

    /// Returns a table of the resources, and lines about the cache file.
    func text(_ view: TerminalView) -> String {
        WrappingTable.text(rows, fields: ["resource", "items"], note: "", view)
            + notes.flatMap { TextWidth.wrap($0, to: view.terminal.width) }.map { view.paint.aside($0) + "\n" }.joined()
    }

    private var notes: [String] {
        let size = "\(SizeText.of(file["bytes"]?.int ?? 0)) of \(SizeText.of(file["limit"]?.int ?? 0))"
        let entries = OriginText.count(file["entries"]?.int ?? 0, "item or page", "items and pages")
        let state = file["state"]?.string ?? "unknown"
        let path = file["path"]?.string.map { VisibleText.line($0) } ?? "no cache file"
        return ["\(entries), \(size), state \(state)", path]
    }
}
