import DataSources
import JSON
import Protocol
import Repositories
import System

/// `resources/subscribe` and `resources/unsubscribe`: start and stop notifications about changes to an item. Only the
/// MCP versions with a handshake define these methods.
struct SubscribeMethod: MCPMethodContract {
    let repositories: RepositoryTable
    /// Whether the method is `resources/subscribe`; false for `resources/unsubscribe`.
    let begins: Bool

    func begin(_ params: JSONView?, _ exchange: MCPExchange, result: inout JSONWriter) throws(RPCError) -> Step {
        guard let text = params?["uri" as StaticString]?.string else {
            throw RPCError(.invalidParams, "'uri' must be a string, the URI of a resource")
        }
        let subscriptions = exchange.session.mcp.subscriptions
        subscriptions.end(text)
        guard begins else {
            result.beginObject()
            exchange.close(&result)
            return .answered
        }
        let target = try repositories.target(text, exchange.version)
        let reservation = try subscriptions.reserve(text)
        return .work(
            Work(
                speaking: { (scope) async throws(RPCError) in
                    if let target {
                        let updates = ItemUpdates(
                            target, text, of: nil, in: exchange.session, client: scope.client)
                        subscriptions.begin(reservation, stop: updates.stop, followCatalog: updates.followCatalog)
                        await updates.begin()
                    }
                    var writer = JSONWriter()
                    writer.beginObject()
                    exchange.close(&writer)
                    return WrittenResult(json: writer.bytes)
                }, undo: { subscriptions.end(reservation) }))
    }
}

/// `subscriptions/listen`: notifies the client of changes until the request is cancelled or the input ends. The reply
/// follows after the last notification. Only the stateless MCP versions define this method.
struct ListenMethod: MCPMethodContract {
    let repositories: RepositoryTable

    func begin(_ params: JSONView?, _ exchange: MCPExchange, result: inout JSONWriter) throws(RPCError) -> Step {
        guard let id = exchange.id else {
            throw RPCError(.invalidRequest, "'subscriptions/listen' must be a request; add an 'id'")
        }
        let wanted = params?["notifications" as StaticString]
        guard let wanted, wanted.kind == .object else {
            throw RPCError(.invalidParams, "'notifications' must be an object")
        }
        var items: [(uri: String, target: ObservedTarget?)] = []
        var named: Set<String> = []
        if let uris = wanted["resourceSubscriptions" as StaticString], !uris.isNull {
            guard uris.kind == .array else {
                throw RPCError(.invalidParams, "'resourceSubscriptions' must be an array of URIs")
            }
            for uri in uris.elements {
                guard let text = uri.string else {
                    throw RPCError(.invalidParams, "'resourceSubscriptions' must be an array of URIs")
                }
                guard items.count < Observers.limit else {
                    throw RPCError(
                        .invalidParams,
                        "'resourceSubscriptions' has too many URIs; pass at most \(Observers.limit)")
                }
                // A URI that is listed twice causes one notification. The acknowledgement omits unknown URIs.
                guard named.insert(text).inserted else { continue }
                do throws(RPCError) {
                    items.append((text, try repositories.target(text, exchange.version)))
                } catch { continue }
            }
        }
        let lists = ListSubscriptions(
            tools: wanted["toolsListChanged" as StaticString]?.kind == .true,
            resources: wanted["resourcesListChanged" as StaticString]?.kind == .true)
        return .work(
            Work(speaking: { [items] (scope) async throws(RPCError) in
                await Self.listen(to: items, lists, id, exchange, scope.client)
            }))
    }

    /// Notifies a client of changes until the request is cancelled or the input ends.
    private static func listen(
        to items: [(uri: String, target: ObservedTarget?)], _ lists: ListSubscriptions, _ id: RequestID,
        _ exchange: MCPExchange, _ client: any MessageSink
    ) async -> any RPCResult {
        let (end, ender) = AsyncStream.makeStream(of: Never.self)
        let stream = AcknowledgedSink(client)
        let updates = items.compactMap { uri, target in
            target.map { ItemUpdates($0, uri, of: id, in: exchange.session, client: stream) }
        }
        let number = exchange.session.mcp.listen(
            followCatalog: {
                for update in updates { update.followCatalog() }
                lists.notify(stream, id)
            }, end: { ender.finish() })
        for update in updates { await update.begin() }
        // The client of a cancelled request expects no notification.
        if !Task.isCancelled { stream.open(with: lists.acknowledgement(of: items.map(\.uri), id)) }
        for await _ in end {}
        exchange.session.mcp.forget(number)
        for update in updates { update.stop() }
        var writer = JSONWriter()
        writer.beginObject()
        exchange.close(&writer) { meta in
            meta.key(MCPKey.subscriptionID)
            meta.splice(id.json)
        }
        return WrittenResult(json: writer.bytes)
    }
}

