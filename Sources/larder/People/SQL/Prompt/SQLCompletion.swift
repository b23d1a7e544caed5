import DataSources
import System

/// Suggests keywords, tables and columns for a word of an SQL statement.
struct SQLCompletion {
    /// A table with the names of its columns.
    struct Table: Equatable {
        let name: String
        var columns: [String]
    }

    /// The tables that the words of a statement name.
    private struct Sources {
        var tables: [Table] = []
        /// The names that stand for these tables in the statement, in lower case.
        var aliases: [String: Table] = [:]
        /// Whether the next word names a table.
        var wantsTable = false
    }

    private let tables: [Table]

    init(_ tables: [Table]) { self.tables = tables }

    /// Returns the words that can replace the word before the cursor, in alphabetical order.
    ///
    /// - Parameter place: the place in a statement that may have several lines.
    func words(for place: LineEditor.Place) -> [String] {
        let word = place.word
        guard place.before.hasSuffix(word) else { return [] }
        let head = Self.last(of: String(place.before.dropLast(word.count)))
        let start = SQLScanner(head)
        if start.isOpen { return [] }
        if start.tokens.isEmpty, word.hasPrefix(".") {
            return PromptCommand.names.filter { $0.hasPrefix(word) }
        }
        if case (.mark(".")?, .word("schema")?) = (start.tokens.first, start.tokens.dropFirst().first) {
            return names(tables.map(\.name), startingWith: word)
        }
        let sources = self.sources(start.tokens + SQLScanner(" " + place.after).tokens)
        let (qualifier, part) = Self.split(word)
        if let qualifier, let table = sources.aliases[qualifier.lowercased()] ?? table(qualifier) {
            let prefix = word.dropLast(part.count)
            return names(table.columns, startingWith: part).map { prefix + $0 }
        }
        if self.sources(start.tokens).wantsTable { return names(tables.map(\.name), startingWith: word) }
        let used = sources.tables.isEmpty && !word.isEmpty ? tables : sources.tables
        let known = used.flatMap(\.columns) + sources.tables.map(\.name) + sources.aliases.keys
        let keywords = start.tokens.isEmpty ? SQLWords.starts : word.isEmpty ? [] : SQLWords.all
        let isUpper = word.contains { $0.isUppercase } && !word.contains { $0.isLowercase }
        let suggested = keywords.filter { $0.hasPrefix(word.lowercased()) }.map { isUpper ? $0.uppercased() : $0 }
        return Array(Set((start.tokens.isEmpty ? [] : names(known, startingWith: word)) + suggested)).sorted()
    }

    /// Returns the part of the SQL after the last complete statement.
    private static func last(of sql: String) -> String {
        var rest = sql
        while let end = SQLScanner(rest).end { rest = String(decoding: rest.utf8.dropFirst(end), as: UTF8.self) }
        return rest
    }

    /// Splits a word such as `t.name` or `"my-list".name` at the dot after the table.
    private static func split(_ word: String) -> (qualifier: String?, part: String) {
        let tokens = SQLScanner(word).tokens
        guard tokens.count >= 2, tokens[1] == .mark(".") else { return (nil, word) }
        let qualifier: String
        switch tokens[0] {
        case .word(let name), .name(let name): qualifier = name
        default: return (nil, word)
        }
        // The qualifier may contain dots in quotes.
        var isQuoted = false
        let dot = word.firstIndex { character in
            if character == "\"" { isQuoted.toggle() }
            return character == "." && !isQuoted
        }
        return (qualifier, dot.map { String(word[word.index(after: $0)...]) } ?? word)
    }

    private func table(_ name: String) -> Table? {
        tables.first { $0.name.lowercased() == name.lowercased() }
    }

    /// Returns the names that begin with a word, with quotes if they need quotes. The word may begin with a quote.
    private func names(_ names: [String], startingWith word: String) -> [String] {
        let isQuoted = word.hasPrefix("\"")
        let start = (isQuoted ? word.dropFirst() : word[...]).lowercased()
        let found = names.filter { $0.lowercased().hasPrefix(start) }
        let identifiers = found.map { name in
            let identifier = SQLWords.identifier(name)
            return isQuoted && identifier == name ? "\"\(name)\"" : identifier
        }
        return Array(Set(identifiers)).sorted()
    }

    private func sources(_ tokens: [SQLScanner.Token]) -> Sources {
        var sources = Sources()
        var isFrom = false
        /// The table that was named last; nil if the current token cannot be its alias.
        var last: Table?
        for token in tokens {
            switch token {
            case .mark(","): (sources.wantsTable, last) = (isFrom, nil)
            case .word(let word) where SQLWords.sourceStarts.contains(word.lowercased()):
                (sources.wantsTable, isFrom, last) = (true, true, nil)
            case .word(let word) where SQLWords.sourceEnds.contains(word.lowercased()):
                (sources.wantsTable, isFrom, last) = (false, false, nil)
            case .word(let word) where word.lowercased() == "as": break
            case .word(let word) where SQLWords.isKeyword(word): last = nil
            case .word(let name), .name(let name):
                if sources.wantsTable {
                    last = table(name)
                    if let last { sources.tables.append(last) }
                    sources.wantsTable = false
                } else if let table = last {
                    sources.aliases[name.lowercased()] = table
                    last = nil
                }
            case .text, .mark: (sources.wantsTable, last) = (false, nil)
            }
        }
        return sources
    }
}
