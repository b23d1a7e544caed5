import Catalog
import DataSources
import Model
import Repositories
import System

/// Tests the `sync` of a list: two syncs in a row.
extension LiveCheck {
    /// The maximum number of pages that each sync reads.
    private static let maxPages = 2

    /// Makes two syncs in a row, each of a few pages, and returns the outcome. The second sync requests only changes.
    /// Returns nil if the catalog declares no `sync` for the list.
    func trySync(_ list: ListDefinition, _ repository: any ResourceRepositoryContract) async -> LiveFinding? {
        let resource = repository.resource
        guard let sync = resource.sync else { return nil }
        var finding = LiveFinding(resource: resource.name, operation: "sync")
        let filters: [PageRequest.Filter]
        switch self.filters(of: list, resource) {
        case .failure(let reason):
            finding.notTried = reason.text
            return finding
        case .success(let given): filters = given
        }
        if let unnamed = filters.first(where: { !sync.filters.contains($0.name) }) {
            finding.notTried =
                "'sync' does not name the filter '\(unnamed.name)', so each sync reads the whole list; name the filter"
                + " in 'filters' of 'sync', or send no value"
            return finding
        }
        guard let first = await sample(filters, since: nil, repository, &finding) else { return finding }
        SyncVerdict(sync).judge(first, &finding)
        guard finding.error == nil, first.mark != nil || first.token != nil else { return finding }
        var second = finding
        guard let changes = await sample(filters, since: first, repository, &second) else {
            if let kind = second.error?.kind, kind == .invalidRequest || kind == .notFound {
                second.notes.append(
                    "the API refused the request for changes, so each sync would read the whole list; check 'param',"
                        + " 'type' and 'query' of 'sync'")
            }
            second.exchanges += finding.exchanges
            return second
        }
        second.items = first.items
        second.changed = LiveFinding.Changed(items: changes.changed, requests: second.exchanges)
        second.exchanges += finding.exchanges
        SyncVerdict(sync).judge(changes, after: first, &second)
        return second
    }

    private func sample(
        _ filters: [PageRequest.Filter], since earlier: SyncSample?, _ repository: any ResourceRepositoryContract,
        _ finding: inout LiveFinding
    ) async -> SyncSample? {
        let notes = finding.notes
        let found = await observe(&finding) { () throws(RepositoryError) in
            try await repository.sampleSync(filters, since: earlier, maxPages: Self.maxPages)
        } items: {
            $0?.items ?? 0
        } notes: { _ in
            notes
        }
        return found ?? nil
    }
}

/// Detects errors in the catalog's `sync` by comparing the answers of two syncs.
private struct SyncVerdict {
    private static let day: Int64 = 86_400_000

    /// The settings of `sync` if its style is `since`; nil for the style `token`.
    private let since: SinceDefinition?

    init(_ sync: SyncDefinition) { since = sync.since }

    /// Checks the first pages of the whole list. Adds errors and notes to `finding`.
    func judge(_ sample: SyncSample, _ finding: inout LiveFinding) {
        checkOrder(of: sample, &finding)
        if sample.items == 0, sample.mark == nil, sample.token == nil {
            finding.notes.append("the list is empty, so no request for changes was made; add an item and try again")
        } else if since == nil {
            checkToken(of: sample, &finding)
        } else if sample.valueCount == 0 {
            finding.error = APIError(
                .decodingFailed,
                "no item has a value that 'from' of 'sync' selects; check 'from', 'type' and 'unit' of 'sync'")
        } else if sample.lacksValues {
            finding.notes.append(
                "some items have no value that 'from' of 'sync' selects, so a sync may miss their changes; select a"
                    + " value that each item has")
        } else if sample.mark == nil {
            finding.notes.append(
                "all values of 'from' are in the future, so no request for changes was made; check the clock")
        }
    }

    private func checkToken(of sample: SyncSample, _ finding: inout LiveFinding) {
        if sample.token != nil { return }
        if sample.hasReachedEnd {
            finding.error = APIError(
                .decodingFailed,
                "no answer has a token for a request for changes; check 'next', 'initial' and 'begin' of 'sync'")
        } else {
            finding.notes.append(
                "the first pages of the list have no token, so no request for changes was made; later pages were not"
                    + " read")
        }
    }

    /// Checks the answer to a request for changes. Adds errors and notes to `finding`.
    func judge(_ changes: SyncSample, after first: SyncSample, _ finding: inout LiveFinding) {
        checkOrder(of: changes, &finding)
        guard finding.error == nil, let since, let bound = changes.bound else { return }
        let areAll = first.items > 1 && changes.firstIDs == first.firstIDs
        if let early = changes.early {
            let example = "an item with '\(early.text)' instead of items since '\(bound.text)'"
            if areAll, !mayBeRounded(early, bound) {
                finding.error = APIError(
                    .invalidResponse,
                    "the API ignores the parameter '\(since.parameter)' and returned \(example); check 'param' of"
                        + " 'sync'")
            } else {
                finding.notes.append(
                    "the API returned \(example); check 'param' of 'sync', unless the API rounds the requested value")
            }
        } else if areAll {
            finding.notes.append(
                "the second sync returned the same items, because all of them have recent values; change an item and"
                    + " try again")
        }
        if changes.changed > 0, !first.hasReachedEnd {
            finding.notes.append(
                "the check read only the first pages of the list, so the changes include items of later pages")
        }
    }

    private func checkOrder(of sample: SyncSample, _ finding: inout LiveFinding) {
        guard since?.isAscending == true, let descent = sample.descent else { return }
        finding.error = APIError(
            .invalidResponse,
            "'sync' declares 'ascending', but '\(descent.first)' comes before '\(descent.second)'; sort the list with"
                + " 'query' of 'sync', or remove 'ascending'")
    }

    /// Whether the API may have returned an item with this time because it rounds the requested time `bound` down to
    /// the start of a day. True if `time` is less than a day before `bound`. Always false if `sync` uses numbers.
    private func mayBeRounded(_ time: SinceValue, _ bound: SinceValue) -> Bool {
        guard let since, case .date = since.kind, let time = since.milliseconds(of: time),
            let bound = since.milliseconds(of: bound)
        else { return false }
        return bound - time < Self.day
    }
}
