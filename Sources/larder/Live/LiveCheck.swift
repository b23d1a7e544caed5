import Catalog
import DataSources
import JSON
import Model
import Repositories
import System

/// `larder check --live`: tests each operation of a catalog. The check uses the same repositories as the server, and
/// writes no files.
struct LiveCheck {
    private let repositories: [any ResourceRepositoryContract]
    private let log: ExchangeLog
    private let inputs: LiveInputs
    private let redactor: Redactor

    /// Creates a live check.
    ///
    /// - Parameters:
    ///   - log: the log of the requests that the repositories make.
    ///   - inputs: ids, scope values and filter values from `--with`.
    ///   - redactor: replaces secrets in the output.
    init(
        _ repositories: [any ResourceRepositoryContract], log: ExchangeLog, inputs: LiveInputs,
        redactor: Redactor
    ) {
        self.repositories = repositories
        self.log = log
        self.inputs = inputs
        self.redactor = redactor
    }

    /// Tests all operations. Returns the outcomes in the order of the catalog.
    ///
    /// - Parameter onStart: called with the name of each resource before its tests.
    func run(onStart: @Sendable (String) -> Void) async -> [LiveFinding] {
        var findings: [LiveFinding] = []
        for repository in repositories {
            onStart(repository.resource.name)
            findings += await check(repository).map { $0.redacted(by: redactor) }
        }
        return findings
    }

    private func check(_ unscoped: any ResourceRepositoryContract) async -> [LiveFinding] {
        let resource = unscoped.resource
        let repository: any ResourceRepositoryContract
        switch scope(of: resource) {
        case .failure(let reason):
            return [LiveFinding(resource: resource.name, operation: "*", notTried: reason.text)]
        case .success(let scope): repository = scope.map { unscoped.scoped($0) } ?? unscoped
        }
        var findings: [LiveFinding] = []
        var ids: [String] = []
        if let list = resource.list {
            (findings, ids) = await tryPages(list, repository)
            // If the list fails, its sync fails for the same reason.
            let isListed = findings.allSatisfy { $0.error == nil && $0.notTried == nil }
            if isListed, let finding = await trySync(list, repository) { findings.append(finding) }
        }
        if let id = inputs.value("id", of: resource) { ids.insert(id, at: 0) }
        if resource.canGet { findings += await gets(Array(ids.prefix(2)), repository) }
        return findings
    }

    /// Tests the first two pages of a list. Returns the outcomes, and the item ids of the first page.
    private func tryPages(
        _ list: ListDefinition, _ repository: any ResourceRepositoryContract
    ) async -> (findings: [LiveFinding], ids: [String]) {
        let resource = repository.resource
        var first = LiveFinding(resource: resource.name, operation: "list")
        let filters: [PageRequest.Filter]
        switch self.filters(of: list, resource) {
        case .failure(let reason):
            first.notTried = reason.text
            return ([first], [])
        case .success(let given): filters = given
        }
        // If a list does not mark its last page, a repository detects the end by comparing each page with the cached
        // previous page. The check does not use the cache for such a list, so that it can report the repeated page.
        let control = CacheControl(list.pagination.style.lacksEndSignal ? .none : .remoteFirst)
        let request = PageRequest(page: list.firstPage, filters: filters)
        guard let page = await fetch(request, control, repository, &first) else { return ([first], []) }
        if list.pagination.style is SinglePage {
            first.missingPagination = first.exchange?.pagination
            first.notes += (first.exchange?.signs ?? []).map { "no pagination is declared, but \($0)" }
            if page.ids.count >= 10, page.ids.count % 10 == 0 || page.ids.count == 25 {
                first.notes.append("no pagination is declared, but \(page.ids.count) items look like a full page")
            }
        }
        guard let next = Self.next(of: page) else { return ([first], page.ids) }
        var second = LiveFinding(resource: resource.name, operation: "list", detail: "page 2")
        if let other = await fetch(PageRequest(page: next, filters: filters), control, repository, &second) {
            let both = other.ids.filter(Set(page.ids).contains)
            if !both.isEmpty {
                let listed = both.prefix(5).map { "'\(redactor.redact($0, limit: 100))'" }.joined(separator: ", ")
                let isSame = other.ids == page.ids
                second.notes.append(
                    "\(both.count) of the ids are on the first page too: \(listed)"
                        + (isSame ? "; both pages are equal: check the name of the page parameter" : ""))
            }
        }
        return ([first, second], page.ids)
    }

