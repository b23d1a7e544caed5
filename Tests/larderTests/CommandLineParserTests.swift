import DataSources
import System
import TestSupport
import Testing

@testable import RPCServer
@testable import larder

extension CommandLineParser {
    static func parse(_ arguments: [String]) throws(UsageError) -> Command {
        try parse(arguments.map { Argument($0.utf8) })
    }
}

@Suite(.limited) struct CommandLineParserTests {
    private static func options(_ arguments: String...) throws -> CommandOptions {
        let command = try CommandLineParser.parse(arguments)
        guard case .serve(let options) = command else { throw UsageError(message: "\(command)") }
        return options
    }

    static func message(_ arguments: [String]) -> String? {
        do throws(UsageError) {
            let command = try CommandLineParser.parse(arguments)
            return "no error but \(command)"
        } catch {
            return error.message
        }
    }

    static func with(_ change: (inout CommandOptions) -> Void) -> CommandOptions {
        var options = CommandOptions()
        change(&options)
        return options
    }

    /// Command lines that set every option to a non-default value, each with the resulting options.
    private static let table: [(words: [String], options: CommandOptions)] = [
        (["--catalog", "a.jsonc"], with { $0.catalog = "a.jsonc" }),
        (
            ["--base-url", "rm=http://127.0.0.1:1/x=y"],
            with { $0.baseURLs = [.init(api: "rm", url: "http://127.0.0.1:1/x=y")] }
        ),
        (["--var", "HOST=a=b"], with { $0.variables = ["HOST": "a=b"] }),
        (["--cache-dir", "c"], with { $0.cacheDirectory = "c" }),
        (["--data-dir", "d"], with { $0.dataDirectory = "d" }),
        (["--memory", "1MiB"], with { $0.memory = 1 << 20 }), (["--disk", "2GiB"], with { $0.disk = 2 << 30 }),
        (["--no-persistence"], with { $0.isPersistent = false }), (["--offline"], with { $0.isOffline = true }),
        (["--shared", "redis://cache:6379/0"], with { $0.shared = "redis://cache:6379/0" }),
        (["--shared-mode", "readwrite"], with { $0.sharedMode = .readwrite }),
        (["--shared-namespace", "team-a_1.b"], with { $0.sharedNamespace = "team-a_1.b" }),
        (["--record", "r"], with { $0.record = "r" }), (["--replay", "p"], with { $0.replay = "p" }),
        (["--max-message", "100"], with { $0.maxMessage = 100 }),
        (["--max-queue", "1KiB"], with { $0.maxQueue = 1024 }),
        (["--max-in-flight", "7"], with { $0.maxInFlight = 7 }),
        (["--memory-in-flight", "3MiB"], with { $0.memoryInFlight = 3 << 20 }),
        (["--memory-query", "3MiB"], with { $0.memoryQuery = 3 << 20 }),
        (["--drain", "1.5"], with { $0.drain = 1500 }),
        (["--tool-prefix", "hub_1-a"], with { $0.toolPrefix = "hub_1-a" }),
        (["--json"], with { $0.isJSON = true }), (["--table"], with { $0.people.isTable = true }),
        (["--output", "csv"], with { $0.people.format = .csv }),
        (["--fields", "a,b.c"], with { $0.people.fields = ["a", "b.c"] }),
        (["--limit", "3"], with { $0.people.limit = 3 }), (["--page", "2"], with { $0.people.page = "2" }),
        (
            ["--sort", "a,-b.c"],
            with {
                $0.people.order.keys = [.init(name: "a", isDescending: false), .init(name: "b.c", isDescending: true)]
            }
        ),
        (["--reverse"], with { $0.people.order.isReversed = true }),
        (["--interval", "2m"], with { $0.people.interval = 120_000 }),
        (["--whole"], with { $0.people.syncing.isWhole = true }),
        (["--changes"], with { $0.people.syncing.namesChanges = true }),
        (["--max-age", "1h"], with { $0.people.syncing.maxAge = 3_600_000 }),
        (["--max-requests", "7"], with { $0.people.syncing.maxRequests = 7 }),
        (["--for", "10m"], with { $0.people.syncing.maxTime = 600_000 }),
        (["--accept-removals"], with { $0.people.syncing.acceptsRemovals = true }),
        (["--max-rows", "7"], with { $0.people.query.maxRows = 7 }),
        (["--timeout", "30s"], with { $0.people.query.timeout = 30_000 }),
        (["--coverage", "synced"], with { $0.people.query.coverage = .synced }),
        (["--sync", "1h"], with { $0.people.query.maxAge = 3_600_000 }),
        (["--into", "f"], with { $0.people.query.into = "f" }),
        (["--into-table", "t"], with { $0.people.query.intoTable = "t" }),
        (["--all"], with { $0.people.isAll = true }),
        (["--header", "A: b:c"], with { $0.headers = ["A: b:c"] }),
        (["--graphql", "Cat"], with { $0.graphQLTypes = ["Cat"] }),
        (["--only", "issue"], with { $0.choice.only = ["issue"] }), (["--list"], with { $0.choice.isTable = true }),
        (["--live"], with { $0.isLive = true }),
        (["--fix"], with { $0.isFixed = true }), (["--force"], with { $0.isForced = true }),
        (["--no-live"], with { $0.triesLive = false }),
        (["--with", "issue.owner=a=b"], with { $0.given = ["issue.owner": "a=b"] }),
        (["--host", "zed"], with { $0.host = .zed }),
        (["--no-pager"], with { $0.people.isPaged = false }),
        (["--color", "never"], with { $0.people.colour = .never }),
        (["--log-level", "debug"], with { $0.logLevel = .debug }),
        (["--log-format", "json"], with { $0.logFormat = .json }),
    ]

