import DataSources
import JSON
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
        /// An option of the server. It is copied with its value.
        case value
        /// An option of the server whose value is a path. It is copied with the absolute path.
        case file
        /// An option of certain commands, such as `list`, but not of the server. It is not copied.
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

    private static func file(
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
    private static func number(
        _ name: String, _ argument: String, _ help: String, _ path: any WritableKeyPath<CommandOptions, Int> & Sendable,
        _ range: ClosedRange<Int>, _ bounds: String, _ read: @escaping @Sendable (String) -> Int?
    ) -> OptionDefinition {
        OptionDefinition(name, argument, help, expected: expected(argument, bounds)) { options, value in
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

    static func flag(
        _ name: String, _ help: String, _ path: any WritableKeyPath<CommandOptions, Bool> & Sendable, _ value: Bool,
        kind: Kind = .value
    ) -> OptionDefinition {
        OptionDefinition(name, nil, help, kind: kind) { options, _ in
            options[keyPath: path] = value
            return true
        }
    }

    private static func choice<Value: RawRepresentable & CaseIterable & Sendable>(
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

    /// All options, in the order of the help.
    static let all = first + ofSync + last

    private static let first: [OptionDefinition] = [
        OptionDefinition(
            "--catalog", "FILE",
            "catalog file, or the name of a shipped catalog such as github; may be repeated (default: see 'larder help "
                + "catalogs')", expected: "the path of a catalog file, or the name of a catalog", kind: .file
        ) { options, value in
            options.catalogs.append(value.path)
            return !value.path.isEmpty
        },
        OptionDefinition("--base-url", "API=URL", "send an API's requests to URL; may be repeated") {
            options, value in
            guard value.text != nil, let url = value.parts.value?.shown, !url.isEmpty, !value.parts.name.isEmpty else {
                return false
            }
            options.baseURLs.append(Options.BaseURLOverride(api: value.parts.name, url: url))
            return true
        },
        OptionDefinition("--var", "NAME=VALUE", "set a variable of the catalog; may be repeated") {
            options, value in
            guard value.text != nil, let given = value.parts.value?.text, !value.parts.name.isEmpty else {
                return false
            }
            options.variables[value.parts.name] = given
            return true
        },
        file("--cache-dir", "DIR", "folder of the cache file (default: $XDG_CACHE_HOME/larder)", \.cacheDirectory),
        file("--data-dir", "DIR", "folder of recent searches (default: $XDG_DATA_HOME/larder)", \.dataDirectory),
        size("--memory", "maximum size of the cache in memory (default: 64MiB)", \.memory, 0...(1 << 40), "up to 1TiB"),
        size("--disk", "maximum size of the cache file (default: 1GiB)", \.disk, 0...(1 << 48), "up to 256TiB"),
        flag("--no-persistence", "use no cache file; recent searches are still saved", \.isPersistent, false),
        flag("--offline", "make no network requests; every policy acts as localOnly", \.isOffline, true),
        OptionDefinition(
            "--shared", "URL", "Redis or Valkey server for the cache level shared by machines (default: LARDER_SHARED)"
        ) { options, value in
            // `SharedOptions` checks the URL later, because its error messages omit the password.
            options.shared = value.text
            return value.text != nil
        },
        OptionDefinition(
            "--shared-mode", SharedMode.allCases.map(\.rawValue).joined(separator: "|"),
            "whether larder also writes to that server (default: LARDER_SHARED_MODE, else read)"
        ) { options, value in
            options.sharedMode = value.text.flatMap { SharedMode(rawValue: $0) }
            return options.sharedMode != nil
        },
        OptionDefinition(
            "--shared-namespace", "NAME",
            "namespace of the keys on that server (default: LARDER_SHARED_NAMESPACE, else 'default')",
            expected: "a name \(SharedOptions.namespaceExpected)"
        ) { options, value in
            options.sharedNamespace = value.text
            return value.text.map { SharedSettings.isNamespace($0) } ?? false
        },
        file("--record", "DIR", "save each exchange with an API as a cassette file", \.record),
        file("--replay", "DIR", "answer from cassette files; make no network requests", \.replay),
        size(
            "--max-message", "maximum size of a message (default: 16MiB)", \.maxMessage, 1...(1 << 30),
            "from 1B to 1GiB"),
        size(
            "--max-queue", "maximum size of all replies that wait for a slow reader (default: 64MiB)", \.maxQueue,
            1...(1 << 40),
            "from 1B to 1TiB"),
        number(
            "--max-in-flight", "N", "maximum number of requests that wait for APIs (default: 1024)", \.maxInFlight,
            1...1_000_000,
            "from 1 to 1000000"
        ) { Int($0) },
        size(
            "--memory-in-flight", "maximum total size of API responses in flight (default: 256MiB)",
            \.memoryInFlight, 1...(1 << 40), "from 1B to 1TiB"),
        size(
            "--memory-query", "maximum memory of a query with SQL (default: 128MiB)",
            \.memoryQuery, 1...(1 << 40), "from 1B to 1TiB"),
        number(
            "--drain", "DURATION", "maximum wait for requests in flight after stdin closes (default: 30s)", \.drain,
            0...86_400_000, "up to 1d"
        ) { Quantity.milliseconds($0) },
        OptionDefinition(
            "--tool-prefix", "NAME", "prefix of the names of MCP tools: NAME_get_item and so on",
            expected: "a name of up to 32 letters, digits, '_' and '-' that starts with a letter or '_'"
        ) { options, value in
            options.toolPrefix = value.text.flatMap { MCPCommand.isToolPrefix($0) ? $0 : nil }
            return options.toolPrefix != nil
        },
        flag("--json", "print JSON even on a terminal", \.isJSON, true, kind: .ofCommand),
        flag("--table", "print tables even if stdout is not a terminal", \.people.isTable, true, kind: .ofCommand),
        OptionDefinition(
            "--output", OutputFormat.names,
            "format of the output of commands that read data; for 'call' and 'cache', json, jsonl or yaml",
            kind: .ofCommand
        ) { options, value in
            options.people.format = value.text.flatMap { OutputFormat(rawValue: $0) }
            return options.people.format != nil
        },
        OptionDefinition(
            "--fields", "NAME,...", "show only these fields; for 'catalog import', none or all",
            expected: "field names separated by ','",
            kind: .ofCommand
        ) { options, value in
            options.people.fields = value.text.flatMap { TerminalOptions.names($0) }
            return options.people.fields != nil
        },
        OptionDefinition(
            "--limit", "N", "maximum number of items for 'list' and 'search'", expected: expected("N", "from 1"),
            kind: .ofCommand
        ) { options, value in
            options.people.limit = value.text.flatMap { Int($0) }
            return (options.people.limit ?? 0) >= 1
        },
        OptionDefinition(
            "--page", "PAGE", "page for 'list'; with --all, the first page",
            expected: "the number or the cursor of a page", kind: .ofCommand
        ) { options, value in
            options.people.page = value.text
            return value.text?.isEmpty == false
        },
        OptionDefinition(
            "--sort", "NAME,...", "sort the printed items by these fields; -NAME for descending order",
            expected: "field names separated by ',', each with an optional '-' before it", kind: .ofCommand
        ) { options, value in
            guard let keys = value.text.flatMap({ SortOrder.keys($0) }) else { return false }
            options.people.order.keys = keys
            return true
        },
        flag(
            "--reverse", "print the items in the opposite order", \.people.order.isReversed, true, kind: .ofCommand),
        OptionDefinition(
            "--interval", "DURATION",
            "time between two requests of 'watch' (default: freshFor, but at least 5s; without freshFor, no requests)",
            expected: expected("DURATION", "from 1s to 1d"), kind: .ofCommand
        ) { options, value in
            options.people.interval = value.text.flatMap { Quantity.milliseconds($0) }
            return options.people.interval.map { (1000...86_400_000).contains($0) } ?? false
        },
    ]

    private static let last: [OptionDefinition] = [
        flag("--all", "show every page of 'list', or every result of 'search'", \.people.isAll, true, kind: .ofCommand),
        OptionDefinition(
            "--header", "'NAME: VALUE'",
            "header field for the requests of 'catalog infer' and 'catalog import'; may be repeated",
            kind: .ofCommand
        ) { options, value in
            // `CatalogInference` checks the header field later, because its error messages omit the secret.
            guard let text = value.text else { return false }
            options.headers.append(text)
            return true
        },
        OptionDefinition(
            "--graphql", "TYPE", "GraphQL type for 'catalog infer' to draft a resource from; may be repeated",
            kind: .ofCommand
        ) { options, value in
            guard let text = value.text, !text.isEmpty else { return false }
            options.graphQLTypes.append(text)
            return true
        },
        OptionDefinition(
            "--only", "NAME|TAG|PATH",
            "resource, tag, GraphQL type or beginning of paths to draft; may be repeated", kind: .ofCommand
        ) { options, value in
            guard let text = value.text, !text.isEmpty else { return false }
            options.choice.only.append(text)
            return true
        },
        flag("--list", "list the resources that can be drafted", \.choice.isTable, true, kind: .ofCommand),
        flag("--live", "let 'check' try each operation of the catalog", \.isLive, true, kind: .ofCommand),
        flag(
            "--fix", "let 'check --live' mend types and pagination of the catalog", \.isFixed, true,
            kind: .ofCommand),
        flag("--force", "let 'add' replace a catalog", \.isForced, true, kind: .ofCommand),
        flag("--no-live", "let 'add' send no requests to the added API", \.triesLive, false, kind: .ofCommand),
        OptionDefinition(
            "--with", "NAME=VALUE",
            "id, scope or filter for --live; RESOURCE.NAME=VALUE for one resource; may be repeated",
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
            "--host", "HOST", "MCP host for 'mcp config': \(MCPHost.names.joined(separator: ", "))",
            expected: "one of \(MCPHost.names.joined(separator: ", "))", kind: .ofCommand
        ) { options, value in
            guard let host = value.text.flatMap({ MCPHost(rawValue: $0) }) else { return false }
            options.host = host
            return true
        },
        flag("--no-pager", "do not use the program in PAGER", \.people.isPaged, false, kind: .ofCommand),
        choice("--color", "when the output has colours (default: auto)", \.people.colour, kind: .ofCommand),
        choice("--log-level", "least severe level to log on stderr (default: warning)", \.logLevel),
        choice("--log-format", "format of the log (default: text)", \.logFormat),
    ]
}