    private func fetch(
        _ request: PageRequest, _ control: CacheControl, _ repository: any ResourceRepositoryContract,
        _ finding: inout LiveFinding
    ) async -> Page? {
        await observe(&finding) { () throws(RepositoryError) in
            try await repository.page(request, control).value
        } items: {
            $0.ids.count
        } notes: { page in
            var notes: [String] = []
            if let skipped = page.skipped.flatMap({ Self.json($0) }), case .array(let elements) = skipped,
                case .string(let message)? = elements.first?["message"]
            {
                notes.append("\(OriginText.count(elements.count, "item")) skipped, the first because: \(message)")
            }
            if let missing = page.missing, !missing.isEmpty {
                notes.append("\(OriginText.count(missing.count, "item")) of the list could not be fetched by id")
            }
            return notes
        }
    }

    private func gets(_ ids: [String], _ repository: any ResourceRepositoryContract) async -> [LiveFinding] {
        let resource = repository.resource
        let name = resource.get == nil ? "getMany" : "get"
        guard let id = ids.first else {
            let how = "no id is known; add --with \(resource.name).id=..."
            return [LiveFinding(resource: resource.name, operation: name, notTried: how)]
        }
        var findings: [LiveFinding] = []
        if resource.get != nil {
            var finding = LiveFinding(
                resource: resource.name, operation: "get", detail: "id=\(redactor.redact(id, limit: 100))")
            _ = await observe(&finding) { () throws(RepositoryError) in
                try await repository.item(id, CacheControl(.none)).value
            } items: { _ in
                1
            } notes: { _ in
                []
            }
            findings.append(finding)
        }
        if resource.getMany != nil {
            var finding = LiveFinding(
                resource: resource.name, operation: "getMany",
                detail: ids.count == 1 ? "of 1 id" : "of \(ids.count) ids")
            _ = await observe(&finding) { () throws(RepositoryError) in
                try await repository.items(ids, CacheControl(.none)) { _, _ in }
            } items: {
                $0.items.count
            } notes: {
                $0.missing.isEmpty ? [] : ["\(OriginText.count($0.missing.count, "item")) of the list not found by id"]
            }
            findings.append(finding)
        }
        return findings
    }

    /// Runs one operation and records its outcome. Returns the operation's value; nil if the operation failed.
    func observe<Value: Sendable>(
        _ finding: inout LiveFinding, _ work: () async throws(RepositoryError) -> Value, items: (Value) -> Int,
        notes: (Value) -> [String]
    ) async -> Value? {
        var value: Value?
        do throws(RepositoryError) {
            let found = try await work()
            finding.items = items(found)
            finding.notes = notes(found)
            value = found
        } catch {
            finding.error = error.cause ?? APIError(.invalidResponse, "no request was made")
        }
        let (exchanges, warnings) = log.take()
        finding.exchange = exchanges.first
        finding.exchanges = exchanges.count
        finding.notes += warnings
        return value
    }

    /// The reason why the check cannot test an operation, such as a missing id.
    struct Reason: Error {
        let text: String
    }

    /// Returns the scope for the tests of a resource's operations, or the reason why they cannot be tested. The scope
    /// is nil for a resource without a scope.
    private func scope(of resource: ResourceDefinition) -> Result<ResourceScope?, Reason> {
        guard !resource.scope.isEmpty else { return .success(nil) }
        var values: [(name: String, value: JSONValue)] = []
        for part in resource.scope {
            guard let value = inputs.value(part.name, of: resource).map({ JSONValue.string($0) }) ?? part.standard
            else {
                return .failure(Reason(text: "the scope '\(part.name)' has no value; add --with \(part.name)=..."))
            }
            guard let canonical = part.type.canonical(value), canonical != "" else {
                return .failure(Reason(text: "the scope '\(part.name)' must be \(part.type.expected)"))
            }
            values.append((part.name, canonical))
        }
        return .success(ResourceScope(values))
    }

    /// Returns the filters for the tests of a list, or the reason why the list cannot be tested.
    func filters(
        of list: ListDefinition, _ resource: ResourceDefinition
    ) -> Result<[PageRequest.Filter], Reason> {
        var filters: [PageRequest.Filter] = []
        for filter in list.filters {
            guard let value = inputs.value(filter.name, of: resource).map({ JSONValue.string($0) }) ?? filter.standard
            else {
                if filter.isRequired {
                    return .failure(
                        Reason(text: "the filter '\(filter.name)' has no value; add --with \(filter.name)=..."))
                }
                continue
            }
            guard let canonical = filter.canonical(value) else {
                return .failure(Reason(text: "the filter '\(filter.name)' must be \(filter.expected)"))
            }
            filters.append(PageRequest.Filter(filter.name, canonical))
        }
        return .success(filters)
    }

    private static func next(of page: Page) -> PageToken? {
        guard let document = try? JSONDocument(page.info) else { return nil }
        return document.withRoot { root in root["next"].flatMap { PageToken($0) } }
    }

    private static func json(_ bytes: [UInt8]) -> JSONValue? {
        (try? JSONDocument(bytes)).map { document in document.withRoot { JSONValue($0) } }
    }
}
