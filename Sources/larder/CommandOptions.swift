import CatalogTools
import RPCServer
import System

/// All options of a command line: the settings of the server process, and the options that only some commands accept.
@dynamicMemberLookup
struct CommandOptions: Equatable, Sendable {
    var process = Options()
    var isJSON = false
    /// The header fields for `catalog infer` and `catalog import`, each as `NAME: VALUE`.
    var headers: [String] = []
    /// The GraphQL types for which `catalog infer` and `add` create resources in the draft catalog; empty for a REST
    /// API.
    var graphQLTypes: [String] = []
    /// The user's choices for `catalog import`, such as the fields that the draft contains.
    var choice = CatalogImportChoice()
    /// Whether `check` also tests the operations of the catalog (`--live`).
    var isLive = false
    /// Whether `check --live` corrects the catalog (`--fix`). The command makes only corrections that are certain to be
    /// right.
    var isFixed = false
    /// Whether the command replaces an existing catalog, file or table (`--force`).
    var isForced = false
    /// Whether `add` tests the new catalog. Set to false by `--no-live`.
    var triesLive = true
    /// The values from the options `--with NAME=VALUE`, by name.
    var given: [String: String] = [:]
    /// The MCP host whose configuration `mcp config` prints.
    var host = MCPHost.generic
    /// The options of `get`, `list`, `search` and `prefetch`.
    var people = TerminalOptions()

    subscript<Value>(dynamicMember path: any WritableKeyPath<Options, Value> & Sendable) -> Value {
        get { process[keyPath: path] }
        set { process[keyPath: path] = newValue }
    }
}
