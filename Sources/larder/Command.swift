import RPCServer
import System

/// A parsed command line.
enum Command: Equatable {
    /// Serves requests on stdin and stdout.
    case serve(CommandOptions)
    /// Sends one request and prints the result.
    case call(method: String, arguments: [String], CommandOptions)
    /// Shows the data of a resource: runs `get`, `list`, `search` or `prefetch`.
    case people(TerminalRequest, CommandOptions)
    /// Updates all local copies of lists.
    case syncAll(CommandOptions)
    /// Runs an SQL statement over the cached items.
    case sql(SQLRequest, CommandOptions)
    /// Prints an item or a list, and then each change. The associated request is a `get` or a `list`.
    case watch(TerminalRequest, CommandOptions)
    /// Opens the web page of an item.
    case open(TerminalRequest, CommandOptions)
    /// Lists the resources of the catalog.
    case resources(CommandOptions)
    /// Prints the help on a resource of the catalog.
    case resourceHelp(String, CommandOptions)
    /// Adds a catalog for the API at a URL, or for the API that a file describes.
    case add(name: String, source: String, CommandOptions)
    /// Removes a catalog that the user has added.
    case remove(String)
    /// Lists the shipped catalogs and the user's own catalogs.
    case catalogs(CommandOptions)
    /// Checks the catalog at a path. If the path is nil, checks the catalog that the server would use.
    case check(FilePath?, CommandOptions)
    /// Runs a subcommand of `catalog` with its arguments.
    case catalog(CatalogAction, [String], CommandOptions)
    /// Runs a subcommand of `cache`. With a resource, `clear` removes only the entries of this resource.
    case cache(CacheAction, resource: String?, CommandOptions)
    /// Writes the tables that `larder sql` can read to an SQLite file.
    case export(FilePath, CommandOptions)
    /// Checks that Larder works, including the cache file, the catalog and the network.
    case doctor(CommandOptions)
    /// Prints the configuration with which an MCP host starts Larder. The configuration includes the given options.
    case mcpConfig([GivenOption], CommandOptions)
    /// Writes an MCP bundle that starts Larder with the given options.
    case mcpBundle(FilePath?, [GivenOption], CommandOptions)
    case help
    /// Prints the help topic with the associated name.
    case topic(String)
    /// Prints the associated text, such as a completion script.
    case show(String)
    case version
    /// Prints the shell completions for the last of the associated arguments.
    case complete([String])
}

/// A subcommand of `larder cache`.
enum CacheAction: String, CaseIterable {
    /// Prints the result of `cache/stats`.
    case stats
    /// Removes all entries from the cache and prints the number of removed entries.
    case clear
    /// Prints the path of the cache file.
    case path
    /// Prints the result of `cache/syncs`.
    case syncs

    /// The names of all subcommands of `larder cache`: those in `CacheAction`, and `export`.
    static let names = allCases.map(\.rawValue) + [CommandName.cacheExport.member]
}

/// A valid option of the command line, with the value as the user typed it.
struct GivenOption: Equatable {
    let name: String
    /// The value of the option; nil for an option without a value.
    let value: Argument?
}

/// An invalid command line. The exit code is 64 (EX_USAGE).
struct UsageError: Error, Equatable {
    let message: String
    /// The unknown option, if the command names a resource. The user may have meant a filter of this resource. Nil for
    /// any other error.
    var option: UnknownOption?
}
