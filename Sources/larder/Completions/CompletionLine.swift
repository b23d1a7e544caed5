import DataSources
import System

/// A command line that is being typed, as far as it makes sense: nothing in it is refused.
struct CompletionLine {
    /// What the options before the cursor come to.
    private(set) var options = CommandOptions()
    /// The words before the cursor that are no options.
    private(set) var words: [String] = []
    /// What stands at the cursor; empty where a word only begins.
    let current: String
    /// The option whose value it is; nil where it is none's.
    private(set) var option: OptionDefinition?
    /// Whether nothing is an option any more.
    private(set) var isLiteral = false

    /// - Parameters:
    ///   - words: those of the command line behind the program's name, the last being the one at the cursor.
    ///   - home: what stands for a tilde; shells pass it as it is.
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
                // As the parser has it: what begins so is an option, and this one has no value.
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
        // A value that is not what it should be is left out.
        var changed = options
        if option.apply(&changed, Argument(bytes)) { options = changed }
    }
}
