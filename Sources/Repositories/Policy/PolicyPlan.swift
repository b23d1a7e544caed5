/// The steps that a policy would take for one entry, in words: what `PolicyEngine` does.
struct PolicyPlan {
    private(set) var steps: [String] = []
    private(set) var asksRemote = false

    init(entry: Explanation.Entry, freshness: Freshness, isUnderWay: Bool, revalidatesBehind: Bool) {
        let standIn =
            entry.memory?.isFresh != nil ? entry.memory : entry.persistence?.isFresh != nil ? entry.persistence : nil
        switch freshness.policy {
        case .none:
            add("remote: asked for this call alone; nothing is read from the cache or kept")
            asksRemote = true
        case .localOnly:
            if look(entry, isEnough: { $0.isFresh != nil }) { return }
            add("nothing is cached: the call fails with notCached")
        case .remoteFirst:
            ask(standIn, isUnderWay)
        case .localFirst:
            if look(entry, isEnough: { $0.isFresh == true }) { return }
            if revalidatesBehind, standIn != nil {
                add("the stale entry is returned at once, and refreshed behind")
                asksRemote = !isUnderWay
            } else {
                ask(standIn, isUnderWay)
            }
        }
    }

    private mutating func add(_ step: String) { steps.append(step) }

    /// Returns whether a level has enough.
    private mutating func look(_ entry: Explanation.Entry, isEnough: (Explanation.Kept) -> Bool) -> Bool {
        if tell("memory", entry.memory, isEnough) { return true }
        return tell("persistence", entry.persistence, isEnough)
    }

    private mutating func tell(
        _ level: String, _ kept: Explanation.Kept?, _ isEnough: (Explanation.Kept) -> Bool
    ) -> Bool {
        guard let kept else {
            add("\(level): nothing")
            return false
        }
        let state = kept.isFresh.map { $0 ? "fresh" : "stale" } ?? "past keepFor, as good as nothing"
        add("\(level): \(state)\(isEnough(kept) ? ", returned" : "")")
        return isEnough(kept)
    }

    private mutating func ask(_ standIn: Explanation.Kept?, _ isUnderWay: Bool) {
        asksRemote = !isUnderWay
        if isUnderWay {
            add("remote: shares the request that is under way")
        } else {
            add(standIn?.hasValidators == true ? "remote: asked whether it has changed" : "remote: asked")
        }
        add("memory and persistence: the answer is kept")
        if let standIn {
            let age = standIn.isFresh == true ? "fresh" : "stale"
            add("where the remote fails, the \(age) entry may stand in, with 'fallback'")
        }
    }
}
