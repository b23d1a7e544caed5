import DataSources

/// What calls would do.
extension ResourceRepository {
    /// Under what the resource's entries are kept, besides their own names: 128 bits in hexadecimal digits.
    public var fingerprint: String {
        [key.fingerprint.high, key.fingerprint.low].map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// What `item` would do.
    public func explainItem(_ id: String, _ freshness: Freshness) async -> Explanation {
        let key = ItemKey(resource: key, id: id)
        let entry = await entry(id, key, freshness)
        return explanation(
            [entry], freshness, isUnderWay: sharedItems.isUnderWay(Epoched(epoch: epoch.current, key: key)),
            question: .item(id))
    }

    /// What `page` would do.
    public func explainPage(_ request: PageRequest, _ freshness: Freshness) async -> Explanation {
        let key = PageKey(resource: key, request)
        await catchUp()
        let (near, far) = (memory.peek(key), try? await persistence?.page(key))
        let entry = Explanation.Entry(
            name: request.canonical, memory: near.map { kept($0, freshness) },
            persistence: far.map { kept($0, freshness) })
        return explanation(
            [entry], freshness, isUnderWay: sharedPages.isUnderWay(Epoched(epoch: epoch.current, key: key)),
            question: .page(request))
    }

    /// What `items` would do.
    public func explainItems(_ ids: [String], _ freshness: Freshness) async -> Explanation {
        var entries: [Explanation.Entry] = []
        for id in ids { entries.append(await entry(id, ItemKey(resource: key, id: id), freshness)) }
        var explanation = Explanation(entries: entries, steps: [], requests: [])
        let misses = zip(ids, entries).filter { !freshness.isMet(by: $0.1) }.map(\.0)
        explanation.steps = ["\(ids.count - misses.count) of \(ids.count) from the cache"]
        guard freshness.policy != .localOnly, !misses.isEmpty else { return explanation }
        let size = misses.count > 1 ? max(1, remote.maxIDs ?? 1) : 1
        for start in stride(from: 0, to: misses.count, by: size) {
            let chunk = Array(misses[start..<min(start + size, misses.count)])
            explanation.ask(remote, chunk.count == 1 ? .item(chunk[0]) : .items(chunk))
        }
        explanation.steps.append("remote: asked for \(misses.count) by \(explanation.requests.count) requests")
        return explanation
    }

    private func entry(_ id: String, _ key: ItemKey, _ freshness: Freshness) async -> Explanation.Entry {
        await catchUp()
        let (near, far) = (memory.peek(key), try? await persistence?.item(key))
        return Explanation.Entry(
            name: id, memory: near.map { kept($0, freshness) }, persistence: far.map { kept($0, freshness) })
    }

    private func kept(_ entry: ItemEntity, _ freshness: Freshness) -> Explanation.Kept {
        kept(entry, freshness, hasValidators: entry.validators != nil)
    }

    private func kept(_ entry: StoredPage, _ freshness: Freshness) -> Explanation.Kept {
        kept(entry, freshness, hasValidators: entry.page.validators != nil)
    }

    private func kept(_ entry: some CacheEntry, _ freshness: Freshness, hasValidators: Bool) -> Explanation.Kept {
        Explanation.Kept(
            fetchedAt: entry.fetchedAt, age: engine.rule.age(of: entry),
            isFresh: engine.rule.judge(entry, maxAge: freshness.maxAge), hasValidators: hasValidators)
    }

    private func explanation(
        _ entries: [Explanation.Entry], _ freshness: Freshness, isUnderWay: Bool, question: RemoteQuestion
    ) -> Explanation {
        var explanation = Explanation(entries: entries, steps: [], requests: [])
        guard let entry = entries.first else { return explanation }
        let plan = PolicyPlan(
            entry: entry, freshness: freshness, isUnderWay: isUnderWay, revalidatesBehind: engine.revalidatesBehind)
        explanation.steps = plan.steps
        if plan.asksRemote { explanation.ask(remote, question) }
        return explanation
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

extension Freshness {
    /// Whether what is kept answers without the remote.
    fileprivate func isMet(by entry: Explanation.Entry) -> Bool {
        switch policy {
        case .localFirst: entry.memory?.isFresh == true || entry.persistence?.isFresh == true
        case .localOnly: entry.memory?.isFresh != nil || entry.persistence?.isFresh != nil
        case .remoteFirst, .none: false
        }
    }
}
