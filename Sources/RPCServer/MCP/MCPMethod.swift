import JSON
import Protocol
import System

extension MCPMethodContract {
    var readsCache: Bool { false }
}

/// The context of one MCP request: the protocol version, the session, the request's id and the client.
struct MCPExchange: Sendable {
    let version: MCPVersion
    let session: Session
    /// The id of the request; nil for a notification.
    let id: RequestID?
    /// The object that sends notifications to the client.
    let client: any MessageSink

    /// Whether tool answers contain links to items. True if the protocol version defines links and the client has
    /// listed the resources after the handshake.
    var wantsLinks: Bool { !version.isStateless && version.hasStructuredContent && session.mcp.listsResources }

    /// How long a client may cache a result, and for which users.
    enum Lifetime {
        /// The result depends only on the catalog. A client may cache it for one hour, for all users.
        case catalog
        /// The result depends on the cache. A client may cache it for the given time, but only for its own user.
        case item(milliseconds: Int64)
    }

    /// Closes the JSON object of a result. In the stateless versions of MCP, first adds the result type, the server's
    /// name and version, and the cache lifetime.
    ///
    /// - Parameters:
    ///   - lifetime: how long the client may cache the result; nil to omit the lifetime.
    ///   - meta: writes additional members of `_meta`.
    func close(
        _ writer: inout JSONWriter, _ lifetime: Lifetime? = nil, meta: (inout JSONWriter) -> Void = { _ in }
    ) {
        if version.isStateless {
            switch lifetime {
            case .catalog: writeLifetime(3_600_000, "public", to: &writer)
            case .item(let milliseconds): writeLifetime(milliseconds, "private", to: &writer)
            case nil: break
            }
            writer.key("resultType")
            writer.string("complete")
            writer.key(MCPKey.meta)
            writer.beginObject()
            meta(&writer)
            writer.key(MCPKey.serverInfo)
            Self.writeServer(to: &writer)
            writer.endObject()
        }
        writer.endObject()
    }

    private func writeLifetime(_ milliseconds: Int64, _ scope: StaticString, to writer: inout JSONWriter) {
        writer.key("ttlMs")
        writer.integer(milliseconds)
        writer.key("cacheScope")
        writer.string(scope)
    }

    /// Writes the server's name and version (the MCP type `Implementation`).
    static func writeServer(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("name")
        writer.string("larder")
        writer.key("title")
        writer.string("Larder")
        writer.key("version")
        writer.string(Version.current)
        writer.endObject()
    }

    /// Writes the server's capabilities (the MCP type `ServerCapabilities`).
    static func writeCapabilities(to writer: inout JSONWriter) {
        writer.key("capabilities")
        writer.raw(
            #"{"tools":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},"completions":{}}"#)
    }
}

/// An MCP method together with the context of one request.
struct MCPCall: MethodContract {
    let method: any MCPMethodContract
    let exchange: MCPExchange

    var readsCache: Bool { method.readsCache }

    func begin(_ params: ParamsReader, in session: Session, result: inout JSONWriter) throws(RPCError) -> Step {
        try method.begin(params.view, exchange, result: &result)
    }
}

/// The MCP methods by name. The table is created at the first MCP message, so that sessions without MCP do not spend
/// time and memory on it.
final class MCPRouter: Sendable {
    private let made: Lock<[String: any MCPMethodContract]?>
    private let make: @Sendable () -> [String: any MCPMethodContract]

    init(making make: @escaping @Sendable () -> [String: any MCPMethodContract]) {
        made = Lock(nil)
        self.make = make
    }

    convenience init(methods: [String: any MCPMethodContract]) { self.init { methods } }

    private var methods: [String: any MCPMethodContract] {
        made.withLock { made in
            if let made { return made }
            let methods = make()
            made = methods
            return methods
        }
    }

    /// Returns the handler of a message.
    ///
    /// - Throws: `methodNotFound` if the method is unknown or the protocol version does not define it.
    func method(
        of envelope: Envelope, _ version: MCPVersion, in session: Session, client: any MessageSink
    ) throws(RPCError) -> MCPCall {
        let name = envelope.method
        let isSent = envelope.idView == nil || !name.hasPrefix("notifications/")
        guard isSent, let method = methods[name], Self.isOf(name, version) else {
            throw RPCError(.methodNotFound, "there is no method '\(name.prefix(200))'")
        }
        return MCPCall(
            method: method,
            exchange: MCPExchange(version: version, session: session, id: envelope.id, client: client))
    }

    /// Whether a protocol version defines a method.
    private static func isOf(_ name: String, _ version: MCPVersion) -> Bool {
        switch name {
        case "initialize", "ping", "resources/subscribe", "resources/unsubscribe": !version.isStateless
        case "server/discover", "subscriptions/listen": version.isStateless
        default: true
        }
    }
}
