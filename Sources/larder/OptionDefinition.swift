import DataSources
import JSON
import Model
import RPCServer
import System

/// One option of the command line.
struct OptionDefinition: Sendable {
    /// With its dashes: `--memory`.
    let name: String
    /// What stands for its value in the help; nil for an option without one.
    let argument: String?
    /// What its value must be, for messages.
    let expected: String
    let help: String
    let kind: Kind
    /// Puts the value in its place; false where it is not what is expected.
    let apply: @Sendable (inout CommandOptions, Argument) -> Bool

    /// What becomes of it where the command line is written anew, for another folder.
    enum Kind: Sendable {
        /// It stays as it is.
        case value
        /// Its value is a path, which must be absolute there.
        case file
        /// It is one command's, and means nothing to a server.
        case ofCommand
    }

    private init(
        _ name: String, _ argument: String?, _ help: String, expected: String? = nil, kind: Kind = .value,
        apply: @escaping @Sendable (inout CommandOptions, Argument) -> Bool
    ) {
        self.name = name
        self.argument = argument
        self.expected = expected ?? argument ?? ""
        self.help = help
        self.kind = kind
        self.apply = apply
    }

    private static func file(
        _ name: String, _ argument: String, _ help: String,
        _ path: any WritableKeyPath<CommandOptions, FilePath?> & Sendable
    ) -> OptionDefinition {
        OptionDefinition(name, argument, help, kind: .file) { options, value in
            options[keyPath: path] = value.path
            return !value.path.isEmpty
        }
    }

    /// A number within bounds: whatever is reckoned with it cannot overflow.
    private static func number(
        _ name: String, _ argument: String, _ help: String, _ path: any WritableKeyPath<CommandOptions, Int> & Sendable,
        _ range: ClosedRange<Int>, _ bounds: String, _ read: @escaping @Sendable (String) -> Int?
    ) -> OptionDefinition {
        OptionDefinition(name, argument, help, expected: "\(argument) \(bounds)") { options, value in
            guard let number = value.text.flatMap(read), range.contains(number) else { return false }
            options[keyPath: path] = number
            return true
        }
    }

    private static func size(
        _ name: String, _ help: String, _ path: any WritableKeyPath<CommandOptions, Int> & Sendable,
        _ range: ClosedRange<Int>,
        _ bounds: String
    ) -> OptionDefinition {
        number(name, "SIZE", help, path, range, bounds) { Quantity.bytes($0) }
    }

    private static func flag(
        _ name: String, _ help: String, _ path: any WritableKeyPath<CommandOptions, Bool> & Sendable, _ value: Bool,
        kind: Kind = .value
    ) -> OptionDefinition {
        OptionDefinition(name, nil, help, kind: kind) { options, _ in
            options[keyPath: path] = value
            return true
        }
    }

    private static func choice<Value: RawRepresentable & CaseIterable & Sendable>(
        _ name: String, _ help: String, _ path: any WritableKeyPath<CommandOptions, Value> & Sendable
    ) -> OptionDefinition where Value.RawValue == String {
        let argument = Value.allCases.map(\.rawValue).joined(separator: "|")
        return OptionDefinition(name, argument, help) { options, value in
            guard let choice = value.text.flatMap(Value.init) else { return false }
            options[keyPath: path] = choice
            return true
        }
    }

