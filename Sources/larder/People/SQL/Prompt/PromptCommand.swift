import System

/// A command of the prompt that is not SQL, such as `.tables`.
enum PromptCommand: Equatable {
    case help, quit, tables
    /// Lists the columns of a table; of all tables if the name is nil.
    case schema(String?)
    case unknown(String)

    static let names = [".help", ".quit", ".schema", ".tables"]

    static let helpText = """
        QUERY;          run a query; it may have several lines, and ends with a semicolon
        .tables         list the tables, with the number of rows and the coverage
        .schema [NAME]  list the columns of a table, or of all tables
        .quit           leave the prompt; so do 'exit' and Ctrl-D
        Tab completes keywords, tables and columns. Ctrl-C cancels a query or clears the input.

        """

    /// Parses the first line of an input. Returns nil if the line is SQL.
    init?(_ line: String) {
        let words = line.split { $0 == " " || $0 == "\t" || $0 == ";" }.map(String.init)
        guard let first = words.first else { return nil }
        switch (first.lowercased(), words.count) {
        case ("exit", 1), ("quit", 1), (".exit", 1), (".quit", 1): self = .quit
        case (".help", 1): self = .help
        case (".tables", 1): self = .tables
        case (".schema", 1): self = .schema(nil)
        case (".schema", 2):
            if case .name(let name)? = SQLScanner(words[1]).tokens.first {
                self = .schema(name)
            } else {
                self = .schema(words[1])
            }
        default:
            guard first.hasPrefix("."), first.dropFirst().first?.isLetter == true else { return nil }
            self = .unknown(line)
        }
    }
}
