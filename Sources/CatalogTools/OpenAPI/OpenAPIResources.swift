import Catalog
import JSON
import System

/// Drafts resources from the paths of an OpenAPI document. A resource is made from the path of a collection and the
/// path of its items, or from one of them.
struct OpenAPIResources {
    private let document: OpenAPIDocument
    private let schemas: OpenAPISchemas
    private let answers: OpenAPIAnswers
    private let api: String

    /// The drafted resources of a document.
    struct Drafts {
        var resources: [ResourceDraft] = []
        /// The paths that became no resource, each with the reason.
        var left: [String] = []
    }

    /// The operations of a resource: of a collection, of its items, or both.
    private struct Pair {
        var list: OpenAPIOperation?
        var get: OpenAPIOperation?
        var isDeprecated: Bool { (get ?? list)?.view["deprecated"]?.bool == true }
        /// The order in which resources get their names. Resources with both operations come first, and deprecated ones
        /// come last.
        var rank: Int { (list != nil && get != nil ? 0 : get != nil ? 1 : 2) + (isDeprecated ? 3 : 0) }
        var path: OpenAPIPath? { (list ?? get)?.path }
    }

    init(_ document: OpenAPIDocument, api: String) {
        self.document = document
        self.api = api
        schemas = OpenAPISchemas(document)
        answers = OpenAPIAnswers(document: document, schemas: schemas)
    }

    /// Returns the drafted resources in the order of the document.
    func drafts() -> Drafts {
        var drafts = Drafts()
        let pairs = pairs(&drafts.left)
        var made: [(order: Int, rank: Int, draft: ResourceDraft, words: [String])] = []
        for (order, pair) in pairs.enumerated() {
            if schemas.isExhausted {
                drafts.left.append(
                    "\(pair.path?.text ?? ""): not read; the document's schemas contain too many references")
                continue
            }
            switch draft(pair) {
            case .success(let draft): made.append((order, pair.rank, draft, pair.path?.words ?? []))
            case .failure(let reason): drafts.left.append(reason.message)
            }
        }
        var names = ResourceNames()
        var named: [(order: Int, draft: ResourceDraft)] = []
        // Shorter paths get the simpler names.
        for (order, _, draft, words) in made.sorted(by: {
            ($0.rank, $0.words.count, $0.draft.scope.count, $0.order)
                < ($1.rank, $1.words.count, $1.draft.scope.count, $1.order)
        }) {
            var draft = draft
            draft.name = names.add(words)
            named.append((order, draft))
        }
        drafts.resources = named.sorted { $0.order < $1.order }.map(\.draft)
        drafts.left += postOnlyPaths()
        return drafts
    }

    /// Returns comments on paths that have a `post` but no `get`. Some of these operations only read data.
    private func postOnlyPaths() -> [String] {
        (document.root["paths"]?.members.map { $0 } ?? []).compactMap { member in
            guard let item = document.resolve(member.value), item["post"]?.kind == .object,
                item["get"]?.kind != .object
            else { return nil }
            return
                "\(member.key.string ?? ""): only POST; if the operation only reads, declare it with \"method\": \"POST\""
        }
    }

    // MARK: Pairs

    private func pairs(_ left: inout [String]) -> [Pair] {
        var operations: [OpenAPIOperation] = []
        for member in document.root["paths"]?.members.map({ $0 }) ?? [] {
            let text = member.key.string ?? ""
            guard let item = document.resolve(member.value), let get = item["get"], get.kind == .object else {
                continue
            }
            guard let path = OpenAPIPath(text) else {
                left.append("\(text): a catalog cannot express this path")
                continue
            }
            operations.append(OpenAPIOperation(path: path, item: item, view: get, document: document))
        }
        var lists: [String: Int] = [:]
        for (index, operation) in operations.enumerated() where operation.path.segments.last?.parameter == nil {
            lists[operation.path.pattern] = index
        }
        var pairs: [(at: Int, pair: Pair)] = []
        var used: Set<Int> = []
        for (index, operation) in operations.enumerated() {
            guard let collection = operation.path.collection, !isArray(operation) else { continue }
            guard let list = lists[collection], used.insert(list).inserted else {
                pairs.append((index, Pair(get: operation)))
                continue
            }
            pairs.append((min(index, list), Pair(list: operations[list], get: operation)))
        }
        for (index, operation) in operations.enumerated() where !used.contains(index) {
            if operation.path.collection == nil || isArray(operation) { pairs.append((index, Pair(list: operation))) }
        }
        return pairs.sorted { $0.at < $1.at }.map(\.pair)
    }

