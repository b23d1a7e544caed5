import JSON
import Protocol

/// In which dialect a message speaks. The message tells, and, after the handshake of the Model Context Protocol, the
/// session.
enum Dialect: Equatable, Sendable {
    /// Larder's own, which LSP clients speak too.
    case native
    /// The Model Context Protocol.
    case mcp(MCPVersion)

    /// The rules for requests in the dialect. A client of the Model Context Protocol takes a reply to a cancelled
    /// request, and a notification after the end of its input, for an error.
    var rules: RequestRules {
        self == .native ? RequestRules() : RequestRules(answersCancellation: false, reportsAfterInput: false)
    }

    /// The dialect of a message.
    ///
    /// - Throws: what a message gets that says a version of the Model Context Protocol that is not spoken, or does not
    ///   say what that version demands.
    @inline(__always)
    init(of envelope: Envelope, in session: Session) throws(RPCError) {
        if let meta = envelope.params?[MCPKey.meta], Self.isStateless(meta), !Self.isHandshake(envelope) {
            self = .mcp(try Self.stateless(meta))
        } else if let version = session.mcp.version {
            self = .mcp(version)
        } else {
            self = Self.ofFirst(envelope)
        }
    }

    /// The dialect of a message in a session that has shaken no hands.
    @inline(__always)
    private static func ofFirst(_ envelope: Envelope) -> Dialect {
        // All names of the native dialect's hot methods are told by their first byte.
        switch envelope.methodView.plainContents?.first {
        case UInt8(ascii: "i"), UInt8(ascii: "n"), nil: ofHandshake(envelope)
        default: .native
        }
    }

    /// `initialize` is of both dialects; LSP's has no version. Notifications have names of their own.
    private static func ofHandshake(_ envelope: Envelope) -> Dialect {
        if isHandshake(envelope) { return .mcp(.november2025) }
        return envelope.method.hasPrefix("notifications/") ? .mcp(.november2025) : .native
    }

    /// Whether this is the older era's `initialize`, which the stateless era has not, whatever its `_meta` says.
    private static func isHandshake(_ envelope: Envelope) -> Bool {
        envelope.methodView.isString("initialize") && envelope.params?[MCPKey.version]?.kind == .string
    }

    /// Whether `_meta` has what tells the stateless era.
    private static func isStateless(_ meta: JSONView) -> Bool {
        meta[MCPKey.protocolVersion] != nil
    }

    private static func stateless(_ meta: JSONView) throws(RPCError) -> MCPVersion {
        guard let text = meta[MCPKey.protocolVersion]?.string else {
            throw RPCError(.invalidParams, "'params._meta' must have a string as '\(MCPKey.protocolVersion)'")
        }
        guard meta[MCPKey.clientCapabilities]?.kind == .object else {
            throw RPCError(.invalidParams, "'params._meta' must have an object as '\(MCPKey.clientCapabilities)'")
        }
        guard let version = MCPVersion(rawValue: text), version.isStateless else {
            throw RPCError(
                .unsupportedVersion, "this version of the protocol is not spoken: '\(text.prefix(100))'",
                data: JSONObject([
                    ("supported", .array(MCPVersion.stateless.map { .string($0.rawValue) })),
                    ("requested", .string(text)),
                ]))
        }
        return version
    }
}

/// The names that the Model Context Protocol gives members.
enum MCPKey {
    static var meta: StaticString { "_meta" }
    /// In the params of the older era's `initialize`.
    static var version: StaticString { "protocolVersion" }
    static var protocolVersion: StaticString { "io.modelcontextprotocol/protocolVersion" }
    static var clientCapabilities: StaticString { "io.modelcontextprotocol/clientCapabilities" }
    static var serverInfo: StaticString { "io.modelcontextprotocol/serverInfo" }
    static var subscriptionID: StaticString { "io.modelcontextprotocol/subscriptionId" }
}
