import DataSources
import System

/// An incomplete command line. Invalid parts are ignored.
struct CompletionLine {
    /// The values of the options before the cursor.
    private(set) var options = CommandOptions()
    /// The positional arguments before the cursor.
    private(set) var words: [String] = []
    /// The word at the cursor; empty at the start of a word.
    let current: String
    /// The option whose value is at the cursor; nil if another kind of word is there.
    private(set) var option: OptionDefinition?
    /// Whether `--` stands before the cursor, so that all words are positional.
    private(set) var isLiteral = false

    /// Parses an incomplete command line.
    ///
    /// - Parameters:
    ///   - words: the words after the program's name. The last one is at the cursor.
    ///   - home: the folder for `~`, which shells pass to the program unexpanded here.
    init(_ words: [String], home: FilePath?) {
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
            let (name, value) = Argument(word.utf8).parts
            guard let option = OptionDefinition.all.first(where: { $0.name == name }) else { continue }
            if option.argument == nil || value != nil {
                take(option, value?.shown ?? "", home)
            } else if let next = rest.first {
                // As in the parser, a word that starts with `--` is not a value.
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
        // An invalid value is ignored.
        var changed = options
        if option.apply(&changed, Argument(bytes)) { options = changed }
    }
}
