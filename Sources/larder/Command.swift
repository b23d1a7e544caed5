import RPCServer
import System

/// A parsed command line.
enum Command: Equatable {
    /// Serves requests on stdin and stdout.
    case serve(CommandOptions)
    /// Sends one request and prints its result.
    case call(method: String, arguments: [String], CommandOptions)
    /// Runs `get`, `list`, `search` or `prefetch`.
    case people(TerminalRequest, CommandOptions)
    /// Opens the web page of an item.
    case open(TerminalRequest, CommandOptions)
    /// Lists the resources of the catalog.
    case resources(CommandOptions)
    /// Prints the help on a resource of the catalog.
    case resourceHelp(String, CommandOptions)
    /// Adds a catalog for what is at a URL or in a file.
    case add(name: String, source: String, CommandOptions)
    /// Removes a catalog that the user has added.
    case remove(String)
    /// Lists the shipped catalogs and those of the user.
    case catalogs(CommandOptions)
    /// Checks the catalog at the path; nil for the catalog that larder would serve.
    case check(FilePath?, CommandOptions)
    /// Runs a subcommand of `catalog` with its arguments.
    case catalog(CatalogAction, [String], CommandOptions)
    /// Runs a subcommand of `cache`. `clear` can be limited to a resource.
    case cache(CacheAction, resource: String?, CommandOptions)
    /// Checks everything that Larder needs, such as the cache file and the network.
    case doctor(CommandOptions)
    /// Prints the configuration with which an MCP host starts Larder, including these options.
    case mcpConfig([GivenOption], CommandOptions)
    /// Writes an MCP bundle that starts Larder with these options.
    case mcpBundle(FilePath?, [GivenOption], CommandOptions)
    case help
    /// Prints a text, such as a topic of the help or a completion script.
    case show(String)
    case version
    /// Prints the completions for the last of these arguments.
    case complete([String])
}

/// A subcommand of `larder cache`.
enum CacheAction: String, CaseIterable {
    /// Prints the result of `cache/stats`.
    case stats
    /// Removes all entries from the cache and prints their number.
    case clear
    /// Prints the path of the cache file.
    case path

    static var names: [String] { allCases.map(\.rawValue) }
}

/// An option with a valid value, as the user wrote it on the command line.
struct GivenOption: Equatable {
    let name: String
    /// The option's value; nil for an option that takes no value.
    let value: Argument?
}

/// An invalid command line. The exit code is 64 (EX_USAGE).
struct UsageError: Error, Equatable {
    let message: String
}
