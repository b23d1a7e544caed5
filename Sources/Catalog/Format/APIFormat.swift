/// The parts of an API.
extension CatalogPart {
    static let api = CatalogPart(
        name: "api", summary: "An API: where it is, how it is authorised, how gently it is asked.",
        keys: [
            CatalogKey(
                "baseURL", .text, "An http or https URL; the paths of operations are put behind it.",
                isRequired: true),
            CatalogKey("headers", .named(.text), "Header fields that every request carries."),
            CatalogKey("auth", .part(.auth), "How requests are authorised."),
            CatalogKey(
                "timeout", .duration(isPositive: true), "For a whole call: tries, the waits between them, redirects.",
                standard: "10s"),
            CatalogKey(
                "retries", .integer(0...10), "How often a request that failed is made again.", standard: 2),
            CatalogKey(
                "maxConcurrent", .integer(1...1000), "How many requests may be under way at once.", standard: 8),
            CatalogKey("maxBodySize", .size, "How large a body may be, decompressed.", standard: "16MiB"),
            CatalogKey("rateLimit", .part(.rateLimit), "How many requests may be made in a while."),
            CatalogKey(
                "errors", .list(.part(.errorRule)), "What tells an answer that is an error; the first that fits."),
            CatalogKey("tls", .part(.tls), "The certificates that a connection needs."),
            CatalogKey("proxy", .text, "The URL of the proxy; empty for none, whatever the environment says."),
        ])

    static let auth = CatalogPart(
        name: "auth", summary: "How requests are authorised.",
        keys: [
            CatalogKey("bearer", .token, "A token, sent as Authorization: Bearer."),
            CatalogKey("basic", .part(.basic), "A user and a password, sent as Authorization: Basic."),
            CatalogKey("apiKey", .part(.apiKey), "A header field or a query parameter of the API's own."),
            CatalogKey("oauth2", .part(.oauth2), "Tokens that a token endpoint gives (RFC 6749)."),
        ], isChoice: true)

    static let basic = CatalogPart(
        name: "basic", summary: "A user and a password.",
        keys: [
            CatalogKey("user", .either([.text, .part(.command)]), "The user.", isRequired: true),
            CatalogKey("password", .token, "The password.", isRequired: true),
        ])

    static let command = CatalogPart(
        name: "command", summary: "A command whose first line of output is the text.",
        keys: [
            CatalogKey(
                "command", .list(.text), "The program and its arguments; it is run without a shell.",
                isRequired: true),
            CatalogKey("for", .duration(isPositive: true), "How long what it said is used; else until a 401."),
        ])

    static let oauth2 = CatalogPart(
        name: "oauth2", summary: "Asks a token endpoint, with the client's credentials or a refresh token.",
        keys: [
            CatalogKey("tokenURL", .text, "The token endpoint.", isRequired: true),
            CatalogKey("clientID", .text, "Who asks.", isRequired: true),
            CatalogKey("clientSecret", .token, "What proves that.", isRequired: true),
            CatalogKey("scope", .text, "What is asked for."),
            CatalogKey("refreshToken", .token, "What is asked with, in place of the client's credentials alone."),
            CatalogKey(
                "in", .word(["header", "body"]), "Where the client's credentials are sent.", standard: "header"),
            CatalogKey("params", .named(.text), "What else is sent, such as an audience."),
        ])

    static let apiKey = CatalogPart(
        name: "apiKey", summary: "A key, and where it is sent.",
        keys: [
            CatalogKey("in", .word(["header", "query"]), "Where it is sent.", isRequired: true),
            CatalogKey("name", .text, "The name of the header field or the parameter.", isRequired: true),
            CatalogKey("value", .token, "The key.", isRequired: true),
        ])

    static let rateLimit = CatalogPart(
        name: "rateLimit", summary: "So many requests in a while, and what answers say of it.",
        keys: [
            CatalogKey("requests", .integer(1...Int.max), "How many requests."),
            CatalogKey("per", .duration(isPositive: true), "In what time."),
            CatalogKey("reset", moment, "When to go on, read from answers that mean too many requests."),
            CatalogKey("pause", moment, "When to go on, read from any answer."),
        ], oneOf: [["requests", "reset", "pause"]])

    /// How long to wait, or where an answer says it.
    private static let moment = CatalogType.either([.duration(isPositive: false), .answerSelector])

    static let tls = CatalogPart(
        name: "tls", summary: "The certificates that a connection needs: names of files (PEM).",
        keys: [
            CatalogKey("caFile", .text, "The authorities to trust."),
            CatalogKey("certFile", .text, "The client's own certificate."),
            CatalogKey("keyFile", .text, "Its key."),
        ])

    static let errorRule = CatalogPart(
        name: "errorRule", summary: "What tells an answer that is an error, and what it means.",
        keys: [
            CatalogKey(
                "status", .either([.integer(100...599), .list(.integer(100...599))]), "The statuses that it is for."),
            CatalogKey("when", .answerSelector, "Where the answer says it."),
            CatalogKey(
                "is", .either([.scalar, .list(.scalar)]), "What stands there; else anything but null, false and empty."
            ),
            CatalogKey("page", .word(["past"]), "The page lies behind the list's last."),
            CatalogKey("kind", .word(ErrorRulesDecoder.kinds.map(\.rawValue)), "What the error is."),
            CatalogKey("message", .answerSelector, "Where the API's own words stand."),
        ], oneOf: [["status", "when"]])

    static let answerHeader = CatalogPart(
        name: "answerHeader", summary: "A header field of an answer.",
        keys: [CatalogKey("header", .plain, "The name of the header field.", isRequired: true)])
}
