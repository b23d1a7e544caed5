import Catalog
import DataSources
import Model

/// The part of a list that a sync requests from the API: the whole list, or only its changes.
enum SyncPlan: Equatable {
    /// The changes since a mark: an update time, a sequence number or a token.
    case changes(since: ChangeMark)
    /// The whole list. `because` is the reason for reading the whole list, in the form that follows the word "because"
    /// in messages. If `isFault` is true, the reason is probably a mistake, and the log reports it.
    case whole(because: String, isFault: Bool = false)
}

/// The mark of a local copy: a point in the history of the list. A sync requests the changes since this point.
enum ChangeMark: Equatable {
    /// The mark of the `sync` style `since`: an update time or sequence number.
    case value(SinceValue)
    /// The mark of the `sync` style `token`: a token that the API returned.
    case token(PageToken)

    /// Creates a mark from its text in the cache file. Nil if the text is not a valid mark for the catalog's `sync`.
    init?(_ text: String, _ sync: SyncDefinition) {
        switch sync.style {
        case .since(let since):
            guard let value = since.value(text) else { return nil }
            self = .value(value)
        case .token:
            guard let token = PageToken(mark: text) else { return nil }
            self = .token(token)
        }
    }

    /// The mark as it is shown to the user. A token is shown as `the last token`, because its text has no meaning for
    /// the user.
    var shown: String {
        switch self {
        case .value(let value): "'\(value.text)'"
        case .token: "the last token"
        }
    }
}

extension ListSyncer {
    /// Decides which part of the list a sync requests, based on the state of the local copy.
    @_optimize(size)
    func plan(_ state: SyncState) -> SyncPlan {
        guard let sync = source.sync else {
            let named = source.reader.resource.sync?.filters
            let unnamed = request.filters.first { named?.contains($0.name) == false }
            return .whole(
                because: unnamed.map { "'sync' in the catalog does not name the filter '\($0.name)'" }
                    ?? "the catalog declares no 'sync' for the list")
        }
        if request.startsOver || request.acceptsRemovals {
            return .whole(because: "the request has 'whole' or 'acceptRemovals'")
        }
        guard let mark = state.mark else {
            return .whole(because: "no earlier sync has stored the time, number or token from which to request changes")
        }
        guard mark.declaration == sync.digest, let start = ChangeMark(mark.value, sync) else {
            return .whole(because: "'sync' in the catalog has changed")
        }
        if state.position != nil { return .whole(because: "the last run through the list was interrupted") }
        if state.isPartial { return .whole(because: "items of the copy are no longer in the cache") }
        if state.isHeld {
            return .whole(
                because: "an earlier run kept the items that the API no longer lists, because they were more than half"
                    + " of the copy; to remove them, sync with 'acceptRemovals'")
        }
        let now = clock.now().milliseconds
        let maxAge = mark.hasAllItems ? sync.maxWholeAge : min(sync.maxWholeAge, SyncDefinition.standardWholeAge)
        let age = now - mark.wholeAt.milliseconds
        // The clock may have been set back since then.
        if age > maxAge || age < -2 * SinceMarks.maxFuture {
            return .whole(because: "the last run through the list is older than 'whole' in the catalog")
        }
        if case .value(let value) = start, let moment = sync.since?.milliseconds(of: value),
            moment > now + SinceMarks.maxFuture
        {
            return .whole(because: "the last change '\(value.text)' is in the future; check the clock", isFault: true)
        }
        return .changes(since: start)
    }

    /// Returns what a call of `run` would do. Makes no request and stores nothing.
    @_optimize(size)
    func explanation() async -> Explanation {
        var explanation = Explanation(entries: [], steps: [], requests: [])
        let state = (try? await store.states())?.first { $0.set == set }
        if let state, let syncedAt = state.syncedAt {
            explanation.steps.append("copy: \(state.items) items, synced at \(syncedAt.rfc3339)")
            if isRecent(state, isNew: false) {
                explanation.steps.append("the copy is not older than 'maxAge', so no request is made")
                return explanation
            }
        } else {
            explanation.steps.append(state?.position == nil ? "copy: none" : "copy: not complete")
        }
        var (source, page) = (self.source, self.source.first)
        var bound: SinceValue?
        let step: String
        switch state.map({ plan($0) }) ?? .whole(because: "there is no copy") {
        case .changes(let mark):
            switch mark {
            case .value(let value): bound = source.sync?.since?.bound(after: value)
            case .token(let token):
                source = source.changes(since: token)
                page = source.first
            }
            step = "remote: asked for changes since \(mark.shown)"
        case .whole(let reason, _):
            let place = state.flatMap { position($0) }
            page = place?.page ?? page
            step = "remote: asked for the \(place == nil ? "whole" : "rest of the") list, because \(reason)"
        }
        explanation.ask(source.reader.remote, .page(source.request(page, filters: request.filters, since: bound)))
        if explanation.refusal != nil {
            explanation.steps.append(Explainer.cannotBeAsked)
        } else {
            explanation.steps += [step, "persistence: new and changed items are stored"]
        }
        return explanation
    }
}
