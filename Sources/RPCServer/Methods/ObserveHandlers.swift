import Catalog
import DataSources
import JSON
import Protocol
import Repositories

/// `RESOURCE/observe`: starts to observe an item or a page. The client gets a `RESOURCE/changed` notification for each
/// change.
struct ObserveHandler: Handler {
    let context: ResourceContext
    /// The definition of the resource's list; nil if the resource has no list.
    let list: ListDefinition?

    var description: MethodDescription {
        MethodDescription(
            tag: .resource(context.name), summary: "Notifies the client of each change of an item or a page.",
            details:
                "Changes arrive as `\(context.name)/changed`. Pass `id` for an item, `page` and `filter` for a page.",
            narrowed: [
                "id": context.idType.paramSchema, "page": list?.pageSchema ?? .nothing,
                "filter": list?.filterSchema ?? .nothing,
            ],
            required: list == nil ? ["id"] : [], result: ObserverResult.schema, errors: [.busy])
    }

    func begin(
        _ params: ObserveParams, in session: Session, result: inout JSONWriter
    ) throws(RPCError) -> Step {
        let reservation = try session.observers.reserve(params.observer)
        do throws(RPCError) {
            return work(reservation, try name(params), in: session)
        } catch {
            session.observers.end(reservation.name)
            throw error
        }
    }

    /// Returns the item or page to observe.
    ///
    /// - Throws: `invalidParams` for an id, a filter or a page token that is invalid for the resource.
    private func name(_ params: ObserveParams) throws(RPCError) -> ObservedTarget.Name {
        if let id = params.id { return .item(id: try context.id(id)) }
        guard let list else {
            throw RPCError(.invalidParams, "'id' is missing: '\(context.name)' has no list to observe")
        }
        _ = try list.request(page: params.page, filter: params.filter)
        return .page(params.page, params.filter)
    }

    private func work(_ reservation: Observers.Reservation, _ name: ObservedTarget.Name, in session: Session) -> Step {
        let method = "\(context.name)/changed"
        let target = ObservedTarget(resource: context.name, scope: context.scope, name: name)
        let (observers, serving) = (session.observers, session.serving)
        return .work(
            Work(
                speaking: { [context] (scope) async throws(RPCError) in
                    let messages = LatestMessage(client: scope.client)
                    let watch = ContinuingObserver(
                        target, in: serving,
                        onChange: { messages.send(($1 ?? context).changed(method, reservation.name, $0)) },
                        onEnd: { observers.forget(reservation) })
                    // The handler registers the observer before the start, because a catalog reload may happen during
                    // the start.
                    observers.begin(
                        reservation,
                        stop: {
                            watch.stop()
                            messages.stop()
                        }, followCatalog: { watch.followCatalog() })
                    await watch.begin()
                    return ObserverResult(reservation.name)
                },
                // A cancelled `observe` request must not leave an observer that the client does not know.
                undo: { observers.end(reservation) }))
    }
}

/// `RESOURCE/unobserve`: stops one of the client's observers.
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
            throw RPCError(
                .invalidParams, "there is no observer '\(name.prefix(100))': pass the name that 'observe' returned")
        }
        ObserverResult(name).write(to: &result)
        return .answered
    }
}

extension ResourceContext {
    /// Returns the `RESOURCE/changed` notification for an observed change.
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
