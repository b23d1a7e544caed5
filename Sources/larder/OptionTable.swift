import DataSources
import Model
import Protocol
import RPCServer
import System

extension OptionDefinition {
    /// All options, in the order of the help.
    static let all: [OptionDefinition] = [
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
        flag(
            "--whole", "let 'sync' read the list from its first page, however recent the copy is",
            \.people.syncing.isWhole, true, kind: .ofCommand),
        flag("--changes", "print the changed items of 'sync'", \.people.syncing.namesChanges, true, kind: .ofCommand),
        OptionDefinition(
            "--max-age", "DURATION", "let 'sync' skip copies whose last run is at most this old", kind: .ofCommand
        ) { options, value in
            options.people.syncing.maxAge = value.text.flatMap { Quantity.milliseconds($0) }
            return options.people.syncing.maxAge != nil
        },
        OptionDefinition(
            "--max-requests", "N", "largest number of requests of 'sync'; the next call continues",
            expected: expected("N", "from 1"), kind: .ofCommand
        ) { options, value in
            options.people.syncing.maxRequests = value.text.flatMap { Int($0) }
            return options.people.syncing.maxRequests.map { $0 >= 1 } ?? false
        },
        OptionDefinition(
            "--for", "DURATION", "end 'sync' after this time; the next call continues",
            expected: expected("DURATION", "from 1s"), kind: .ofCommand
        ) { options, value in
            options.people.syncing.maxTime = value.text.flatMap { Quantity.milliseconds($0) }
            return options.people.syncing.maxTime.map { $0 >= 1000 } ?? false
        },
        flag(
            "--accept-removals", "let 'sync' remove more than half of a local copy",
            \.people.syncing.acceptsRemovals, true, kind: .ofCommand),
        OptionDefinition(
            "--max-rows", "N", "maximum number of rows of 'sql' (default: 1000 for a table, 100000 otherwise)",
            expected: expected("N", "from 1 to \(QueryParams.largestMaxRows)"), kind: .ofCommand
        ) { options, value in
            options.people.query.maxRows = value.text.flatMap { Int($0) }
            return options.people.query.maxRows.map { (1...QueryParams.largestMaxRows).contains($0) } ?? false
        },
        OptionDefinition(
            "--timeout", "DURATION", "maximum time that 'sql' runs a query (default: 5s)",
            expected: expected("DURATION", "up to 60s"), kind: .ofCommand
        ) { options, value in
            options.people.query.timeout = value.text.flatMap { Quantity.milliseconds($0) }
            return options.people.query.timeout.map { (1...QueryParams.maxTimeout).contains($0) } ?? false
        },
        OptionDefinition(
            "--coverage", QueryParams.Coverage.allCases.map(\.rawValue).joined(separator: "|"),
            "let 'sql' fail unless each table is a complete local copy (default: any)", kind: .ofCommand
        ) { options, value in
            options.people.query.coverage = value.text.flatMap { QueryParams.Coverage(rawValue: $0) }
            return options.people.query.coverage != nil
        },
        OptionDefinition(
            "--sync", "DURATION", "let 'sql' first sync the tables whose local copies are older than this",
            kind: .ofCommand
        ) { options, value in
            options.people.query.maxAge = value.text.flatMap { Quantity.milliseconds($0) }
            return options.people.query.maxAge != nil
        },
        OptionDefinition(
            "--into", "FILE", "SQLite file for the rows of 'sql', instead of stdout", kind: .ofCommand
        ) { options, value in
            options.people.query.into = value.path
            return value.text?.isEmpty == false
        },
        OptionDefinition(
            "--into-table", "NAME", "name of the table that 'sql --into' creates (default: result)",
            expected: "the name of a table", kind: .ofCommand
        ) { options, value in
            options.people.query.intoTable = value.text
            return value.text?.isEmpty == false
        },
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
        flag(
            "--force", "let 'add' replace a catalog, 'cache export' a file, and 'sql --into' a table", \.isForced, true,
            kind: .ofCommand),
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
