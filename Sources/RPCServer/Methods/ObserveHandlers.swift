import DataSources
import JSON
import Protocol
import Repositories

/// `R/observe`: tells the client of each change of an item or a page by `R/changed`.
struct ObserveHandler: ResourceHandler {
    var context: ResourceContext
    /// What the list can do; nil where there is none.
    let list: ListDefinition?

    var description: MethodDescription {
        MethodDescription(
            tag: .resource(context.name), summary: "Tells the client of each change of an item or a page.",
            details: "Changes come as `\(context.name)/changed`. `id` is an item's, `page` and `filter` are a page's.",
            narrowed: [
                "id": context.idType.paramSchema, "page": list?.pageSchema ?? .nothing,
                "filter": list?.filterSchema ?? .nothing,
            ],
            required: list == nil ? ["id"] : [], result: ObserverResult.schema, errors: [.busy])
    }

    func begin(
        _ params: ObserveParams, in session: Session, result: inout JSONWriter
    ) throws(RPCError) -> Step {
        let place = try session.observers.reserve(params.observer)
        do throws(RPCError) {
            if let id = params.id {
                let id = try context.id(id)
                return work(place, session.observers) { await context.repository.observeItem(id, tell: $0) }
            }
            guard let list else { throw RPCError(.invalidParams, "'id' is missing: this resource has no list") }
            let request = try list.request(page: params.page, filter: params.filter)
            return work(place, session.observers) { await context.repository.observePage(request, tell: $0) }
        } catch {
            session.observers.end(place.name)
            throw error
        }
    }

    private func work(
        _ place: Observers.Place, _ observers: Observers,
        _ observe: @escaping @Sendable (@escaping @Sendable (Observation) -> Void) async -> @Sendable () -> Void
    ) -> Step {
        let method = "\(context.repository.resource.name)/changed"
        return .work(
            Work(
                speaking: { [context] (scope) async throws(RPCError) in
                    let messages = LatestMessage(client: scope.client)
                    let stop = await observe { observation in
                        messages.send(context.changed(method, place.name, observation))
                    }
                    observers.begin(place) {
                        stop()
                        messages.stop()
                    }
                    return ObserverResult(place.name)
                },
                // Who was told that the request is cancelled does not expect an observer.
                undo: { observers.end(place) }))
    }
}

/// `R/unobserve`: ends an observer.
struct UnobserveHandler: Handler {
    let resource: String

    var description: MethodDescription {
        MethodDescription(tag: .resource(resource), summary: "Ends an observer.", result: ObserverResult.schema)
    }

    func begin(
        _ params: UnobserveParams, in session: Session, result: inout JSONWriter
    ) throws(RPCError) -> Step {
        let name = params.observer
        guard session.observers.end(name) else {
            throw RPCError(.invalidParams, "'observer' must be one that is there, not '\(name.prefix(100))'")
        }
        ObserverResult(name).write(to: &result)
        return .answered
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
                ListResult(
                    items: answer.value.items, page: answer.value.info, skipped: answer.value.skipped,
                    missing: answer.value.missing.map { $0.map(json) }, provenance: provenance(answer)
                )
                .writeMembers(to: &params)
            case .gone:
                params.key("gone")
                params.bool(true)
            }
            params.endObject()
        }
    }
}
