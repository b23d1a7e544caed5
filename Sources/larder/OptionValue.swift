import RPCServer

/// Error messages about the values of command-line options.
extension OptionDefinition {
    /// Describes the valid values of an option.
    ///
    /// - Parameters:
    ///   - argument: the placeholder of the value in the help.
    ///   - bounds: the range of a number, such as `from 1 to 10`; empty if there is none.
    static func expected(_ argument: String, _ bounds: String = "") -> String {
        switch argument {
        case "FILE": "the path of a file"
        case "DIR": "the path of a folder"
        case "N": "a number \(bounds)"
        case "SIZE": "a size such as 64MiB, \(bounds)"
        case "DURATION": "a duration such as 90s or 5m" + (bounds.isEmpty ? "" : ", \(bounds)")
        default: words(argument).isEmpty ? argument : "one of \(words(argument).joined(separator: ", "))"
        }
    }

    /// Returns the error message for an invalid value.
    func refusal(of value: String) -> String {
        let near = Suggestion.nearest(to: value, in: argument.map { Self.words($0) } ?? [])
        return "\(name) must be \(expected), not '\(value)'" + (near.map { "; did you mean '\($0)'?" } ?? "")
    }

    /// Returns the words of a placeholder such as `text|json`. Returns no words for a placeholder such as `NAME|TAG`,
    /// whose parts stand for other values.
    private static func words(_ argument: String) -> [String] {
        let isChoice = argument.contains("|") && argument == argument.lowercased()
        return isChoice ? argument.split(separator: "|").map(String.init) : []
    }
}
