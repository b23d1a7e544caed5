/// The definitions of the objects that describe an API in a catalog.
extension CatalogPart {
    static let api = CatalogPart(
        name: "api", summary: "An API: its base URL, its credentials and its limits.",
        keys: [
            CatalogKey(
                "baseURL", .text, "The http or https URL to which the paths of operations are appended.",
                isRequired: true),
            CatalogKey("headers", .named(.text), "Header fields of every request."),
            CatalogKey("auth", .part(.auth), "The credentials of requests."),
            CatalogKey(
                "timeout", .duration(isPositive: true),
                "The maximum duration of a call, including retries, waits and redirects.",
                standard: "10s"),
            CatalogKey(
                "retries", .integer(0...10), "The maximum number of retries of a failed request.", standard: 2),
            CatalogKey(
                "maxConcurrent", .integer(1...1000), "The maximum number of simultaneous requests.", standard: 8),
            CatalogKey("maxBodySize", .size, "The maximum size of a decompressed body.", standard: "16MiB"),
            CatalogKey("rateLimit", .part(.rateLimit), "The maximum rate of requests."),
            CatalogKey(
                "errors", .list(.part(.errorRule)),
                "Rules that recognize error responses; the first matching rule applies."),
            CatalogKey("tls", .part(.tls), "The certificates of connections."),
            CatalogKey("proxy", .text, "The URL of the proxy; empty for no proxy, whatever the environment says."),
        ])

    static let auth = CatalogPart(
        name: "auth", summary: "The credentials of requests.",
        keys: [
            CatalogKey("bearer", .token, "A token, sent as Authorization: Bearer."),
            CatalogKey("basic", .part(.basic), "A user and a password, sent as Authorization: Basic."),
            CatalogKey("apiKey", .part(.apiKey), "A key, sent as a custom header field or query parameter."),
            CatalogKey("oauth2", .part(.oauth2), "Tokens from a token endpoint (RFC 6749)."),
        ], isChoice: true)

    static let basic = CatalogPart(
        name: "basic", summary: "A user and a password.",
        keys: [
            CatalogKey("user", .either([.text, .part(.command)]), "The user.", isRequired: true),
            CatalogKey("password", .token, "The password.", isRequired: true),
        ])

    static let command = CatalogPart(
        name: "command", summary: "A command that prints a secret as its first line of output.",
        keys: [
            CatalogKey(
                "command", .list(.text), "The program and its arguments; the command runs without a shell.",
                isRequired: true),
            CatalogKey(
                "for", .duration(isPositive: true),
                "How long the printed secret is used; default: until the API responds with 401."),
        ])

    static let oauth2 = CatalogPart(
        name: "oauth2", summary: "Requests tokens from a token endpoint, with client credentials or a refresh token.",
        keys: [
            CatalogKey("tokenURL", .text, "The token endpoint.", isRequired: true),
            CatalogKey("clientID", .text, "The id of the client.", isRequired: true),
            CatalogKey("clientSecret", .token, "The secret of the client.", isRequired: true),
            CatalogKey("scope", .text, "The requested scope; default: the server's default scope."),
            CatalogKey("refreshToken", .token, "A refresh token, used instead of client credentials alone."),
            CatalogKey(
                "in", .word(["header", "body"]), "The part of the token request that carries the client credentials.",
                standard: "header"),
            CatalogKey("params", .named(.text), "Additional parameters of the token request, such as an audience."),
        ])

    static let apiKey = CatalogPart(
        name: "apiKey", summary: "A key, and the part of the request that carries it.",
        keys: [
            CatalogKey(
                "in", .word(["header", "query"]), "The part of the request that carries the key.", isRequired: true),
            CatalogKey("name", .text, "The name of the header field or query parameter.", isRequired: true),
            CatalogKey("value", .token, "The key.", isRequired: true),
        ])

    static let rateLimit = CatalogPart(
        name: "rateLimit", summary: "The maximum rate of requests, and where responses report the limit.",
        keys: [
            CatalogKey(
                "requests", .integer(1...Int.max),
                "The maximum number of requests per interval; 'per' sets the interval."),
            CatalogKey("per", .duration(isPositive: true), "The interval to which 'requests' applies."),
            CatalogKey(
                "reset", moment, "The time when requests are allowed again, in responses that report too many requests."
            ),
            CatalogKey("pause", moment, "The time when requests are allowed again, read from every response."),
        ], oneOf: [["requests", "reset", "pause"]])

    /// The type of the catalog keys `reset` and `pause`: a fixed duration, or the selector of a time in the response.
    private static let moment = CatalogType.either([.duration(isPositive: false), .answerSelector])

    static let tls = CatalogPart(
        name: "tls", summary: "The certificates of connections, as paths of PEM files.",
        keys: [
            CatalogKey("caFile", .text, "The file with the trusted certificate authorities."),
            CatalogKey("certFile", .text, "The file with the client certificate."),
            CatalogKey("keyFile", .text, "The file with the private key of the client certificate."),
        ])

    static let errorRule = CatalogPart(
        name: "errorRule", summary: "A rule that recognizes an error response, and the kind of the error.",
        keys: [
            CatalogKey(
                "status", .either([.integer(100...599), .list(.integer(100...599))]),
                "The HTTP statuses to which the rule applies."),
            CatalogKey("when", .answerSelector, "The selector of the value that decides whether the rule applies."),
            CatalogKey(
                "is", .either([.scalar, .list(.scalar)]),
                "The values for which the rule applies; default: all but null, false and empty."
            ),
            CatalogKey("page", .word(["past"]), "The error means that the page is past the end of the list."),
            CatalogKey(
                "sync", .word(["expired"]),
                "The error means that a sync must read the whole list, because its mark or token is too old."),
            CatalogKey("kind", .word(ErrorRulesDecoder.kinds.map(\.rawValue)), "The kind of the error."),
            CatalogKey("message", .answerSelector, "The selector of the API's error message."),
        ], oneOf: [["status", "when"]])

    static let answerHeader = CatalogPart(
        name: "answerHeader", summary: "A header field of a response.",
        keys: [CatalogKey("header", .plain, "The name of the header field.", isRequired: true)])
}
