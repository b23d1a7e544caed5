import RPCServer
import System

/// What `larder` says on a terminal, where nobody pipes requests into it: else it would wait in silence.
enum Greeting {
    /// - Parameter options: what is named is of the catalog that they say.
    static func text(_ options: CommandOptions, _ environment: Environment) -> String {
        func line(_ words: String) -> String { PeopleHint.line(words, options.catalog) }
        let listed = CompletionSubject(options, environment).catalog?.resources.first { resource in
            let needed = resource.scope.contains { $0.standard == nil }
            return resource.list.map { list in !needed && !list.filters.contains { $0.isRequired } } ?? false
        }
        let rows: [(term: String, meaning: String)] =
            (listed.map { [(line("list \($0.name)"), "a list of the catalog, as a table")] } ?? []) + [
                (line("call server/status"), "one request, as a program gets its answer"),
                (line("mcp config"), "what an assistant or an editor is told, to start it"),
                (line("doctor"), "what is wrong, and what to do"),
                ("larder help", "all commands and options"),
            ]
        return """
            larder \(Version.current): data from REST and GraphQL APIs, cached.

            Programs start it and talk to it over pipes, as JSON-RPC or as MCP. For you there is:

            \(HelpLayout.table(rows))

            To type requests yourself: cat | larder

            """
    }

    /// Whether a person has called it, who sees what they type and what comes of it. A program that has it on a
    /// terminal of its own reads the output itself, or has switched off the echo of what it writes.
    static var isDue: Bool {
        var settings = termios()
        guard isatty(0) != 0, isatty(1) != 0, tcgetattr(0, &settings) == 0 else { return false }
        return settings.c_lflag & tcflag_t(ECHO) != 0
    }
}
