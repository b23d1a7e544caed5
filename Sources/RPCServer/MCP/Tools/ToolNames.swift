/// The names under which clients call the tools. Each name starts with the prefix of `--tool-prefix`, so that one agent
/// can use several Larder servers.
struct ToolNames: Sendable {
    /// The names of all tools, without the prefix of `--tool-prefix`.
    private static let all = [
        "get_item", "list_items", "search_cached", "query_cached", "prefetch_list", "sync_list", "describe_resource",
    ]

    /// The prefix of the tool names; nil for none.
    let prefix: String?

    /// Returns a tool's name with the prefix, if any.
    func name(_ name: String) -> String { prefix.map { "\($0)_\(name)" } ?? name }

    /// Adds the prefix, if any, to each tool name in a text.
    func text(_ text: String) -> String {
        guard prefix != nil else { return text }
        return Self.all.reduce(text) { $0.replacing($1, with: name($1)) }
    }
}
