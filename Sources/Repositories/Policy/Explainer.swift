import DataSources
import JSON
import Model

/// Explains what calls would do: it decides by their policies and what the levels have. Nothing is fetched or stored.
struct Explainer: Sendable {
    let engine: PolicyEngine
    let remote: any RemoteDataSourceContract

    /// The reason is in the explanation's error, which is redacted.
    private static let cannotBeAsked = "remote: cannot be asked, see 'error'"

    /// Explains a call for one item or page.
    ///
    /// - Parameter name: the name of the entry for a reader.
    func explain<Key: CacheKey>(
        _ name: String, _ key: Key, _ control: CacheControl, _ fetches: FetchCoordinator<Key>,
        _ question: RemoteQuestion
    ) async -> Explanation {
        let (decision, entry, looks) = await look(name, key, control)
        var explanation = Explanation(
            entries: [entry], steps: decision.rule.isAnsweredByCache ? looks : [], requests: [])
        let isUnderWay = fetches.isUnderWay(key)
        switch decision.next {
        case .answer: break
        case .notCached: explanation.steps.append("nothing is cached: the call fails with notCached")
        case .ask where !decision.rule.keeps:
            explanation.ask(remote, question)
            explanation.steps.append(
                explanation.refusal == nil
                    ? "remote: asked for this call alone; nothing is read from the cache or kept" : Self.cannotBeAsked)
        case .refresh:
            if !isUnderWay { explanation.ask(remote, question) }
            explanation.steps +=
                explanation.refusal == nil
                ? ["the stale entry is returned at once, and refreshed behind"]
                : ["the stale entry is returned at once", Self.cannotBeAsked]
        case .ask(let known):
            if isUnderWay {
                explanation.steps.append("remote: shares the request that is under way")
            } else {
                explanation.ask(remote, question)
                let isConditional = known?.value.validators != nil
                let asked = isConditional ? "remote: asked whether it has changed" : "remote: asked"
                explanation.steps.append(explanation.refusal == nil ? asked : Self.cannotBeAsked)
            }
            let age = known?.isStale == true ? "stale" : "fresh"
            if let refusal = explanation.refusal {
                let standsIn = refusal.fallsBackToCache && known != nil
                explanation.steps.append(standsIn ? "the \(age) entry stands in, with 'fallback'" : "the call fails")
                break
            }
            let levels = engine.cache.keepers(of: key).map { "\($0)" }.joined(separator: " and ")
            explanation.steps.append("\(levels): the answer is kept")
            guard known != nil else { break }
            explanation.steps.append("where the remote fails, the \(age) entry may stand in, with 'fallback'")
        }
        return explanation
    }

    /// Explains a call for several items.
    func explain(_ keys: [ItemKey], _ control: CacheControl, _ batch: BatchReader) async -> Explanation {
        var explanation = Explanation(entries: [], steps: [], requests: [])
        var misses: [ItemKey] = []
        let wanted = BatchReader.distinct(keys)
        for key in wanted {
            let (decision, entry, _) = await look(key.id, key, control, .ifError)
            explanation.entries.append(entry)
            if decision.answer == nil { misses.append(key) }
        }
        explanation.steps = ["\(wanted.count - misses.count) of \(wanted.count) from the cache"]
        guard control.policy.rule.asks != .never, !misses.isEmpty else { return explanation }
        var asked = 0
        for chunk in batch.chunks(misses) {
            let own = control.policy.rule.keeps ? chunk.filter { !batch.fetches.isUnderWay($0) } : chunk
            guard !own.isEmpty else { continue }
            asked += own.count
            explanation.ask(remote, own.count == 1 ? .item(own[0].id) : .items(own.map(\.id)))
        }
        if asked < misses.count {
            explanation.steps.append("remote: \(misses.count - asked) by requests that are under way")
        }
        if asked > 0 {
            let requests = explanation.requests.count
            explanation.steps.append(
                explanation.refusal == nil ? "remote: asked for \(asked) by \(requests) requests" : Self.cannotBeAsked)
        }
        return explanation
    }

    /// Shows a decision what each level has. Returns it with the levels' entries, and a step for each level.
    private func look<Key: CacheKey>(
        _ name: String, _ key: Key, _ control: CacheControl, _ staleUse: StaleUse? = nil
    ) async -> (PolicyDecision<Key.Entry>, Explanation.Entry, looks: [String]) {
        await engine.cache.catchUp()
        var decision: PolicyDecision<Key.Entry> = engine.decision(control, staleUse)
        var isEnough = false
        var kept: [Source: Explanation.Kept] = [:]
        var looks: [String] = []
        let entries = await engine.cache.entries(key, within: control.policy.rule.reach)
        for (source, found) in entries {
            kept[source] = found.map { describe($0, control) }
            if isEnough { continue }
            isEnough = decision.take(found, from: source)
            looks.append("\(source): \(kept[source]?.state ?? "nothing")\(isEnough ? ", returned" : "")")
        }
        return (decision, Explanation.Entry(name: name, levels: entries.map(\.source), kept: kept), looks)
    }

    private func describe(_ entry: some CacheEntry, _ control: CacheControl) -> Explanation.Kept {
        Explanation.Kept(
            fetchedAt: entry.fetchedAt, age: engine.freshness.age(since: entry.fetchedAt),
            isFresh: engine.freshness.judge(entry, maxAge: control.maxAge), hasValidators: entry.validators != nil)
    }
}

extension Explanation {
    fileprivate mutating func ask(_ remote: any RemoteDataSourceContract, _ question: RemoteQuestion) {
        do throws(APIError) {
            requests.append(try remote.preview(question))
        } catch {
            refusal = refusal ?? error
        }
    }
}

extension Explanation.Kept {
    /// How the policy takes it, in words.
    fileprivate var state: String { isFresh.map { $0 ? "fresh" : "stale" } ?? "past keepFor, as good as nothing" }
}
