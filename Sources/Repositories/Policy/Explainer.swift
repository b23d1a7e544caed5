import DataSources
import JSON
import Model

/// Explains the steps of a call, based on the call's policy and the cached entries. Fetches and stores nothing.
struct Explainer: Sendable {
    let engine: PolicyEngine
    let remote: any RemoteDataSourceContract

    /// The step in an explanation if Larder cannot make the request. The member `error` of the explanation contains the
    /// reason.
    static let cannotBeAsked = "remote: cannot be asked, see 'error'"

    /// Returns the explanation of a call for one item or page: the steps and requests that the call would need.
    ///
    /// - Parameter name: the entry's name in the explanation.
    @_optimize(size)
    func explain<Key: CacheKey>(
        _ name: String, _ key: Key, _ control: CacheControl, _ fetches: FetchCoordinator<Key>,
        _ question: RemoteQuestion
    ) async -> Explanation {
        let (decision, entry, steps) = await read(name, key, control)
        var explanation = Explanation(
            entries: [entry], steps: decision.rule.isAnsweredByCache ? steps : [], requests: [])
        let isUnderWay = fetches.isUnderWay(key)
        switch decision.next {
        case .answer: break
        case .notCached: explanation.steps.append("nothing is cached: the call fails with notCached")
        case .ask where !decision.rule.keeps:
            explanation.ask(remote, question)
            explanation.steps.append(
                explanation.refusal == nil
                    ? "remote: asked for this call alone; the cache is neither read nor written" : Self.cannotBeAsked)
        case .refresh:
            if !isUnderWay { explanation.ask(remote, question) }
            explanation.steps +=
                explanation.refusal == nil
                ? ["the stale entry is returned at once, and refreshed in the background"]
                : ["the stale entry is returned at once", Self.cannotBeAsked]
        case .ask(let known):
            if isUnderWay {
                explanation.steps.append("remote: shares the request that is under way")
            } else {
                explanation.ask(remote, question)
                let isConditional = known?.value.validators != nil
                let asked = isConditional ? "remote: asked whether the entry has changed" : "remote: asked"
                explanation.steps.append(explanation.refusal == nil ? asked : Self.cannotBeAsked)
            }
            let age = known?.isStale == true ? "stale" : "fresh"
            if let refusal = explanation.refusal {
                let isFallback = refusal.fallsBackToCache && known != nil
                explanation.steps.append(isFallback ? "the \(age) entry is returned with 'fallback'" : "the call fails")
                break
            }
            let levels = engine.cache.keepers(of: key).map { "\($0)" }.joined(separator: " and ")
            explanation.steps.append("\(levels): the answer is stored")
            guard known != nil else { break }
            explanation.steps.append("if the remote fails, the \(age) entry may be returned with 'fallback'")
        }
        return explanation
    }

    /// Returns the explanation of a call for several items: the steps and requests that the call would need.
    @_optimize(size)
    func explain(_ keys: [ItemKey], _ control: CacheControl, _ batch: BatchReader) async -> Explanation {
        var explanation = Explanation(entries: [], steps: [], requests: [])
        var misses: [ItemKey] = []
        let wanted = BatchReader.distinct(keys)
        for key in wanted {
            let (decision, entry, _) = await read(key.id, key, control, .ifError)
            explanation.entries.append(entry)
            if decision.answer == nil { misses.append(key) }
        }
        explanation.steps = ["cache: \(wanted.count - misses.count) of \(wanted.count) items"]
        guard control.policy.rule.asks != .never, !misses.isEmpty else { return explanation }
        var asked = 0
        for chunk in batch.chunks(misses) {
            let own = control.policy.rule.keeps ? chunk.filter { !batch.fetches.isUnderWay($0) } : chunk
            guard !own.isEmpty else { continue }
            asked += own.count
            explanation.ask(remote, own.count == 1 ? .item(own[0].id) : .items(own.map(\.id)))
        }
        if asked < misses.count {
            explanation.steps.append("remote: \(misses.count - asked) of \(wanted.count) items from requests under way")
        }
        if asked > 0 {
            let requests = explanation.requests.count
            explanation.steps.append(
                explanation.refusal == nil
                    ? "remote: \(asked) of \(wanted.count) items; new requests: \(requests)" : Self.cannotBeAsked)
        }
        return explanation
    }

    /// Applies the policy to the entry of each cache level. Returns the decision, the entries, and one step of the
    /// explanation for each level.
    @_optimize(size)
    private func read<Key: CacheKey>(
        _ name: String, _ key: Key, _ control: CacheControl, _ staleUse: StaleUse? = nil
    ) async -> (PolicyDecision<Key.Entry>, Explanation.Entry, steps: [String]) {
        await engine.cache.catchUp()
        var decision: PolicyDecision<Key.Entry> = engine.decision(control, staleUse)
        var kept: [Source: Explanation.Kept] = [:]
        var steps: [String] = []
        let entries = await engine.cache.entries(key, within: control.policy.rule.reach)
        for (source, found) in entries {
            kept[source] = found.map { describe($0, control) }
            if source == .shared { await confirm(&decision, key, &steps) }
            if decision.isDone { continue }
            let isEnough = decision.take(found, from: source)
            steps.append("\(source): \(kept[source]?.state ?? "nothing")\(isEnough ? ", returned" : "")")
        }
        if entries.last?.source != .shared { await confirm(&decision, key, &steps) }
        return (decision, Explanation.Entry(name: name, levels: entries.map(\.source), kept: kept), steps)
    }

    /// Checks whether a sync has confirmed the entry, if the decision depends on it. If the confirmed entry is then the
    /// answer, adds a step to the explanation.
    @_optimize(size)
    private func confirm<Key: CacheKey>(
        _ decision: inout PolicyDecision<Key.Entry>, _ key: Key, _ steps: inout [String]
    ) async {
        guard decision.needsConfirmation else { return }
        decision.confirm(at: await engine.confirmation(of: key))
        if let answer = decision.answer, answer.syncedAt != nil {
            steps.append("the last sync confirms the item, so it counts as \(answer.isStale ? "stale" : "fresh")")
        }
    }

    private func describe(_ entry: some CacheEntry, _ control: CacheControl) -> Explanation.Kept {
        Explanation.Kept(
            fetchedAt: entry.fetchedAt, age: engine.freshness.age(since: entry.fetchedAt),
            isFresh: engine.freshness.judge(entry, maxAge: control.maxAge), hasValidators: entry.validators != nil)
    }
}

extension Explanation {
    /// Adds the preview of a request to the explanation. If the request is impossible, adds the reason instead.
    mutating func ask(_ remote: any RemoteDataSourceContract, _ question: RemoteQuestion) {
        do throws(APIError) {
            requests.append(try remote.preview(question))
        } catch {
            refusal = refusal ?? error
        }
    }
}

extension Explanation.Kept {
    /// The freshness of the entry as text, such as `stale`.
    fileprivate var state: String { isFresh.map { $0 ? "fresh" : "stale" } ?? "older than keepFor, counts as absent" }
}
