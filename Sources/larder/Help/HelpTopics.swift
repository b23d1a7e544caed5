import Catalog
import DataSources

extension HelpTopic {
    /// The topics that are no commands.
    static let all = [catalogs, caching, offline, environment, files, exitCodes]

    /// Where a catalog comes from.
    private static let catalogs = HelpTopic(
        name: "catalogs", title: "what larder serves, and how an API of your own is declared",
        parts: [
            .text(
                """
                A catalog declares APIs, and the resources that they have. It is JSON with comments. Larder serves the \
                one that --catalog names, else LARDER_CATALOG, else catalog.jsonc in the configuration folder, else \
                the built-in one, rickandmorty.
                """),
            .text(
                """
                These come with larder and are named without a path: \
                \(ShippedCatalog.all.map(\.name).joined(separator: ", ")).
                """),
            .examples([
                .init("larder list repo text=larder --catalog github", "one that comes with larder"),
                .init("larder catalog infer https://api.example.com/things > my.jsonc", "a start for one of your own"),
                .init("larder check my.jsonc --live", "whether it is right, and whether the API is as it says"),
                .init("larder list thing --catalog ./my.jsonc", "to see it at work"),
            ]),
        ])

    /// What is kept, and when it is asked for anew.
    private static let caching = HelpTopic(
        name: "caching", title: "what is kept, for how long, and when an API is asked",
        parts: [
            .text(
                """
                What an API has answered is kept in memory and in a file. While it is fresh, which the catalog says by \
                freshFor, nobody is asked again. Where an API does not answer, what is kept stands in, as long as \
                keepFor says, and the answer says so. A request may say what it wants by cachePolicy:
                """),
            .rows([
                ("localFirst", "what is fresh in the cache, else the API (the default)"),
                ("remoteFirst", "the API, else what is in the cache"),
                ("none", "the API alone; the answer is not kept"),
                ("localOnly", "what is in the cache, however old; never the network"),
            ]),
            .text("maxAge, as in `maxAge=5m`, takes nothing that is older than that."),
            .examples([
                .init("larder call character/get id=1 cachePolicy=remoteFirst", "ask the API anew"),
                .init("larder call cache/invalidate resource=character", "keep all, but take none for fresh"),
                .init("larder call request/explain method=character/get params.id=1", "what would happen, and why"),
                .init("larder cache stats", "what the cache has been good for"),
            ]),
        ])

    private static let offline = HelpTopic(
        name: "offline", title: "without a network: what is kept, and recorded answers",
        parts: [
            .text(
                """
                With --offline nothing leaves the machine: what is in the cache is served, however old it is, and what \
                is not there is an error of the kind notCached. --record saves each exchange with an API as a file, \
                and --replay answers from such files: for tests, and for machines that must not ask.
                """),
            .examples([
                .init("larder prefetch episode", "while there is a network"),
                .init("larder list episode --offline", "afterwards"),
                .init("larder list character --record cassettes cachePolicy=remoteFirst", "save what an API answers"),
                .init("larder list character --replay cassettes --no-persistence", "answer from that alone"),
            ]),
        ])

    private static let environment = HelpTopic(
        name: "environment", title: "the variables that are read",
        parts: [
            .rows([
                ("LARDER_CATALOG", "the catalog, where --catalog names none"),
                ("LARDER_VAR_NAME", "the variable NAME of the catalog, where --var names none"),
                ("LARDER_SHARED, LARDER_SHARED_MODE, LARDER_SHARED_NAMESPACE", "as the options of these names"),
                (
                    "LARDER_SHARED_PASSWORD, LARDER_SHARED_SECRET",
                    "the password of the shared server, and what signs entries there; with _FILE at the end, the file "
                        + "that has it"
                ),
                (
                    "XDG_CACHE_HOME, XDG_DATA_HOME, XDG_CONFIG_HOME",
                    "the folders of the cache, of recent searches and of the catalog"
                ),
                (
                    "https_proxy, http_proxy, all_proxy, no_proxy",
                    "as curl takes them; in capitals too, but for http_proxy"
                ),
                ("SSL_CERT_FILE, SSL_CERT_DIR, CURL_CA_BUNDLE", "the certificates that are trusted"),
                ("HOME", "where folders are that no other variable names"),
                ("TERM", "no colours and no moving bar where it is dumb"),
                ("NO_COLOR", "no colours on a terminal, where it is set and not empty"),
                ("COLUMNS", "the width of tables, where a terminal does not say its own"),
            ]),
            .text("Secrets of a catalog come from the variables that it names by ${env:NAME}."),
            .examples([
                .init("LARDER_CATALOG=github larder list repo text=larder", "a catalog for one command"),
                .init("NO_COLOR=1 larder list character", "without colours"),
            ]),
        ])

    private static let files = HelpTopic(
        name: "files", title: "where files are",
        parts: [
            .rows([
                ("~/.cache/larder/cache.sqlite", "the cache; --cache-dir or XDG_CACHE_HOME name another folder"),
                ("~/.local/share/larder/recents.sqlite", "recent searches; --data-dir or XDG_DATA_HOME"),
                ("~/.config/larder/catalog.jsonc", "the catalog, where no other is named; XDG_CONFIG_HOME"),
            ]),
            .text(
                """
                What larder makes is for its owner only. The cache file may be deleted while no larder runs: it fills \
                again.
                """),
            .examples([.init("larder cache path", "where the cache file is, with the same options")]),
        ])

    /// The exit codes, as one list for the help and the man page.
    static let exitCodes = HelpTopic(
        name: "exit-codes", title: "what larder ends with",
        parts: [
            .rows([
                ("0", "success"),
                (
                    "1",
                    "the request's error; what could not be kept, tried by check --live or drafted; a fault that doctor "
                        + "has found; a client's exit without shutdown"
                ),
                ("64", "wrong use"), ("74", "output that could not be written"),
                ("75", "the end took too long, because something hangs"), ("78", "a catalog with faults"),
                ("129, 130, 143", "a prefetch that SIGHUP, Ctrl-C or SIGTERM has ended"),
            ]),
            .examples([
                .init("larder call character/get id=99999 || echo $?", "an error of the request, on stderr, and 1")
            ]),
        ])
}