    /// All options, in the order of the help.
    static let all: [OptionDefinition] = [
        file(
            "--catalog", "FILE", "the catalog, or the name of one that ships, as github (else LARDER_CATALOG, ...)",
            \.catalog),
        OptionDefinition("--base-url", "API=URL", "where an API is reached; may be given several times") {
            options, value in
            guard value.text != nil, let url = value.parts.value?.shown, !url.isEmpty, !value.parts.name.isEmpty else {
                return false
            }
            options.baseURLs.append(Options.BaseURLOverride(api: value.parts.name, url: url))
            return true
        },
        OptionDefinition("--var", "NAME=VALUE", "a variable of the catalog; may be given several times") {
            options, value in
            guard value.text != nil, let given = value.parts.value?.text, !value.parts.name.isEmpty else {
                return false
            }
            options.variables[value.parts.name] = given
            return true
        },
        file("--cache-dir", "DIR", "where the cache file is (else $XDG_CACHE_HOME/larder)", \.cacheDirectory),
        file("--data-dir", "DIR", "where recent searches are (else $XDG_DATA_HOME/larder)", \.dataDirectory),
        size("--memory", "how large the cache in memory may be (64MiB)", \.memory, 0...(1 << 40), "up to 1TiB"),
        size("--disk", "how large the cache file may be (1GiB)", \.disk, 0...(1 << 48), "up to 256TiB"),
        flag("--no-persistence", "keep nothing in files but recent searches", \.isPersistent, false),
        flag("--offline", "never use the network: every policy behaves as localOnly", \.isOffline, true),
        OptionDefinition(
            "--shared", "URL", "a Redis or Valkey that machines share their cache by (else LARDER_SHARED)"
        ) { options, value in
            // What is wrong with it is told where it is used, without the password in it.
            options.shared = value.text
            return value.text != nil
        },
        OptionDefinition(
            "--shared-mode", SharedMode.allCases.map(\.rawValue).joined(separator: "|"),
            "whether to store there too (read; else LARDER_SHARED_MODE)"
        ) { options, value in
            options.sharedMode = value.text.flatMap { SharedMode(rawValue: $0) }
            return options.sharedMode != nil
        },
        OptionDefinition(
            "--shared-namespace", "NAME", "whose entries there (default; else LARDER_SHARED_NAMESPACE)",
            expected: "NAME \(SharedOptions.namespaceExpected)"
        ) { options, value in
            options.sharedNamespace = value.text
            return value.text.map { SharedSettings.isNamespace($0) } ?? false
        },
        file("--record", "DIR", "save each exchange with an API as a cassette", \.record),
        file("--replay", "DIR", "answer from cassettes and never open a socket", \.replay),
        size("--max-message", "how large a message may be (16MiB)", \.maxMessage, 1...(1 << 30), "from 1B to 1GiB"),
        size(
            "--max-queue", "how much of the replies may wait for a slow reader (64MiB)", \.maxQueue, 1...(1 << 40),
            "from 1B to 1TiB"),
        number(
            "--max-in-flight", "N", "how many requests may wait on APIs (1024)", \.maxInFlight, 1...1_000_000,
            "from 1 to 1000000"
        ) { Int($0) },
        size(
            "--memory-in-flight", "how much the answers of APIs under way may have together (256MiB)",
            \.memoryInFlight, 1...(1 << 40), "from 1B to 1TiB"),
        number(
            "--drain", "DURATION", "how long requests in flight have at the end of the input (30s)", \.drain,
            0...86_400_000, "up to 1d"
        ) { Quantity.milliseconds($0) },
        flag("--json", "JSON, also where a terminal would show something to read", \.isJSON, true, kind: .ofCommand),
        flag("--table", "items to read, also where stdout is no terminal", \.people.isTable, true, kind: .ofCommand),
        OptionDefinition(
            "--fields", "NAME,...", "the fields that items show", expected: "names of fields, with ',' between",
            kind: .ofCommand
        ) { options, value in
            options.people.fields = value.text.flatMap { PeopleOptions.names($0) }
            return options.people.fields != nil
        },
        OptionDefinition(
            "--limit", "N", "how many items 'list' and 'search' show at most", expected: "N from 1", kind: .ofCommand
        ) { options, value in
            options.people.limit = value.text.flatMap { Int($0) }
            return (options.people.limit ?? 0) >= 1
        },
        OptionDefinition("--page", "PAGE", "the page that 'list' shows, or begins with", kind: .ofCommand) {
            options, value in
            options.people.page = value.text
            return value.text?.isEmpty == false
        },
        flag("--all", "'list' goes on to the last page, 'search' shows all", \.people.isAll, true, kind: .ofCommand),
        OptionDefinition(
            "--header", "'NAME: VALUE'", "what 'catalog infer' sends; may be given several times", kind: .ofCommand
        ) { options, value in
            // What is wrong with it is told where it is used, without the secret in it.
            guard let text = value.text else { return false }
            options.headers.append(text)
            return true
        },
        OptionDefinition(
            "--graphql", "TYPE", "the type that 'catalog infer' asks a GraphQL endpoint about", kind: .ofCommand
        ) { options, value in
            options.graphQLType = value.text
            return value.text?.isEmpty == false
        },
        flag("--live", "'check' tries each operation of the catalog", \.isLive, true, kind: .ofCommand),
        OptionDefinition(
            "--with", "NAME=VALUE", "what --live asks for: an id, a scope, a filter; RESOURCE.NAME for one",
            kind: .ofCommand
        ) {
            options, value in
            guard value.text != nil, let given = value.parts.value?.text, !value.parts.name.isEmpty else {
                return false
            }
            options.given[value.parts.name] = given
            return true
        },
        OptionDefinition(
            "--host", "HOST", "whose form 'mcp config' prints: \(MCPHost.names.joined(separator: ", "))",
            expected: "one of \(MCPHost.names.joined(separator: ", "))", kind: .ofCommand
        ) { options, value in
            guard let host = value.text.flatMap({ MCPHost(rawValue: $0) }) else { return false }
            options.host = host
            return true
        },
        choice("--log-level", "what is logged on stderr (warning)", \.logLevel),
        choice("--log-format", "how it is logged (text)", \.logFormat),
    ]
}
