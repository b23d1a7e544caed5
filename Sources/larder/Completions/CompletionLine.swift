import DataSources
import System

/// The part of a command line that the user has typed so far. The parser ignores invalid options.
struct CompletionLine {
    /// The values of the options that were typed before the cursor.
    private(set) var options: CommandOptions
    /// The positional arguments that were typed before the cursor.
    private(set) var words: [String] = []
    /// The typed part of the word at the cursor; empty if the cursor is at the start of a word.
    let current: String
    /// The option whose value the user is typing; nil if the cursor is not at an option's value.
    private(set) var option: OptionDefinition?
    /// Whether the argument `--` was typed before the cursor. All words after `--` are positional.
    private(set) var isLiteral = false

    /// Parses an incomplete command line.
    ///
    /// - Parameters:
    ///   - words: the words after the program's name. The cursor is at the last word.
    ///   - home: the folder that replaces `~`, because the shell does not expand `~` in an incomplete line.
    ///   - defaults: the initial options, which the words can change.
    init(_ words: [String], home: FilePath?, defaults: CommandOptions = CommandOptions()) {
        options = defaults
        current = words.last ?? ""
        var rest = words.dropLast()[...]
        while let word = rest.popFirst() {
            guard !isLiteral, word.hasPrefix("-"), word.count > 1, Double(word) == nil else {
                self.words.append(word)
                continue
            }
            if word == "--" {
                isLiteral = true
                continue
            }
            let (name, value) = Argument(word.utf8).optionParts
            guard let option = OptionDefinition.all.first(where: { $0.name == name }) else { continue }
            if option.argument == nil || value != nil {
                take(option, value?.shown ?? "", home)
            } else if let next = rest.first {
                // As on a complete command line, a word that starts with `--` is not the value of an option.
                if next.hasPrefix("--") { continue }
                rest = rest.dropFirst()
                take(option, next, home)
            } else if !current.hasPrefix("--") {
                self.option = option
            }
        }
    }

    private mutating func take(_ option: OptionDefinition, _ value: String, _ home: FilePath?) {
        var bytes = Array(value.utf8)
        if option.kind == .file, value == "~" || value.hasPrefix("~/"), let home {
            bytes = home.bytes + bytes.dropFirst()
        }
        // An invalid value has no effect.
        var changed = options
        if option.apply(&changed, Argument(bytes)) { options = changed }
    }
}
