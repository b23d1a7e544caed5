import TestSupport
import Testing

@testable import RPCServer
@testable import larder

/// Compares parsed command lines with golden files.
@Suite(.limited) struct StoredCommandLinesTests {
    private static let commands = [
        "", "get thing 1", "list thing", "search thing x", "prefetch thing", "sync", "sync thing", "sql q",
        "watch thing 1",
        "watch list thing", "resources", "open thing 1", "call m", "add n u", "remove n", "catalogs", "check",
        "catalog show", "catalog infer u", "catalog import u", "catalog types", "catalog schema", "cache stats",
        "cache path", "cache syncs", "cache clear", "cache export f", "doctor", "mcp config", "mcp bundle",
        "completions bash", "help",
    ]
    private static let values = [
        "", "x", "a,b", "-a", "0", "1", "-1", "1.5", "2k", "9MiB", "1h", "a=b", "a=", "=a", "a=http://b.test", "A: b",
        "json", "all", "read",
        "99999999999999999999", "http://a.test", "rediss://u:p@a.test",
    ]

    /// Returns the properties of the parsed command, or the error.
    private static func outcome(_ words: [String]) -> [String] {
        do throws(UsageError) {
            return PropertyLines.of(try CommandLineParser.parse(words.map { Argument($0.utf8) }))
        } catch {
            return ["refused: \(error.message)"]
        }
    }

    private static func isRefused(_ words: [String]) -> Bool { outcome(words)[0].hasPrefix("refused: ") }

    private static func words(_ line: String) -> [String] { line.split(separator: " ").map(String.init) }

    /// Returns the option with the first of the values that a command accepts, as words of a command line.
    private static func sample(_ option: OptionDefinition) -> [String]? {
        guard option.argument != nil else { return [option.name] }
        let samples = values.dropFirst().map { ["\(option.name)=\($0)"] }
        return samples.first { sample in commands.contains { !isRefused(words($0) + sample) } }
    }

    @Test func valuesOfOptionsMatchTheRecording() throws {
        var lines: [String] = []
        for option in OptionDefinition.all {
            guard let sample = Self.sample(option),
                let command = Self.commands.first(where: { !Self.isRefused(Self.words($0) + sample) })
            else {
                lines.append("\(option.name): no command accepts it")
                continue
            }
            let without = Self.outcome(Self.words(command))
            let values = option.argument == nil ? [nil, "x"] : [nil] + Self.values.map(Optional.some)
            let cases = values.map { value in
                let argument = value.map { "\(option.name)=\($0)" } ?? option.name
                let changes = Self.outcome(Self.words(command) + [argument]).difference(from: without)
                let outcome = changes.insertions.map { change in
                    if case .insert(_, let line, _) = change { line } else { "" }
                }.joined(separator: ", ")
                let shown = value.map { $0.count < 2 ? outcome : outcome.replacing($0, with: "VALUE") } ?? outcome
                return (input: value.map { "'\($0)'" } ?? "alone", outcome: shown)
            }
            lines += ["larder \(command) \(option.name)"] + GoldenFile.grouped(cases)
        }
        try GoldenFile.expect(lines, in: "people/options.txt")
    }

    @Test func acceptedOptionsAndArgumentsOfCommandsMatchTheRecording() throws {
        var lines: [String] = []
        for command in Self.commands {
            let words = Self.words(command)
            let shorter = (1..<max(1, words.count)).map { Array(words.prefix($0)) }
            let more = [[], ["x"], ["x", "y"], ["a=b"], ["-x"], ["--"], ["--", "-1"], ["--help"]]
            let cases = (shorter + more.map { words + $0 }).map { words in
                (input: "'\(words.joined(separator: " "))'", outcome: Self.summary(words))
            }
            lines += ["larder \(command)"] + GoldenFile.grouped(cases)
        }
        for option in OptionDefinition.all {
            guard let sample = Self.sample(option) else { continue }
            let outcomes = Self.commands.map { ($0, Self.outcome(Self.words($0) + sample)[0]) }
            let accepting = outcomes.filter { !$0.1.hasPrefix("refused: ") }.map { "'\($0.0)'" }
            lines.append("\(option.name): \(accepting.joined(separator: " "))")
            if let refused = outcomes.first(where: { $0.1.hasPrefix("refused: ") }) { lines.append("  \(refused.1)") }
        }
        try GoldenFile.expect(lines, in: "people/commands.txt")
    }

    /// Returns the first line of the outcome, without the options, which are the default values.
    private static func summary(_ words: [String]) -> String {
        let first = outcome(words).filter { !$0.contains(".process.") }.prefix(2).joined(separator: ", ")
        return String(first.prefix { $0 != "\n" })
    }
}