/// A sink that holds back notifications until the server has acknowledged the subscription. Clients drop notifications
/// that arrive earlier.
private final class AcknowledgedSink: MessageSink {
    private let client: any MessageSink
    /// The notifications that are held back until the server acknowledges the subscription; nil afterwards.
    private let waiting = Lock<[[UInt8]]?>([])

    init(_ client: any MessageSink) { self.client = client }

    var hasRoom: Bool { client.hasRoom }

    func send(message: [UInt8]) {
        waiting.withLock { waiting in
            if waiting == nil { client.send(message: message) } else { waiting?.append(message) }
        }
    }

    /// Sends the acknowledgement and then the notifications that were held back.
    func open(with acknowledgement: [UInt8]) {
        waiting.withLock { waiting in
            client.send(message: acknowledgement)
            for message in waiting ?? [] { client.send(message: message) }
            waiting = nil
        }
    }
}

/// The lists that a client subscribes to: the list of tools, the list of resources or both.
struct ListSubscriptions: Sendable {
    let tools: Bool
    let resources: Bool

    /// Notifies a client that the lists have changed.
    ///
    /// - Parameter id: the id of the `subscriptions/listen` request; nil for a client with a handshake.
    func notify(_ client: any MessageSink, _ id: RequestID?) {
        if tools { client.send(message: Notification.changed("notifications/tools/list_changed", id)) }
        if resources { client.send(message: Notification.changed("notifications/resources/list_changed", id)) }
    }

    /// Returns the notification that acknowledges a `subscriptions/listen` request and lists the accepted
    /// subscriptions.
    fileprivate func acknowledgement(of uris: [String], _ id: RequestID) -> [UInt8] {
        Notification.message("notifications/subscriptions/acknowledged") { params in
            params.beginObject()
            params.writeSubscription(id)
            params.key("notifications")
            params.beginObject()
            if tools {
                params.key("toolsListChanged")
                params.bool(true)
            }
            if resources {
                params.key("resourcesListChanged")
                params.bool(true)
            }
            if !uris.isEmpty {
                params.key("resourceSubscriptions")
                params.beginArray()
                for uri in uris { params.string(uri) }
                params.endArray()
            }
            params.endObject()
            params.endObject()
        }
    }
}

/// A subscription that notifies a client of changes to an item. The subscription survives catalog reloads.
private final class ItemUpdates: Sendable {
    private let watch: ContinuingObserver
    private let messages: LatestMessage

    /// Creates a subscription to an item.
    ///
    /// - Parameter id: the id of the `subscriptions/listen` request; nil for a client with a handshake.
    init(_ target: ObservedTarget, _ uri: String, of id: RequestID?, in session: Session, client: any MessageSink) {
        let messages = LatestMessage(client: client)
        self.messages = messages
        watch = ContinuingObserver(
            target, in: session.serving, onChange: { _, _ in messages.send(Notification.updated(uri, of: id)) })
    }

    func begin() async { await watch.begin() }

    func followCatalog() { watch.followCatalog() }

    func stop() {
        watch.stop()
        messages.stop()
    }
}

extension Notification {
    /// Returns the notification about a changed item.
    fileprivate static func updated(_ uri: String, of id: RequestID?) -> [UInt8] {
        message("notifications/resources/updated") { params in
            params.beginObject()
            if let id { params.writeSubscription(id) }
            params.key("uri")
            params.string(uri)
            params.endObject()
        }
    }

    fileprivate static func changed(_ method: String, _ id: RequestID?) -> [UInt8] {
        message(method) { params in
            params.beginObject()
            if let id { params.writeSubscription(id) }
            params.endObject()
        }
    }
}

extension JSONWriter {
    /// Writes the member `_meta` with the id of a `subscriptions/listen` request.
    fileprivate mutating func writeSubscription(_ id: RequestID) {
        key(MCPKey.meta)
        beginObject()
        key(MCPKey.subscriptionID)
        splice(id.json)
        endObject()
    }
}
