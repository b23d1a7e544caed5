extension CommandDefinition {
    /// All commands, in the order of the help.
    static let all: [CommandDefinition] = [server] + forPeople + forCatalogs + ofCache + forTheRest

    private static let server = CommandDefinition(
        nil, [Usage("", "serve JSON-RPC and MCP over stdin and stdout")],
        details: [
            """
            A program starts larder, writes one request per line to its stdin, and reads one reply per line from its \
            stdout. When stdin closes, larder answers the pending requests and exits. Editors and assistants can also \
            speak the Model Context Protocol (MCP), or frame messages as a language server does.
            """,
            """
            On a terminal without piped input, larder prints a short introduction and exits. Use `cat | larder` to \
            type requests.
            """,
        ],
        examples: [
            Example(
                #"echo '{"jsonrpc": "2.0", "id": 1, "method": "server/status"}' | larder"#, "one request, one reply")
        ])

    private static let forPeople = [
        CommandDefinition(
            .get,
            [
                Usage(
                    "RESOURCE ID... [NAME=VALUE]...", "show one item or several; when piped, one line of JSON for each")
            ],
            words: [.resource(.get), .text, .scope], options: people,
            details: [inTables, "If the items belong to a parent, NAME=VALUE names the parent."],
            examples: [
                Example("larder get character 1", "an item, with the source of the data"),
                Example("larder get character 1 --fields name,status --json", "two of its fields, as JSON"),
                Example("larder get character 1 2 3", "several items, as a table"),
                Example(
                    "larder get issue 1 owner=apple repo=swift --catalog github", "an item that belongs to a parent"),
            ]),
        CommandDefinition(
            .list, [Usage("RESOURCE [NAME=VALUE]...", "show one page of a list; with --all, every page")],
            words: [.resource(.list), .filter],
            options: people + ["--limit", "--page", "--all", "--sort", "--reverse"],
            details: [inTables, "NAME=VALUE is a filter of the list, or names the parent of the items."],
            examples: [
                Example("larder list character name=rick status=Alive", "the first page of a filtered list"),
                Example("larder list character --page 2", "another page"),
                Example("larder list character --sort status,-name", "sorted by status, then by name from Z to A"),
                Example("larder list episode --all --output csv", "every page, for a spreadsheet"),
                Example("larder list episode --all --json | wc -l", "every page, one item per line"),
            ]),
        CommandDefinition(
            .search, [Usage("RESOURCE TEXT [NAME=VALUE]...", "search the cached items; makes no requests")],
            words: [.resource(.search), .text, .field], options: people + ["--limit", "--all", "--sort", "--reverse"],
            details: [inTables, "NAME=VALUE is the value of a field, or names the parent of the items."],
            examples: [
                Example("larder search character sanchez", "the cached items that contain this word"),
                Example("larder search character rick status=Dead --limit 5", "only items with this field value"),
            ]),
        CommandDefinition(
            .prefetch, [Usage("RESOURCE [NAME=VALUE]...", "fetch a whole list into the cache, for use offline")],
            words: [.resource(.list), .filter], options: ["--json", "--table"],
            details: ["On a terminal, a bar on stderr shows the progress. Fresh items are not fetched again."],
            examples: [
                Example("larder prefetch episode", "the whole list"),
                Example("larder prefetch character status=Dead", "a filtered list"),
            ]),
        CommandDefinition(
            .sync,
            [
                Usage("[RESOURCE [NAME=VALUE]...]", "update the local copy of a list, or all copies")
            ],
            words: [.resource(.list), .filter],
            options: [
                "--json", "--table", "--whole", "--changes", "--max-age", "--max-requests", "--for",
                "--accept-removals",
            ],
            details: [
                """
                The list is read, and the items that it no longer has are removed. Without RESOURCE, all copies of \
                the catalog's lists are updated. A command that was interrupted is continued by the next.
                """
            ],
            examples: [
                Example("larder sync character", "keep a local copy of the whole list"),
                Example("larder sync character status=Dead --changes", "a filtered list, with what has changed"),
                Example("larder sync --max-age 1h", "all copies that are older than an hour, as in a cron job"),
            ]),
        sql,
        CommandDefinition(
            .watch, [Usage("RESOURCE ID [NAME=VALUE]...", "show an item, and then its changes")],
            words: [.resource(.get), .text, .scope], options: watched,
            details: [
                """
                The item is requested again each time it becomes stale, or after each --interval. If the catalog has \
                no freshFor, only --interval makes requests. Changes by other processes with the same cache file \
                appear at once. Ctrl-C ends the command.
                """
            ],
            examples: [Example("larder watch character 1 --interval 30s", "an item, and what changes in it")]),
        CommandDefinition(
            .watchList, [Usage("RESOURCE [NAME=VALUE]...", "show a page of a list, and then its changes")],
            words: [.resource(.list), .filter], options: watched + ["--page"],
            details: [
                """
                When piped, each item and each change is one line of JSON: its time as `at`, `added`, `changed` or \
                `removed` as `change`, the `item`, and the old and new values of changed `fields`.
                """
            ],
            examples: [
                Example("larder watch list character name=rick", "a filtered list"),
                Example("larder watch list issue state=open owner=apple repo=swift -c github", "open issues"),
            ]),
        CommandDefinition(
            .resources, [Usage("", "list the resources of the catalog with their commands")],
            options: ["--output", "--json", "--table", "--color"],
            details: ["`larder help RESOURCE` explains one of them: its fields, its filters and their values."],
            examples: [
                Example("larder resources --catalog github", "the resources of a shipped catalog"),
                Example("larder help character", "the fields and filters of a resource"),
            ]),
        CommandDefinition(
            .open, [Usage("RESOURCE ID [NAME=VALUE]...", "print the URL of an item's web page, and open it")],
            words: [.resource(.get), .text, .scope],
            details: [
                """
                The URL is in one of the item's fields, such as html_url or url. The variable BROWSER names the \
                program that opens it; by default, that is the system's.
                """
            ],
            examples: [
                Example("larder open issue 1 owner=apple repo=swift --catalog github", "an issue in the browser")
            ]),
        CommandDefinition(
            .call, [Usage("METHOD [key=value | JSON]...", "send one request and print its result")],
            words: [.method, .param], options: ["--json", "--output", "--color"],
            details: [
                """
                A value that parses as JSON is JSON; any other value is a string. A dot in the key nests, as in \
                `filter.name=rick`. A whole JSON object can replace key=value. The result is printed on stdout, with \
                exit code 0; an error is printed on stderr as JSON, with exit code 1. `rpc.discover` lists all methods \
                and their parameters.
                """
            ],
            examples: [
                Example("larder call character/get id=1", "an item, in the format for programs"),
                Example("larder call character/list page=2 filter.name=rick", "a page of a list"),
                Example(#"larder call character/getMany '{"ids": [1, 2, 3]}'"#, "parameters as JSON"),
                Example("larder call character/get id=1 cachePolicy=localOnly maxAge=5m", "only from the cache"),
                Example("larder call server/status", "the state of the process"),
            ]),
    ]

    private static let forCatalogs = [
        CommandDefinition(
            .add, [Usage("NAME URL|FILE", "add an API: find or draft its catalog, write the catalog, and try it")],
            words: [.text, .file],
            options: ["--only", "--fields", "--header", "--graphql", "--with", "--force", "--no-live"],
            details: [
                """
                The URL or file is an OpenAPI or Swagger document, or an answer of the API. Below a URL, the usual places \
                of documents are tried. On a terminal, larder asks which resources of a large document, or which types \
                of a GraphQL endpoint, to add; otherwise --only selects them. The catalog is NAME.jsonc in the folder of the configuration.
                """,
                """
                Larder then tries the operations, mends types and pagination that differ from the data, and shows a \
                first list. If the API needs secrets, it names their variables instead.
                """,
            ],
            examples: [
                Example("larder add shop https://api.example.com", "the API at this address"),
                Example("larder add shop openapi.yaml --only order --only /users", "some resources of a document"),
                Example("larder add zoo https://zoo.example/graphql --only Cat", "a type of a GraphQL schema"),
                Example("larder list order --catalog shop", "use the new catalog"),
            ]),
        CommandDefinition(
            .remove, [Usage("NAME", "remove a catalog that was added")], words: [.ownCatalog],
            examples: [Example("larder remove shop", "remove the file of this catalog")]),
        CommandDefinition(
            .catalogs, [Usage("", "list the shipped catalogs and your own")],
            options: ["--output", "--json", "--table", "--color"],
            examples: [Example("larder catalogs", "their names, resources and hosts")]),
        CommandDefinition(
            .check,
            [
                Usage("[FILE]", "check a catalog and print each fault with its position"),
                Usage("[FILE] --live [--with NAME=VALUE]...", "check a catalog and try each operation on the API"),
                Usage("FILE --live --fix", "also mend types and pagination of the catalog"),
            ],
            words: [.catalog], options: ["--json", "--live", "--fix", "--with"],
            details: [
                "Without FILE, checks the catalog that larder would serve. Makes no requests unless --live is given."
            ],
            examples: [
                Example("larder check my.jsonc", "every fault at once"),
                Example(
                    "larder check my.jsonc --live --with id=7", "also try each operation, with two pages of each list"),
            ]),
        CommandDefinition(
            .catalogShow, [Usage("[FILE]", "print a catalog with all defaults, its secrets hidden")], words: [.catalog],
            options: ["--json"],
            examples: [Example("larder catalog show github", "a shipped catalog, with all defaults")]),
        CommandDefinition(
            .catalogInfer,
            [
                Usage("URL|FILE|-", "draft a catalog from an API's response"),
                Usage("LIST ITEM", "draft one resource from the response of a list and the response of one item"),
            ], words: [.file, .file],
            options: ["--header", "--graphql", "--list"],
            examples: [
                Example("larder catalog infer https://api.example.com/things > my.jsonc", "a first draft to edit"),
                Example(
                    "larder catalog infer https://api.example.com/things https://api.example.com/things/7",
                    "a list and one of its items"),
                Example("larder catalog infer https://zoo.example/graphql --list", "the types of a GraphQL schema"),
            ]),
        CommandDefinition(
            .catalogImport, [Usage("URL|FILE|-", "draft a catalog from an OpenAPI or Swagger document")],
            words: [.file], options: ["--header", "--only", "--list", "--fields", "--json"],
            examples: [
                Example("larder catalog import openapi.yaml > my.jsonc", "a first draft to edit"),
                Example("larder catalog import openapi.yaml --list", "the resources of the document"),
                Example("larder catalog import openapi.yaml --only issue --only /users", "some of them"),
            ]),
        CommandDefinition(
            .catalogTypes, [Usage("[FILE]", "print TypeScript types for a catalog's resources")], words: [.catalog],
            examples: [
                Example("larder catalog types > larder-types.ts", "types for the catalog that larder would serve")
            ]),
        CommandDefinition(
            .catalogSchema, [Usage("", "print the JSON Schema of catalogs, for editors")], options: ["--json"],
            examples: [Example("larder catalog schema > catalog.schema.json", "for an editor's settings")]),
    ]

    private static let forTheRest = [
        CommandDefinition(
            .doctor, [Usage("[--json]", "check cache, catalog, secrets and network; suggest fixes")],
            options: ["--json"],
            examples: [Example("larder doctor --catalog my.jsonc", "check larder with this catalog")]),
        CommandDefinition(
            .mcpConfig, [Usage("[--host HOST]", "print the configuration for an MCP host to start larder")],
            options: ["--host"],
            examples: [Example("larder mcp config --host zed --catalog github", "for Zed's settings")]),
        CommandDefinition(
            .mcpBundle, [Usage("[FILE]", "write an MCP bundle (.mcpb) with larder and its catalog")], words: [.file],
            details: [
                """
                Without FILE, the bundle is named after the prefix of its tools, as in larder-github.mcpb. It contains \
                this program, so it runs only on this system and processor. The host asks for secrets that the catalog \
                names as ${env:NAME}. A catalog that contains a secret is refused.
                """
            ],
            examples: [Example("larder mcp bundle --catalog github", "larder-github.mcpb, for Claude Desktop")]),
        CommandDefinition(
            .completions,
            [Usage(CompletionScript.names.joined(separator: "|"), "print a completion script for the shell")],
            words: [.choice(CompletionScript.names)],
            details: [
                """
                The script runs larder for each completion. It therefore completes the methods, resources, filters and \
                values of the current catalog. It makes no network requests.
                """
            ],
            examples: [
                Example("source <(larder completions bash)", "in ~/.bashrc"),
                Example("source <(larder completions zsh)", "in ~/.zshrc, after compinit"),
                Example("larder completions fish | source", "in ~/.config/fish/config.fish"),
            ]),
        CommandDefinition(
            .help, [Usage("[TOPIC]", "print this page, or help on a command or topic")],
            words: [.topic],
            examples: [
                Example("larder help list", "a command"), Example("larder help environment", "a topic"),
                Example("larder help man | man -l -", "the man page"),
            ]),
    ]

    /// The names of the options that `get`, `list`, `search` and `prefetch` have in common.
    private static let people = ["--output", "--json", "--table", "--fields", "--color", "--no-pager"]

    /// The names of the options that `watch` and `watch list` have in common.
    private static let watched = ["--json", "--table", "--fields", "--color", "--interval"]

    private static let inTables = """
        On a terminal, the output is a readable table or item, followed by the source and age of the data. When piped, \
        it is JSON lines. --output selects another format. --table selects the one for a terminal, and --json JSON.
        """
}
