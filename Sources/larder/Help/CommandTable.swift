extension CommandDefinition {
    /// All commands, in the order of the help.
    static let all: [CommandDefinition] = [server] + forPeople + forCatalogs + forTheRest

    private static let server = CommandDefinition(
        nil, [Usage("", "serve on stdin and stdout: JSON-RPC, and MCP")],
        details: [
            """
            A program starts it, writes one request a line to its stdin, and reads one reply a line from its stdout. \
            It ends when its stdin does, with every request answered. An editor or an assistant may speak the Model \
            Context Protocol with it, or frame messages as a language server does.
            """,
            """
            Called on a terminal, with nothing piped in, it says what it is and ends. `cat | larder` takes requests \
            from the keyboard.
            """,
        ],
        examples: [
            Example(
                #"echo '{"jsonrpc": "2.0", "id": 1, "method": "server/status"}' | larder"#, "one request, one reply")
        ])

    private static let forPeople = [
        CommandDefinition(
            .get, [Usage("RESOURCE ID [NAME=VALUE]...", "one item to read; piped, a line of JSON")],
            words: [.resource(.get), .text, .scope], options: people,
            details: [inTables, "Where items are of a parent, its names are given as NAME=VALUE."],
            examples: [
                Example("larder get character 1", "an item, and where it came from"),
                Example("larder get character 1 --fields name,status --json", "two of its fields, as JSON"),
                Example("larder get issue 1 owner=apple repo=swift --catalog github", "an item of a parent"),
            ]),
        CommandDefinition(
            .list, [Usage("RESOURCE [NAME=VALUE]...", "a page of a list as a table; --all for all of it")],
            words: [.resource(.list), .filter], options: people + ["--limit", "--page", "--all"],
            details: [inTables, "NAME=VALUE is a filter of the list, or a parent of its items."],
            examples: [
                Example("larder list character name=rick status=Alive", "the first page of a filtered list"),
                Example("larder list character --page 2", "another page"),
                Example("larder list episode --all --json | wc -l", "every page: an item a line"),
            ]),
        CommandDefinition(
            .search, [Usage("RESOURCE TEXT [NAME=VALUE]...", "what is cached, without the network")],
            words: [.resource(.search), .text, .field], options: people + ["--limit", "--all"],
            details: [inTables, "NAME=VALUE is what a field has, or a parent of the items."],
            examples: [
                Example("larder search character sanchez", "the items in the cache that have this word"),
                Example("larder search character rick status=Dead --limit 5", "narrowed by a field"),
            ]),
        CommandDefinition(
            .prefetch, [Usage("RESOURCE [NAME=VALUE]...", "fetches a whole list, to have it offline too")],
            words: [.resource(.list), .filter], options: ["--json", "--table"],
            details: ["On a terminal a bar on stderr shows how far it is. What is fresh is not fetched again."],
            examples: [
                Example("larder prefetch episode", "the whole list"),
                Example("larder prefetch character status=Dead", "a filtered one"),
            ]),
        CommandDefinition(
            .call, [Usage("METHOD [key=value | JSON]...", "one request, its result on stdout")],
            words: [.method, .param], options: ["--json"],
            details: [
                """
                A value is JSON if it parses as JSON, else a string. A dot in the key nests, as in `filter.name=rick`, \
                and a whole JSON object may stand in place of key=value. The result goes to stdout, with exit code 0; \
                an error as JSON to stderr, with exit code 1. `rpc.discover` tells all methods with their params.
                """
            ],
            examples: [
                Example("larder call character/get id=1", "an item, as a program gets it"),
                Example("larder call character/list page=2 filter.name=rick", "a page of a list"),
                Example(#"larder call character/getMany '{"ids": [1, 2, 3]}'"#, "params as JSON"),
                Example("larder call character/get id=1 cachePolicy=localOnly maxAge=5m", "only from the cache"),
                Example("larder call server/status", "what the process thinks of itself"),
            ]),
    ]

    private static let forCatalogs = [
        CommandDefinition(
            .check,
            [
                Usage("[FILE]", "what is wrong with a catalog, each fault with its place"),
                Usage("[FILE] --live [--with NAME=VALUE]...", "the same, and what each operation brings"),
            ],
            words: [.catalog], options: ["--json", "--live", "--with"],
            details: ["Without FILE it is the catalog that would be served. It asks nobody but with --live."],
            examples: [
                Example("larder check my.jsonc", "every fault at once"),
                Example("larder check my.jsonc --live --with id=7", "each operation tried, over two pages"),
            ]),
        CommandDefinition(
            .catalogShow, [Usage("[FILE]", "a catalog as it is understood, its secrets hidden")], words: [.catalog],
            options: ["--json"],
            examples: [Example("larder catalog show github", "with all that it leaves to defaults")]),
        CommandDefinition(
            .catalogInfer, [Usage("URL", "a catalog of what an API answers there")], words: [.text],
            options: ["--header", "--graphql"],
            examples: [
                Example("larder catalog infer https://api.example.com/things > my.jsonc", "a start for one of your own")
            ]),
        CommandDefinition(
            .catalogImport, [Usage("FILE", "a catalog of an OpenAPI document (JSON)")], words: [.file],
            examples: [Example("larder catalog import openapi.json > my.jsonc", "a start for one of your own")]),
        CommandDefinition(
            .catalogTypes, [Usage("[FILE]", "the TypeScript types of its resources")], words: [.catalog],
            examples: [Example("larder catalog types > larder-types.ts", "those of the catalog that would be served")]),
        CommandDefinition(
            .catalogSchema, [Usage("", "the JSON Schema of catalogs, for editors")], options: ["--json"],
            examples: [Example("larder catalog schema > catalog.schema.json", "for an editor's settings")]),
    ]

    private static let forTheRest = [
        CommandDefinition(
            .cache,
            [Usage(CacheAction.names.joined(separator: "|"), "what the cache file holds; empty it; where it is")],
            words: [.choice(CacheAction.names)], options: ["--json"],
            examples: [
                Example("larder cache stats", "how much is kept, and how often it was of use"),
                Example("larder cache clear", "start anew"),
            ]),
        CommandDefinition(
            .doctor, [Usage("[--json]", "what is wrong with what larder needs, and what to do")],
            options: ["--json"],
            examples: [Example("larder doctor --catalog my.jsonc", "cache, catalog, secrets, network, shared level")]),
        CommandDefinition(
            .mcpConfig, [Usage("[--host HOST]", "what a host of MCP is told, to start larder so")],
            options: ["--host"],
            examples: [Example("larder mcp config --host zed --catalog github", "for Zed's settings")]),
        CommandDefinition(
            .completions, [Usage(CompletionScript.names.joined(separator: "|"), "a shell's completions of all this")],
            words: [.choice(CompletionScript.names)],
            details: [
                """
                The script asks larder itself for what may follow, so that it knows the methods, the resources, the \
                filters and their values of the catalog at hand. It never asks the network.
                """
            ],
            examples: [
                Example("source <(larder completions bash)", "in ~/.bashrc"),
                Example("source <(larder completions zsh)", "in ~/.zshrc, behind compinit"),
                Example("larder completions fish | source", "in ~/.config/fish/config.fish"),
            ]),
        CommandDefinition(
            .help, [Usage("[TOPIC]", "this, or more about a command or a topic, with examples")],
            words: [.topic],
            examples: [
                Example("larder help list", "a command"), Example("larder help environment", "a topic"),
                Example("larder help man | man -l -", "the man page"),
            ]),
    ]

    /// The options of the commands for people.
    private static let people = ["--json", "--table", "--fields"]

    private static let inTables = """
        On a terminal it shows a table or an item to read, and says where it came from and how old it is; into a pipe \
        it writes JSON lines. --json and --table say which, wherever it goes.
        """
}