    private func isArray(_ operation: OpenAPIOperation) -> Bool {
        operation.answer.map { schemas.flat($0).kind == "array" } ?? false
    }

    // MARK: One resource

    private func draft(_ pair: Pair) -> Result<ResourceDraft, CatalogMessage> {
        guard let path = pair.path else { return .failure("") }
        let word = DraftNames.singular(path.words.first { !ResourceNames.isVersion($0) } ?? "item")
        let items = pair.list.flatMap { list in
            list.answer.flatMap { answers.items(in: $0, of: list.path.words.first ?? "") }
        }
        let item = pair.get.flatMap { get in get.answer.flatMap { answers.item(in: $0, called: [word]) } }
        var remarks: [String] = []
        var (list, get) = (pair.list, pair.get)
        if let operation = list, items == nil, operation.answer != nil || get == nil {
            remarks.append("'\(operation.path.text)' is not a list according to the document")
            list = nil
        }
        if let operation = get, item == nil, operation.answer != nil {
            remarks.append("'\(operation.path.text)' does not return an item according to the document")
            get = nil
        }
        guard list != nil || get != nil else {
            return .failure(
                CatalogMessage(
                    "\(path.text): \(pair.get == nil ? "not a list" : "not an item") according to the document")
            )
        }
        let last = get?.path.parameters.last
        let parameter = last.map { name in
            OpenAPIID.Parameter(name: name, kind: kind(of: name, in: get))
        }
        let finder = OpenAPIID(schemas: schemas)
        let schema = item?.schema ?? (items?.areIDs == true ? nil : items?.element)
        var id: ResourceDraft.ID?
        if let schema {
            id = finder.find(in: schema, by: parameter, called: word)
        } else if items?.areIDs == true {
            id = ResourceDraft.ID(
                type: schemas.flat(items?.element ?? document.root).kind == "integer" ? "integer" : "string")
        } else if let parameter {
            id = finder.find(in: nil, by: parameter, called: word)
        }
        guard var id else { return .failure(CatalogMessage("\(path.text): no property can be the id of an item")) }
        var parents = OpenAPIParents(schemas: schemas)
        parents.add(get, but: last)
        parents.add(list, but: nil)
        var draft = ResourceDraft(api: api, id: id, fields: [])
        draft.comments = [pair.list, pair.get].compactMap { $0.map { "GET \($0.path.text)\(Self.summary($0))" } }
        if pair.isDeprecated { draft.comments.append("deprecated") }
        var isComplete = true
        if let schema {
            let (type, depth) = schemas.type(of: schema)
            var fields = type
            if let items, !items.areIDs, item != nil, items.element.offset != schema.offset {
                let listed = schemas.type(of: items.element).type
                isComplete = Self.merge(listed, over: &fields)
                if isComplete || finder.find(in: items.element, by: parameter, called: word) != nil {
                    listedID(&id, items.element, finder, parameter, word)
                } else if !schemas.flat(items.element).properties.isEmpty {
                    remarks.append("the items of '\(list?.path.text ?? "")' have no id according to the document")
                    list = nil
                }
            }
            draft.id = id
            draft.fields = fields.fields
            if depth < OpenAPISchemas.maxDepth {
                draft.fieldsNote = "there are many fields: objects are read to a depth of \(depth)"
            }
        }
        if let get {
            let names = parents.names.merging([last ?? "": "id"]) { _, id in id }
            draft.get = getLines(get, names, item.map { ($0.path, $0.note) }, &parents, &remarks)
        }
        if let list { draft.list = listLines(list, parents, items, isComplete: isComplete, draft, &remarks) }
        guard draft.get != nil || draft.list != nil else {
            return .failure(CatalogMessage("\(path.text): \(remarks.joined(separator: "; "))"))
        }
        draft.scope = parents.scope
        draft.remarks = remarks
        return .success(draft)
    }

    /// Merges the types of list items into the types of an item's fields. Returns false if list items lack some of
    /// these fields.
    private static func merge(_ listed: DraftType, over fields: inout DraftType) -> Bool {
        guard case .object(let own) = fields.shape else { return true }
        guard case .object(let others) = listed.shape else { return false }
        let known = Dictionary(others.map { ($0.name, $0.type) }) { first, _ in first }
        var isComplete = true
        fields.shape = .object(
            own.map { field in
                guard let other = known[field.name] else {
                    isComplete = false
                    return field
                }
                return DraftField(name: field.name, type: field.type.merged(with: other))
            })
        return isComplete
    }

