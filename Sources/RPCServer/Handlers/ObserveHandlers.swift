import DataSources
import JSON
import Protocol
import Repositories
import Synchronization

/// `R/observe`: tells the client of each change of an item or a page by `R/changed`.
struct ObserveHandler: Handler {
    let context: ResourceContext
    /// What the list can do; nil where there is none.
    let list: ListDefinition?
    let observers: Observers

    var description: MethodDescription {
        MethodDescription(
            tag: .resource(context.name), summary: "Tells the client of each change of an item or a page.",
            details: "Changes come as `\(context.name)/changed`. `id` is an item's, `page` and `filter` are a page's.",
            narrowed: [
                "id": context.idType.paramSchema, "page": list?.pageSchema ?? .nothing,
                "filter": list?.filterSchema ?? .nothing,
            ],
            required: list == nil ? ["id"] : [], result: Observers.schema, errors: [.busy])
    }

    func begin(_ params: ObserveParams, result: inout JSONWriter) throws(RPCError) -> Step {
        let name = try observers.reserve(params.observer)
        do throws(RPCError) {
            if let id = params.id {
                let id = try context.id(id)
                return work(name) { await context.repository.observeItem(id, tell: $0) }
            }
            guard let list else { throw RPCError(.invalidParams, "'id' is missing: this resource has no list") }
            let request = try list.request(page: params.page, filter: params.filter)
            return work(name) { await context.repository.observePage(request, tell: $0) }
        } catch {
            observers.end(name)
            throw error
        }
    }

    private func work(
        _ name: String,
        _ observe: @escaping @Sendable (@escaping @Sendable (Observation) -> Void) async -> @Sendable () -> Void
    ) -> Step {
        let method = "\(context.repository.resource.name)/changed"
        return .work(
            Work(speaking: { [context, observers] (scope) async throws(RPCError) in
                let stop = await observe { observation in
                    scope.client.send(message: context.changed(method, name, observation))
                }
                observers.begin(name, stop: stop)
                return ValueResult(["observer": .string(name)])
            }))
    }
}

/// `R/unobserve`: ends an observer.
struct UnobserveHandler: Handler {
    let resource: String
    let observers: Observers

    var description: MethodDescription {
        MethodDescription(tag: .resource(resource), summary: "Ends an observer.", result: Observers.schema)
    }

    func begin(_ params: UnobserveParams, result: inout JSONWriter) throws(RPCError) -> Step {
        let name = params.observer
        guard observers.end(name) else {
            throw RPCError(.invalidParams, "'observer' must be one that is there, not '\(name.prefix(100))'")
        }
        result.value(["observer": .string(name)])
        return .answered
    }
}

/// The observers of a process by their names.
final class Observers: Sendable {
    /// So many that no client needs more, and one that forgets to end them cannot fill the memory.
    private static let limit = 10_000

    /// What the results of both methods look like.
    static let schema = JSONSchema.object([.required("observer", .string(minLength: 1))])

    private struct State {
        /// Those that are there; nil for one whose watch has not begun.
        var stops: [String: (@Sendable () -> Void)?] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    /// Takes a name, or makes one.
    ///
    /// - Throws: `invalidParams` for a name that is taken, `busy` where there are too many.
    func reserve(_ name: String?) throws(RPCError) -> String {
        try state.withLock { (state) throws(RPCError) in
            guard state.stops.count < Self.limit else {
                throw RPCError(.busy, "there are \(Self.limit) observers already", data: JSONObject([("kind", "busy")]))
            }
            if let name {
                guard state.stops[name] == nil else {
                    throw RPCError(.invalidParams, "'observer' must be new: '\(name.prefix(100))' is there already")
                }
                state.stops[name] = .some(nil)
                return name
            }
            repeat { state.next += 1 } while state.stops["observer-\(state.next)"] != nil
            let made = "observer-\(state.next)"
            state.stops[made] = .some(nil)
            return made
        }
    }

    /// Notes how to end a watch that has begun. One that was ended meanwhile is ended at once.
    func begin(_ name: String, stop: @escaping @Sendable () -> Void) {
        let isThere = state.withLock { state in
            guard state.stops[name] != nil else { return false }
            state.stops[name] = .some(stop)
            return true
        }
        if !isThere { stop() }
    }

    /// Ends an observer. Returns whether it was there.
    @discardableResult
    func end(_ name: String) -> Bool {
        guard let stop = state.withLock({ $0.stops.removeValue(forKey: name) }) else { return false }
        stop?()
        return true
    }
}

extension ResourceContext {
    /// The notification of a change.
    fileprivate func changed(_ method: String, _ observer: String, _ observation: Observation) -> [UInt8] {
        Notification.message(method) { params in
            params.beginObject()
            params.key("observer")
            params.string(observer)
            switch observation {
            case .item(let answer):
                GetResult(item: answer.value, provenance: provenance(answer)).writeMembers(to: &params)
            case .page(let answer):
                ListResult(items: answer.value.items, page: answer.value.info, provenance: provenance(answer))
                    .writeMembers(to: &params)
            case .gone:
                params.key("gone")
                params.bool(true)
            }
            params.endObject()
        }
    }
}
