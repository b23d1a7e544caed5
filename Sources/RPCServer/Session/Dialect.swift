import JSON
import Protocol

/// The protocol of a message: Larder's own protocol (the native dialect) or the Model Context Protocol (MCP). After an
/// MCP handshake, all messages are in MCP. Without a handshake, a session can mix both dialects.
enum Dialect: Equatable, Sendable {
    /// Larder's native JSON-RPC protocol, which LSP clients use too.
    case native
    /// The Model Context Protocol, in one of its versions.
    case mcp(MCPVersion)

    /// The dialect's rules for requests in flight. In MCP, the server sends no reply to a cancelled request, and no
    /// notification after the end of the input.
    var rules: RequestRules {
        self == .native ? RequestRules() : RequestRules(answersCancellation: false, reportsAfterInput: false)
    }

    /// Determines the dialect of a message.
    ///
    /// - Throws: `unsupportedVersion` if Larder does not support the message's MCP version. `invalidParams` if `_meta`
    ///   lacks a member that the version requires.
    @inline(__always)
    init(of envelope: Envelope, in session: Session) throws(RPCError) {
        if let meta = envelope.params?[MCPKey.meta], Self.isStateless(meta, envelope, in: session) {
            self = .mcp(try Self.stateless(meta))
        } else if let version = session.mcp.version {
            self = .mcp(version)
        } else {
            self = Self.ofFirst(envelope)
        }
    }

    /// Determines the dialect of a message before any handshake.
    @inline(__always)
    private static func ofFirst(_ envelope: Envelope) -> Dialect {
        // Only `initialize`, `notifications/...` and names with JSON escapes need the slower check. No frequent method
        // of the native dialect starts with one of these bytes.
        switch envelope.methodView.plainContents?.first {
        case UInt8(ascii: "i"), UInt8(ascii: "n"), nil: ofHandshake(envelope)
        // `ping` is the only request that a client may send before the MCP handshake. The native dialect has no method
        // of this name.
        case UInt8(ascii: "p") where envelope.methodView.isString("ping"): .mcp(.november2025)
        default: .native
        }
    }

    /// Determines the dialect from the whole method name, before any handshake. `initialize` requests with a protocol
    /// version belong to MCP, and so do all `notifications/` messages.
    private static func ofHandshake(_ envelope: Envelope) -> Dialect {
        if isHandshake(envelope) { return .mcp(.november2025) }
        return envelope.method.hasPrefix("notifications/") ? .mcp(.november2025) : .native
    }

    /// Whether the message is the `initialize` request of MCP.
    private static func isHandshake(_ envelope: Envelope) -> Bool {
        envelope.methodView.isString("initialize") && envelope.params?[MCPKey.version]?.kind == .string
    }

    /// Whether a message uses MCP without a handshake. If true, the message must declare its MCP version in `_meta`.
    private static func isStateless(_ meta: JSONView, _ envelope: Envelope, in session: Session) -> Bool {
        if meta[MCPKey.protocolVersion] != nil { return true }
        guard session.mcp.version == nil, !isHandshake(envelope) else { return false }
        return meta.members.contains { $0.key.string?.hasPrefix(MCPKey.prefix) == true }
    }

    private static func stateless(_ meta: JSONView) throws(RPCError) -> MCPVersion {
        guard let text = meta[MCPKey.protocolVersion]?.string else {
            throw RPCError(.invalidParams, "'\(MCPKey.protocolVersion)' in 'params._meta' must be a string")
        }
        guard meta[MCPKey.clientCapabilities]?.kind == .object else {
            throw RPCError(.invalidParams, "'\(MCPKey.clientCapabilities)' in 'params._meta' must be an object")
        }
        guard let version = MCPVersion(rawValue: text), version.isStateless else {
            let supported = MCPVersion.stateless.map(\.rawValue).joined(separator: ", ")
            throw RPCError(
                .unsupportedVersion, "the protocol version '\(text.prefix(100))' is not supported: use \(supported)",
                data: JSONObject([
                    ("supported", .array(MCPVersion.stateless.map { .string($0.rawValue) })),
                    ("requested", .string(text)),
                ]))
        }
        return version
    }
}

/// The member names of MCP messages.
enum MCPKey {
    static var meta: StaticString { "_meta" }
    /// The member of `initialize` params that contains the protocol version.
    static var version: StaticString { "protocolVersion" }
    /// The prefix of the keys in `_meta` that MCP reserves.
    static let prefix = "io.modelcontextprotocol/"
    static var protocolVersion: StaticString { "io.modelcontextprotocol/protocolVersion" }
    static var clientCapabilities: StaticString { "io.modelcontextprotocol/clientCapabilities" }
    static var serverInfo: StaticString { "io.modelcontextprotocol/serverInfo" }
    static var subscriptionID: StaticString { "io.modelcontextprotocol/subscriptionId" }
}
