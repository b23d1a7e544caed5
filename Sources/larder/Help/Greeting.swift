import Catalog
import RPCServer
import System

/// The introduction that `larder` prints if a user starts it on a terminal without a command. Without this
/// introduction, the program would wait silently for requests.
enum Greeting {
    /// Returns the introduction, with example commands for the catalog that the options select.
    static func text(_ options: CommandOptions, _ environment: Environment, _ layout: HelpLayout) -> String {
        func line(_ words: String) -> String { CommandHint.line(words, options.catalogs) }
        let listed = CompletionSubject(options, environment).catalog?.resources.first { isListedByName($0) }
        let rows: [(term: String, meaning: String)] =
            (listed.map { [(line("list \($0.name)"), "show a list of the catalog as a table")] } ?? []) + [
                (line("call server/status"), "send one request, as a program would"),
                (line("mcp config"), "print the configuration for an assistant or editor"),
                (line("doctor"), "find problems and suggest fixes"),
                ("larder help", "list all commands and options"),
            ]
        return """
            larder \(Version.current): data from REST and GraphQL APIs, cached.

            \(layout.paragraph(Self.purpose, indent: ""))

            \(layout.table(rows))

            To type requests by hand: cat | larder

            """
    }

    /// Whether `larder list RESOURCE` needs no further argument: the list requires neither a scope value nor a filter.
    static func isListedByName(_ resource: ResourceDefinition) -> Bool {
        guard let list = resource.list else { return false }
        return resource.scope.allSatisfy { $0.standard != nil } && !list.filters.contains { $0.isRequired }
    }

    private static let purpose =
        "Programs start larder and send it JSON-RPC or MCP requests over a pipe. Try these commands:"

    /// Whether a person has started `larder` on a terminal. This requires that stdin and stdout are terminals, and that
    /// stdin echoes input. Programs that start `larder` usually read stdout through a pipe, or disable the echo.
    static var isDue: Bool {
        var settings = termios()
        guard isatty(0) != 0, isatty(1) != 0, tcgetattr(0, &settings) == 0 else { return false }
        return settings.c_lflag & tcflag_t(ECHO) != 0
    }
}
