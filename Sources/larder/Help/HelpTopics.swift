import Catalog
import DataSources

extension HelpTopic {
    /// The help topics that are not about a single command, in the order of the help.
    static let all = [catalogs, caching, offline, environment, files, exitCodes]

    private static let catalogs = HelpTopic(
        name: "catalogs", title: "what larder serves, and how to declare your own API",
        parts: [
            .text(
                """
                A catalog is a JSON file with comments that declares APIs and their resources. Larder serves the first \
                of these catalogs: the one that --catalog names, the one that LARDER_CATALOG names, catalog.jsonc in \
                the configuration folder, the built-in catalog rickandmorty.
                """),
            .text(
                """
                These catalogs are shipped with larder and are named without a path: \
                \(ShippedCatalog.all.map(\.name).joined(separator: ", ")).
                """),
            .text(
                """
                If --catalog is given several times, larder serves all of these catalogs, and the resource issue of \
                github is github.issue. The commands for people also take github/issue, without --catalog.
                """),
            .examples([
                .init("larder list repo text=larder --catalog github", "serve a shipped catalog"),
                .init("larder list github/repo text=larder", "the same in a shorter way"),
                .init("larder catalog infer https://api.example.com/things > my.jsonc", "a first draft to edit"),
                .init("larder check my.jsonc --live", "check the catalog, and try its operations on the API"),
                .init("larder list thing --catalog ./my.jsonc", "list items with the new catalog"),
            ]),
        ])

    private static let caching = HelpTopic(
        name: "caching", title: "what is cached, for how long, and when requests are made",
        parts: [
            .text(
                """
                Responses of an API are cached in memory and in a file. Larder sends no request for an item while the \
                cached item is fresh; freshFor in the catalog sets this time. If the API fails, larder returns the \
                cached item, for at most the time that keepFor sets, and marks the reply. A request can set \
                cachePolicy:
                """),
            .rows([
                ("localFirst", "fresh data from the cache, else the API (the default)"),
                ("remoteFirst", "the API; cached data if the API fails"),
                ("none", "only the API; the response is not cached"),
                ("localOnly", "only the cache, whatever the age of the data; no requests"),
            ]),
            .text("maxAge, as in `maxAge=5m`, rejects cached data that is older."),
            .examples([
                .init("larder call character/get id=1 cachePolicy=remoteFirst", "fetch the item again"),
                .init(
                    "larder call cache/invalidate resource=character", "mark all cached items of a resource as stale"),
                .init(
                    "larder call request/explain method=character/get params.id=1",
                    "explain how a request would be answered"),
                .init("larder cache stats", "the size of the cache and its hits"),
            ]),
        ])

    private static let offline = HelpTopic(
        name: "offline", title: "work without a network: cached data and recorded responses",
        parts: [
            .text(
                """
                With --offline, larder makes no network requests. It serves cached data of any age and reports the \
                error notCached for all other data. --record saves each exchange with an API as a file, and --replay \
                answers requests from these files, for tests and for machines without access to the API.
                """),
            .examples([
                .init("larder prefetch episode", "with a network: fill the cache"),
                .init("larder list episode --offline", "without a network: read the cache"),
                .init(
                    "larder list character --record cassettes cachePolicy=remoteFirst", "save the API's responses"),
                .init("larder list character --replay cassettes --no-persistence", "answer from the saved responses"),
            ]),
        ])

    private static let environment = HelpTopic(
        name: "environment", title: "the environment variables that larder reads",
        parts: [
            .rows([
                ("LARDER_CATALOG", "the catalog, unless --catalog is given"),
                ("LARDER_VAR_NAME", "the value of the catalog variable NAME, unless --var sets it"),
                (
                    "LARDER_SHARED, LARDER_SHARED_MODE, LARDER_SHARED_NAMESPACE",
                    "the defaults of the options --shared, --shared-mode and --shared-namespace"
                ),
                (
                    "LARDER_SHARED_PASSWORD, LARDER_SHARED_SECRET",
                    "the password of the shared server, and the secret that signs its entries; with the suffix _FILE, "
                        + "the file with the value"
                ),
                (
                    "XDG_CACHE_HOME, XDG_DATA_HOME, XDG_CONFIG_HOME, XDG_STATE_HOME",
                    "the parent folders of the cache, the recent searches, the catalog, and the history of 'larder sql'"
                ),
                (
                    "https_proxy, http_proxy, all_proxy, no_proxy",
                    "the proxies, as in curl; all but http_proxy may be in capitals"
                ),
                ("SSL_CERT_FILE, SSL_CERT_DIR, CURL_CA_BUNDLE", "the trusted certificates"),
                ("HOME", "the home folder; all default folders are in it"),
                ("TERM", "if empty or 'dumb', no colours and no progress bar"),
                ("NO_COLOR", "if not empty, no colours"),
                ("CLICOLOR_FORCE", "if neither empty nor 0, colours also in pipes and files"),
                ("PAGER", "the program that shows the output of 'get', 'list' and 'search' on a terminal"),
                ("BROWSER", "the program with which 'larder open' opens a page"),
                ("COLUMNS", "the width of tables, if the terminal does not report its width"),
            ]),
            .text("A catalog reads its secrets from the variables that it names with ${env:NAME}."),
            .examples([
                .init("LARDER_CATALOG=github larder list repo text=larder", "use a catalog for one command"),
                .init("NO_COLOR=1 larder list character", "print without colours"),
            ]),
        ])

    private static let files = HelpTopic(
        name: "files", title: "the files that larder reads and writes",
        parts: [
            .rows([
                ("~/.cache/larder/cache.sqlite", "the cache; --cache-dir or XDG_CACHE_HOME sets another folder"),
                (
                    "~/.local/share/larder/recents.sqlite",
                    "recent searches; --data-dir or XDG_DATA_HOME sets another folder"
                ),
                (
                    "~/.local/state/larder/sql_history",
                    "queries typed at the prompt of 'larder sql', unless --no-persistence is given; XDG_STATE_HOME sets "
                        + "another folder"
                ),
                ("~/.config/larder/catalog.jsonc", "the default catalog; XDG_CONFIG_HOME sets another folder"),
                ("~/.config/larder/NAME.jsonc", "the catalogs that 'larder add' has written"),
                (
                    "~/.config/larder/config.jsonc",
                    "your settings: catalog, color, and columns of tables; 'larder check' checks them"
                ),
            ]),
            .text(
                """
                Only the owner can read the files that larder creates. You can delete the cache file while larder is \
                not running.
                """),
            .examples([.init("larder cache path", "print the path of the cache file")]),
        ])

    /// The topic about exit codes, in the help and in the man page.
    static let exitCodes = HelpTopic(
        name: "exit-codes", title: "the exit codes of larder",
        parts: [
            .rows([
                ("0", "success"),
                (
                    "1",
                    "the request failed; data could not be saved; an operation of check --live failed; no draft "
                        + "could be made; doctor found a fault; the client sent exit without shutdown"
                ),
                ("64", "invalid command line"), ("74", "the output could not be written"),
                ("75", "the exit was forced, because a disk or a lock hangs"),
                ("78", "the catalog or config.jsonc has faults"),
                ("129, 130, 143", "SIGHUP, Ctrl-C or SIGTERM ended prefetch"),
            ]),
            .examples([
                .init("larder call character/get id=99999 || echo $?", "print an error on stderr, then the exit code 1")
            ]),
        ])
}