    @Test func everyOptionIsInTheTable() {
        #expect(Self.table.compactMap(\.words.first) == OptionDefinition.all.map(\.name))
    }

    @Test func optionValueIsTheNextArgumentOrFollowsAnEqualsSign() throws {
        let general = OptionDefinition.all.filter { $0.kind != .ofCommand }.map(\.name)
        let list = CommandDefinition.named(by: ["list"])?.options ?? []
        for (words, options) in Self.table where list.contains(words[0]) {
            let request = try TerminalRequest(.list, ["list", "r"])
            #expect(try CommandLineParser.parse(["list"] + words + ["r"]) == .people(request, options))
            #expect(
                try CommandLineParser.parse([words.joined(separator: "="), "list", "r"]) == .people(request, options))
        }
        for (words, options) in Self.table where general.contains(words[0]) {
            #expect(try CommandLineParser.parse(words) == .serve(options))
            #expect(try CommandLineParser.parse([words.joined(separator: "=")]) == .serve(options))
            #expect(
                try CommandLineParser.parse(["call"] + words + ["m", "id=1"])
                    == .call(method: "m", arguments: ["id=1"], options))
            #expect(
                try CommandLineParser.parse(["call", "m", "id=1"] + words)
                    == .call(method: "m", arguments: ["id=1"], options))
        }
    }

    @Test func emptyCommandLineStartsAServerWithDefaults() throws {
        let options = try Self.options()
        #expect(options == CommandOptions())
        #expect((options.memory, options.disk) == (64 << 20, 1 << 30))
        #expect((options.maxMessage, options.maxQueue) == (16 << 20, 64 << 20))
        #expect((options.maxInFlight, options.drain) == (1024, 30_000))
    }

    @Test func cacheCommandAcceptsOptions() throws {
        for action in CacheAction.allCases {
            #expect(
                try CommandLineParser.parse(["--cache-dir", "c", "cache", action.rawValue, "--offline"])
                    == .cache(
                        action, resource: nil,
                        Self.with {
                            $0.cacheDirectory = "c"
                            $0.isOffline = true
                        }))
        }
    }

    @Test func exportCommandHasAFile() throws {
        let options = Self.with { $0.isForced = true }
        #expect(try CommandLineParser.parse(["cache", "export", "f", "--force"]) == .export("f", options))
    }

    @Test func catalogCommandKeepsItsArguments() throws {
        let options = Self.with { $0.variables = ["A": "b"] }
        #expect(
            try CommandLineParser.parse(["catalog", "show", "a.jsonc", "--var", "A=b"])
                == .catalog(.show, ["a.jsonc"], options))
        #expect(try CommandLineParser.parse(["catalog", "show"]) == .catalog(.show, [], CommandOptions()))
    }

    @Test func mcpConfigKeepsTheGivenOptions() throws {
        let given = [
            GivenOption(name: "--var", value: Argument("A=b=c".utf8)), GivenOption(name: "--offline", value: nil),
            GivenOption(name: "--var", value: Argument("D=".utf8)),
        ]
        let options = Self.with {
            $0.variables = ["A": "b=c", "D": ""]
            $0.isOffline = true
        }
        #expect(
            try CommandLineParser.parse(["--var", "A=b=c", "mcp", "--offline", "config", "--var=D="])
                == .mcpConfig(given, options))
    }

    @Test func baseURLsAccumulateAndOtherOptionsAreReplaced() throws {
        let options = try Self.options("--base-url", "a=x", "--base-url=b=y", "--memory", "1", "--memory=2")
        #expect(options.baseURLs == [.init(api: "a", url: "x"), .init(api: "b", url: "y")])
        #expect(options.memory == 2)
    }

    @Test(arguments: [["--help"], ["-h"], ["--offline", "--help", "--nonsense"]])
    func helpOptionIsAcceptedInAnyPosition(arguments: [String]) throws {
        #expect(try CommandLineParser.parse(arguments) == .help)
    }

    @Test(
        arguments: [
            (["call", "x", "--help"], "call"), (["catalog", "-h"], "catalog"),
            (["catalog", "infer", "--help"], "catalog infer"), (["list", "--all", "--help"], "list"),
        ])
    func helpOptionAfterACommandShowsTheHelpOnThatCommand(arguments: [String], topic: String) throws {
        #expect(try CommandLineParser.parse(arguments) == .topic(topic))
    }

    @Test(
        arguments: [
            (["lst", "--help"], "unknown command 'lst'; did you mean 'list'?"),
            (["list", "r", "--live"], "--live cannot be used with 'list'; remove the option, or use it with 'check'"),
            (
                ["cache", "stats", "--with", "id=1"],
                "--with cannot be used with 'cache'; remove the option, or use it with 'add', 'check'"
            ),
            (
                ["--host", "zed"],
                "--host cannot be used without a command; remove the option, or use it with 'mcp config'"
            ),
            (
                ["check", "--with", "id=1"],
                "--with needs --live, because --with sets values for the live check; add --live"
            ),
            (["lst", "--all"], "unknown command 'lst'; did you mean 'list'?"),
        ])
    func optionOfAnotherCommandIsRefused(arguments: [String], message: String) {
        #expect(throws: UsageError(message: message)) { try CommandLineParser.parse(arguments) }
    }

    @Test func versionOptionIsParsed() throws {
        #expect(try CommandLineParser.parse(["--offline", "--version"]) == .version)
    }

    @Test func onlyPathsMayContainInvalidUTF8() throws {
        let name: [UInt8] = [0xFF, 0xFE]
        let expected = Self.with { $0.cacheDirectory = FilePath(name) }
        let option = Argument("--cache-dir".utf8)
        #expect(try CommandLineParser.parse([option, Argument(name)]) == .serve(expected))
        #expect(try CommandLineParser.parse([Argument(Array("--cache-dir=".utf8) + name)]) == .serve(expected))
        for words in [["call"], ["call", "m", "--"], ["--memory"], ["--log-level"], ["--base-url"]] {
            #expect(throws: UsageError.self) {
                try CommandLineParser.parse(words.map { Argument($0.utf8) } + [Argument(Array("a=".utf8) + name)])
            }
        }
        for option in OptionDefinition.all where option.argument != nil {
            for value in [name, Array("a=".utf8) + name] {
                var options = CommandOptions()
                #expect(option.apply(&options, Argument(value)) == (option.kind == .file), "\(option.name)")
            }
        }
    }

    @Test func argumentsAfterTwoDashesArePositional() throws {
        #expect(
            try CommandLineParser.parse(["call", "m", "--", "--offline", "--", "a=1"])
                == .call(method: "m", arguments: ["--offline", "--", "a=1"], CommandOptions()))
        #expect(try CommandLineParser.parse(["--"]) == .serve(CommandOptions()))
    }

    @Test func negativeNumberAndDashArePositionalArguments() throws {
        #expect(
            try CommandLineParser.parse(["call", "m", "-1", "-", "-2.5e3", "x=-1"])
                == .call(method: "m", arguments: ["-1", "-", "-2.5e3", "x=-1"], CommandOptions()))
    }

    @Test(
        arguments: [
            (["--offlin"], "unknown option '--offlin'; did you mean '--offline'?"),
            (["--versoin"], "unknown option '--versoin'; did you mean '--version'?"),
            (["--zzzzzzzzzz=1"], "unknown option '--zzzzzzzzzz'; see larder --help"),
            (["-x"], "unknown option '-x'; see larder --help"),
            (["cal", "m"], "unknown command 'cal'; did you mean 'call'?"),
            (["api=http://me:pass@host/"], "unknown command 'api=http://***@host/'; see larder --help"),
            (["serve-me-please"], "unknown command 'serve-me-please'; see larder --help"),
            (["cache"], "'larder cache' needs one of stats, clear, path, syncs, export"),
            (["cache", "clera"], "unknown cache command 'clera'; did you mean 'clear'?"),
            (["cache", "everything"], "unknown cache command 'everything'; see larder --help"),
            (["cache", "stats", "now"], "'larder cache stats' takes no arguments; remove 'now'"),
            (["cache", "clear", "a", "b"], "'larder cache clear' takes one resource; remove 'b'"),
            (["resources", "a"], "'larder resources' takes no arguments; remove 'a'"),
            (["ls", "r"], "unknown command 'ls'; did you mean 'list'?"),
            (["list", "r", "--page"], "--page needs a value: the number or the cursor of a page"),
            (["list", "r", "-o", "csv", "--json"], "--json and --output cannot be used together; remove one of them"),
            (
                ["list", "r", "--sort", "-"],
                "--sort must be field names separated by ',', each with an optional '-' before it, not '-'"
            ),
            (["list", "r", "--state", "open"], "unknown option '--state'; see larder list r --help"),
            (["watch", "list", "r", "--bogus"], "unknown option '--bogus'; see larder watch list r --help"),
            (["list", "--bogus"], "unknown option '--bogus'; see larder --help"),
            (["call", "m", "-o", "csv"], "--output must be json, jsonl or yaml for 'call', not 'csv'"),
            (
                ["cache", "path", "--no-persistence"],
                "'larder cache path' needs the cache file: remove --no-persistence"
            ),
            (["catalog"], "'larder catalog' needs one of show, infer, import, types, schema"),
            (["catalog", "shwo"], "unknown catalog command 'shwo'; did you mean 'show'?"),
            (["catalog", "show", "a", "b"], "'larder catalog show' takes at most one file"),
            (
                ["catalog", "import", "a.yaml", "--fields", "name"],
                "to import a document, --fields must be 'none' or 'all'"
            ),
            (
                ["catalog", "infer"],
                "'larder catalog infer' takes a URL, file or '-' for standard input; for a list and one of its items,"
                    + " two of them"
            ),
            (
                ["catalog", "infer", "http://u", "--replay", "d"],
                "'larder catalog infer' does not accept --replay with a URL, because it must send a request; name a"
                    + " file, or leave out --replay"
            ),
            (
                ["catalog", "infer", "http://u", "--record", "d"],
                "'larder catalog infer' does not accept --record with a URL, because it must send a request; name a"
                    + " file, or leave out --record"
            ),
            (
                ["--offline", "catalog", "import", "http://u"],
                "'larder catalog import' does not accept --offline with a URL, because it must send a request; name a"
                    + " file, or leave out --offline"
            ),
            (
                ["catalog", "import"],
                "'larder catalog import' takes one URL, file or '-' for standard input: an OpenAPI or Swagger document"
                    + " in JSON or YAML"
            ),
            (["mcp"], "'larder mcp' needs 'config' or 'bundle'; to serve MCP, run larder without a command"),
            (["mcp", "confg"], "unknown mcp command 'confg'; did you mean 'config'?"),
            (["mcp", "bundle", "a", "b"], "'larder mcp bundle' takes one file; remove 'b'"),
            (["mcp", "config", "zed"], "'larder mcp config' takes no arguments; remove 'zed'"),
            (
                ["mcp", "config", "--host", "zde"],
                "--host must be one of generic, claude, claude-desktop, cursor, vscode, zed, codex, gemini, opencode, "
                    + "lmstudio, goose, not 'zde'"
            ),
            (["call"], "'larder call' needs a method: larder call METHOD [key=value | JSON]"),
            (["--catalog"], "--catalog needs a value: the path of a catalog file, or the name of a catalog"),
            (
                ["--catalog", "--offline"],
                "--catalog needs a value: the path of a catalog file, or the name of a catalog"
            ),
            (["--catalog="], "--catalog must be the path of a catalog file, or the name of a catalog, not ''"),
            (["--offline=yes"], "--offline takes no value; remove the value"),
            (["--help=me"], "--help takes no value; remove the value"),
            (["--version="], "--version takes no value; remove the value"),
            (["--memory", "much"], "--memory must be a size such as 64MiB, up to 1TiB, not 'much'"),
            (["--memory", "-1"], "--memory must be a size such as 64MiB, up to 1TiB, not '-1'"),
            (["--max-message", "0"], "--max-message must be a size such as 64MiB, from 1B to 1GiB, not '0'"),
            (["--max-queue", "0"], "--max-queue must be a size such as 64MiB, from 1B to 1TiB, not '0'"),
            (["--max-in-flight", "0"], "--max-in-flight must be a number from 1 to 1000000, not '0'"),
            (
                ["--max-in-flight=99999999999999999999"],
                "--max-in-flight must be a number from 1 to 1000000, not '99999999999999999999'"
            ),
            (
                ["--tool-prefix", "a b"],
                "--tool-prefix must be a name of up to 32 letters, digits, '_' and '-' that starts with a letter or "
                    + "'_', not 'a b'"
            ),
            (
                ["--tool-prefix=--tool-prefix"],
                "--tool-prefix must be a name of up to 32 letters, digits, '_' and '-' that starts with a letter or "
                    + "'_', not '--tool-prefix'"
            ), (["--drain", "-1"], "--drain must be a duration such as 90s or 5m, up to 1d, not '-1'"),
            (["--base-url", "http"], "--base-url must be API=URL, not 'http'"),
            (["--base-url", "=u"], "--base-url must be API=URL, not '=u'"),
            (["--shared-mode", "write"], "--shared-mode must be one of read, readwrite, not 'write'"),
            (
                ["--shared-namespace", "a b"],
                "--shared-namespace must be a name of 1 to 64 letters, digits, '-', '_' and '.', not 'a b'"
            ),
            (["doctor", "all"], "'larder doctor' takes no arguments; remove 'all'"),
            (
                ["list", "r", "--output", "tabel"],
                "--output must be one of table, record, json, jsonl, csv, tsv, markdown, yaml, not 'tabel'; did you mean 'table'?"
            ),
            (["list", "r", "--only", ""], "--only must be NAME|TAG|PATH, not ''"),
            (["sync", "r", "--for", "999ms"], "--for must be a duration such as 90s or 5m, from 1s, not '999ms'"),
            (["sync", "r", "--max-age", "x"], "--max-age must be a duration such as 90s or 5m, not 'x'"),
            (["sql", "q", "--max-rows", "0"], "--max-rows must be a number from 1 to 100000, not '0'"),
            (["sql", "q", "--timeout", "61"], "--timeout must be a duration such as 90s or 5m, up to 60s, not '61'"),
            (["cache", "export"], "'larder cache export' needs a file: larder cache export FILE.sqlite"),
            (
                ["cache", "export", "f", "--no-persistence"],
                "'larder cache export' needs the cache file: remove --no-persistence"
            ),
            (
                ["sql", "q", "--into", "f", "-o", "csv"],
                "--into and --output cannot be used together, because --into writes a table; remove one"
            ),
            (["sql", "q", "--into-table", "t"], "--into-table needs the file of the table; add --into FILE.sqlite"),
            (["--record", ""], "--record must be the path of a folder, not ''"),
            (
                ["cache", "stats", "--output", "csv"],
                "--output must be table, json, jsonl or yaml for 'cache', not 'csv'"
            ),
            (["--log-level", "loud"], "--log-level must be one of error, warning, info, debug, not 'loud'"),
            (["--log-format", "xml"], "--log-format must be one of text, json, not 'xml'"),
            (["--record", "a", "--replay", "b"], "--record and --replay cannot be used together; remove one of them"),
        ] as [([String], String)])
    func invalidCommandLineIsRefusedWithAHint(arguments: [String], message: String) {
        #expect(Self.message(arguments) == message)
    }
}
