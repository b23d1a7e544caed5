import Model
import RPCServer
import System

/// The definition of one command-line option.
struct OptionDefinition: Sendable {
    /// The option's name with its dashes, such as `--memory`.
    let name: String
    /// The placeholder for the option's value in the help, such as `SIZE`; nil for an option without a value.
    let argument: String?
    /// A description of the valid values, for error messages.
    let expected: String
    let help: String
    let kind: Kind
    /// Stores the option's value in `CommandOptions`. Returns false if the value is invalid.
    let apply: @Sendable (inout CommandOptions, Argument) -> Bool

    /// The way in which `larder mcp config` copies an option into the settings of an MCP host: unchanged, with an
    /// absolute path, or not at all.
    enum Kind: Sendable {
        /// An option of the server. `larder mcp config` copies the option with its value.
        case value
        /// An option of the server whose value is a path. `larder mcp config` copies the option with the absolute path.
        case file
        /// An option of certain commands, such as `list`, but not of the server. `larder mcp config` does not copy the
        /// option into the settings of the MCP host.
        case ofCommand
    }

    init(
        _ name: String, _ argument: String?, _ help: String, expected: String? = nil, kind: Kind = .value,
        apply: @escaping @Sendable (inout CommandOptions, Argument) -> Bool
    ) {
        self.name = name
        self.argument = argument
        self.expected = expected ?? argument.map { Self.expected($0) } ?? ""
        self.help = help
        self.kind = kind
        self.apply = apply
    }

    static func file(
        _ name: String, _ argument: String, _ help: String,
        _ path: any WritableKeyPath<CommandOptions, FilePath?> & Sendable
    ) -> OptionDefinition {
        OptionDefinition(name, argument, help, kind: .file) { options, value in
            options[keyPath: path] = value.path
            return !value.path.isEmpty
        }
    }

    /// Defines an option with a number as its value. The number must be in a range, so that calculations with it cannot
    /// overflow.
    static func number(
        _ name: String, _ argument: String, _ help: String, _ path: any WritableKeyPath<CommandOptions, Int> & Sendable,
        _ range: ClosedRange<Int>, _ bounds: String, _ read: @escaping @Sendable (String) -> Int?
    ) -> OptionDefinition {
        OptionDefinition(name, argument, help, expected: expected(argument, bounds)) { options, value in
            guard let number = value.text.flatMap(read), range.contains(number) else { return false }
            options[keyPath: path] = number
            return true
        }
    }

    static func size(
        _ name: String, _ help: String, _ path: any WritableKeyPath<CommandOptions, Int> & Sendable,
        _ range: ClosedRange<Int>,
        _ bounds: String
    ) -> OptionDefinition {
        number(name, "SIZE", help, path, range, bounds) { Quantity.bytes($0) }
    }

    static func flag(
        _ name: String, _ help: String, _ path: any WritableKeyPath<CommandOptions, Bool> & Sendable, _ value: Bool,
        kind: Kind = .value
    ) -> OptionDefinition {
        OptionDefinition(name, nil, help, kind: kind) { options, _ in
            options[keyPath: path] = value
            return true
        }
    }

    static func choice<Value: RawRepresentable & CaseIterable & Sendable>(
        _ name: String, _ help: String, _ path: any WritableKeyPath<CommandOptions, Value> & Sendable,
        kind: Kind = .value
    ) -> OptionDefinition where Value.RawValue == String {
        let argument = Value.allCases.map(\.rawValue).joined(separator: "|")
        return OptionDefinition(name, argument, help, kind: kind) { options, value in
            guard let choice = value.text.flatMap(Value.init) else { return false }
            options[keyPath: path] = choice
            return true
        }
    }

    /// The short forms of frequent options, such as `-n 5` or `-n5` for `--limit 5`.
    static let short: [Character: String] = [
        "c": "--catalog", "f": "--fields", "n": "--limit", "o": "--output", "s": "--sort",
    ]

    /// The option's short form, such as `-n`; nil for an option without a short form.
    var short: String? { Self.short.first { $0.value == name }.map { "-\($0.key)" } }
}
