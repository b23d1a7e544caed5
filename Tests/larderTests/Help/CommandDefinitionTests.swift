import TestSupport
import Testing

@testable import RPCServer
@testable import larder

/// Tests that the table of commands matches the command line parser.
@Suite(.limited) struct CommandDefinitionTests {
    /// Splits a command line into words like a shell, without redirections and pipes.
    private static func words(_ line: String) -> [String] {
        var words: [String] = []
        var word = ""
        var quote: Character?
        for character in line + " " {
            if let open = quote {
                if character == open { quote = nil } else { word.append(character) }
            } else if character == "'" {
                quote = character
            } else if character == " " {
                if [">", "|", "||"].contains(word) { return words }
                if !word.isEmpty { words.append(word) }
                word = ""
            } else {
                word.append(character)
            }
        }
        return words
    }

    /// Every example of the help.
    private static var examples: [String] {
        let topics = CommandDefinition.all.map(\.name) + HelpTopic.all.map(\.name)
        let parts = topics.compactMap { HelpTopic.find($0.split(separator: " ").map(String.init)) }.flatMap(\.parts)
        let lines = parts.flatMap { part in
            if case .examples(let examples) = part { examples.map(\.line) } else { [String]() }
        }
        return lines.map { $0.hasPrefix("source <(") ? String($0.dropFirst(9).dropLast()) : $0 }
    }

    @Test func everyExampleIsAValidCommandLine() throws {
        #expect(Self.examples.count > 30)
        for example in Self.examples {
            let words = Self.words(example)
            guard let start = words.firstIndex(of: "larder") else {
                #expect(example.hasSuffix("| larder"), "\(example)")
                continue
            }
            #expect(words[..<start].allSatisfy { $0.contains("=") }, "\(example)")
            #expect(throws: Never.self, "\(example)") {
                try CommandLineParser.parse(words[(start + 1)...].map { Argument($0.utf8) })
            }
        }
    }

    @Test func parserAcceptsTheNameOfEveryCommand() {
        for name in CommandDefinition.groups {
            do throws(UsageError) {
                _ = try CommandLineParser.parse([Argument(name.utf8)])
            } catch {
                #expect(!error.message.hasPrefix("unknown command"), "\(name): \(error.message)")
            }
        }
        #expect(CommandDefinition.groups.count == Set(CommandDefinition.groups).count)
    }

    /// The help and the completions of a command contain only the options that the command lists.
    @Test func everyCommandSpecificOptionBelongsToACommand() {
        for option in OptionDefinition.all {
            let commands = CommandDefinition.all.filter { $0.options.contains(option.name) }
            #expect(commands.isEmpty == (option.kind != .ofCommand), "\(option.name)")
        }
        let known = Set(OptionDefinition.all.map(\.name))
        for command in CommandDefinition.all { #expect(known.isSuperset(of: command.options), "\(command.name)") }
    }

    @Test func commandIsFoundByItsFullName() {
        #expect(CommandDefinition.named(by: ["catalog", "show", "github"])?.name == "catalog show")
        #expect(CommandDefinition.named(by: ["call", "catalog", "show"])?.name == "call")
        for words in [[], ["catalog"], ["catalog", "nonsense"], ["nonsense"]] {
            #expect(CommandDefinition.named(by: words) == nil)
        }
    }

    @Test func everyCommandHasOneDefinition() {
        #expect(CommandDefinition.all.compactMap(\.command) == CommandName.allCases)
    }

    @Test(arguments: CommandName.allCases) func commandNameIsParsedFromTheFirstArguments(name: CommandName) {
        #expect(CommandName(leading: name.words) == name)
        #expect(CommandName(leading: name.words + ["x"]) == name)
        #expect(CommandName(leading: ["x"] + name.words) == nil)
        // A two-word name in a single argument is not a command.
        #expect((CommandName(leading: [name.rawValue]) == name) == (name.words.count == 1))
    }
}
