import CatalogTools
import RPCServer
import System

/// All options of a command line: the process settings and the options of single commands.
@dynamicMemberLookup
struct CommandOptions: Equatable, Sendable {
    var process = Options()
    var isJSON = false
    /// The header fields for `catalog infer` and `catalog import`, each as `NAME: VALUE`.
    var headers: [String] = []
    /// The GraphQL types that `catalog infer` and `add` draft; empty for a REST API.
    var graphQLTypes: [String] = []
    /// The choices for `catalog import`.
    var choice = CatalogImportChoice()
    /// Whether `check` also tests the operations of the catalog (`--live`).
    var isLive = false
    /// Whether `check --live` makes all corrections of the catalog that are certain (`--fix`).
    var isFixed = false
    /// Whether `add` replaces an existing catalog (`--force`).
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