    /// Sets the selector of the id in list items, if it differs from the selector in an item from `get`.
    private func listedID(
        _ id: inout ResourceDraft.ID, _ element: JSONView, _ finder: OpenAPIID, _ parameter: OpenAPIID.Parameter?,
        _ word: String
    ) {
        let flat = schemas.flat(element)
        guard let first = id.from.first, flat.property(first) == nil, !flat.properties.isEmpty,
            let found = finder.find(in: element, by: parameter, called: word), found.from != id.from
        else { return }
        id.listed = found.from
    }

    private func kind(of name: String, in operation: OpenAPIOperation?) -> String? {
        operation?.parameter(name, in: "path")?.schema.flatMap { schemas.flat($0).kind }
    }

    private static func summary(_ operation: OpenAPIOperation) -> String {
        operation.view["summary"]?.string(atMost: 400).map { ": \($0.prefix(100))" } ?? ""
    }

    // MARK: Operations

    private func getLines(
        _ get: OpenAPIOperation, _ names: [String: String], _ item: (path: [String], note: String?)?,
        _ parents: inout OpenAPIParents, _ remarks: inout [String]
    ) -> [DraftLine] {
        let parameters = OpenAPIParameters(document: document, schemas: schemas)
        let constants = parameters.constants(get)
        remarks += constants.remarks
        var query = constants.query
        for parameter in parameters.missing(in: get) {
            let name = parents.add(parameter)
            query.append(.text(parameter.name, "{\(name)}", note: "required"))
        }
        var lines: [DraftLine] = [.text("path", get.path.renamed(names))]
        if !query.isEmpty { lines.append(.member("query", .object(query))) }
        if !constants.headers.isEmpty { lines.append(.member("headers", .object(constants.headers))) }
        if let item, !item.path.isEmpty { lines.append(.member("item", .selector(item.path), note: item.note)) }
        return lines
    }

    private func listLines(
        _ list: OpenAPIOperation, _ parents: OpenAPIParents, _ items: OpenAPIAnswers.Items?, isComplete: Bool,
        _ draft: ResourceDraft, _ remarks: inout [String]
    ) -> [DraftLine] {
        var lines: [DraftLine] = [.text("path", list.path.renamed(parents.names))]
        let scalars = list.answer.map { answers.scalars(in: $0, besides: items?.path ?? []) } ?? []
        let pages = OpenAPIPagination(document: document, operation: list, scalars: scalars).draft()
        let asked = parents.asked.filter { name, _ in
            list.parameter(name, in: "query") != nil
        }
        let taken = pages.parameters.union(asked.keys)
        let sent = OpenAPIParameters(document: document, schemas: schemas).draft(list, besides: taken)
        let query =
            sent.query + asked.sorted { $0.key < $1.key }.map { .text($0.key, "{\($0.value)}", note: "required") }
        if !query.isEmpty { lines.append(.member("query", .object(query))) }
        if !sent.headers.isEmpty { lines.append(.member("headers", .object(sent.headers))) }
        if let path = pages.items ?? items?.path {
            if !path.isEmpty {
                lines.append(.member("items", .selector(path), note: pages.items == nil ? items?.note : nil))
            }
        } else {
            lines.append(
                .comment("the document does not describe the answer; if it is not an array, add \"items\": \"...\""))
        }
        if items?.areIDs == true { lines.append(.text("of", "ids", note: "the answer is an array of single values")) }
        if !sent.filters.isEmpty { lines.append(.member("filters", .object(sent.filters))) }
        if !pages.lines.isEmpty {
            let declared = pages.lines.map { line -> DraftLine in
                // The selector of the last item's id is that of the id.
                guard case .member("next", .object(let inner), let note) = line, inner == [.text("last", "id")] else {
                    return line
                }
                let steps = draft.id.listed ?? draft.id.from
                return .member("next", .object([.member("last", .selector(steps))]), note: note)
            }
            lines.append(.member("pagination", .object(declared), note: pages.note))
        } else {
            lines.append(.comment("no pagination was found: the answer is taken for the whole list"))
        }
        if !isComplete { lines.append(.flag("complete", false, note: "the items of the list lack some of the fields")) }
        remarks += pages.remarks + sent.remarks
        return lines
    }
}
