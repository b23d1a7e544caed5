import DataSources
import JSON
import Model

/// What calls would do: their policies are run over what the levels have, and nothing is fetched or kept.
struct Explainer: Sendable {
    let engine: PolicyEngine
    let remote: any RemoteDataSourceContract

    /// Why stands in the explanation's error, which loses what must not be seen.
    private static let cannotBeAsked = "remote: cannot be asked, see 'error'"

    /// What a call for one item or page would do.
    ///
    /// - Parameter name: under what it is kept, in words.
    func explain<Key: CacheKey>(
        _ name: String, _ key: Key, _ control: CacheControl, _ fetches: EntryFetches<Key>, _ question: RemoteQuestion
    ) async -> Explanation {
        let (run, entry, looks) = await look(name, key, control, waits: false)
        var explanation = Explanation(
            entries: [entry], steps: run.row.isAnsweredByCache ? looks : [], requests: [])
        let isUnderWay = fetches.isUnderWay(key)
        switch run.next {
        case .answer: break
        case .notCached: explanation.steps.append("nothing is cached: the call fails with notCached")
        case .askAlone:
            explanation.ask(remote, question)
            explanation.steps.append(
                explanation.refusal == nil
                    ? "remote: asked for this call alone; nothing is read from the cache or kept" : Self.cannotBeAsked)
        case .refreshBehind:
            if !isUnderWay { explanation.ask(remote, question) }
            explanation.steps +=
                explanation.refusal == nil
                ? ["the stale entry is returned at once, and refreshed behind"]
                : ["the stale entry is returned at once", Self.cannotBeAsked]
        case .ask(let standIn):
            if isUnderWay {
                explanation.steps.append("remote: shares the request that is under way")
            } else {
                explanation.ask(remote, question)
                let isConditional = standIn?.value.validators != nil
                let asked = isConditional ? "remote: asked whether it has changed" : "remote: asked"
                explanation.steps.append(explanation.refusal == nil ? asked : Self.cannotBeAsked)
            }
            let age = standIn?.isStale == true ? "stale" : "fresh"
            if let refusal = explanation.refusal {
                let standsIn = refusal.fallsBackToCache && standIn != nil
                explanation.steps.append(standsIn ? "the \(age) entry stands in, with 'fallback'" : "the call fails")
                break
            }
            let levels = engine.cache.keepers(of: key).map { "\($0)" }.joined(separator: " and ")
            explanation.steps.append("\(levels): the answer is kept")
            guard standIn != nil else { break }
            explanation.steps.append("where the remote fails, the \(age) entry may stand in, with 'fallback'")
        }
        return explanation
    }

    /// What a call for several items would do.
    func explain(_ keys: [ItemKey], _ control: CacheControl, _ many: ManyItems) async -> Explanation {
        var explanation = Explanation(entries: [], steps: [], requests: [])
        var misses: [ItemKey] = []
        let wanted = ManyItems.distinct(keys)
        for key in wanted {
            let (run, entry, _) = await look(key.id, key, control, waits: true)
            explanation.entries.append(entry)
            if run.answer == nil { misses.append(key) }
        }
        explanation.steps = ["\(wanted.count - misses.count) of \(wanted.count) from the cache"]
        guard control.policy.row.asks != .never, !misses.isEmpty else { return explanation }
        var asked = 0
        for chunk in many.chunks(misses) {
            let own = control.policy.row.keeps ? chunk.filter { !many.fetches.isUnderWay($0) } : chunk
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

    /// Shows a run what each level has. Returns it with what there is, and how it takes that, in words.
    private func look<Key: CacheKey>(
        _ name: String, _ key: Key, _ control: CacheControl, waits: Bool
    ) async -> (PolicyRun<Key.Entry>, Explanation.Entry, looks: [String]) {
        await engine.cache.catchUp()
        var run: PolicyRun<Key.Entry> = engine.run(control, waits: waits)
        var isEnough = false
        var kept: [Source: Explanation.Kept] = [:]
        var looks: [String] = []
        let entries = await engine.cache.entries(key, within: control.policy.row.reach)
        for (source, found) in entries {
            kept[source] = found.map { describe($0, control) }
            if isEnough { continue }
            isEnough = run.take(found, from: source)
            looks.append("\(source): \(kept[source]?.state ?? "nothing")\(isEnough ? ", returned" : "")")
        }
        return (run, Explanation.Entry(name: name, levels: entries.map(\.source), kept: kept), looks)
    }

    private func describe(_ entry: some CacheEntry, _ control: CacheControl) -> Explanation.Kept {
        Explanation.Kept(
            fetchedAt: entry.fetchedAt, age: engine.rule.age(since: entry.fetchedAt),
            isFresh: engine.rule.judge(entry, maxAge: control.maxAge), hasValidators: entry.validators != nil)
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
