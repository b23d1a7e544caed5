import Catalog
import JSON
import System

/// Drafts resources from the paths of an OpenAPI document. The path of a collection and the path of its items form one
/// resource. A resource can also consist of only one of these paths.
struct OpenAPIResources {
    private let document: OpenAPIDocument
    private let schemas: OpenAPISchemas
    private let answers: OpenAPIAnswers
    private let lines: OpenAPIOperationLines
    private let api: String

    /// A path from which no resource was drafted.
    struct LeftPath {
        let path: String
        let reason: String
        var text: String { "\(path): \(reason)" }
    }

    /// The drafted resources of a document.
    struct Drafts {
        var resources: [ResourceDraft] = []
        var left: [LeftPath] = []
        /// The number of operations that were left out because references in the document cannot be followed.
        var unreadCount = 0
        /// Whether the document describes the answer of at least one operation.
        var isDescribed = true
        /// Whether the drafts leave out nested fields.
        var isCompact = false
    }

    init(_ document: OpenAPIDocument, api: String) {
        self.document = document
        self.api = api
        schemas = OpenAPISchemas(document)
        answers = OpenAPIAnswers(document: document, schemas: schemas)
        lines = OpenAPIOperationLines(document: document, schemas: schemas)
    }

    /// Returns the drafted resources in the order of the document.
    func drafts() -> Drafts {
        var drafts = Drafts()
        let listings = OpenAPIPairs(document, schemas: schemas, answers: answers)
        let pairs = listings.pairs(&drafts)
        drafts.isDescribed = listings.listings.isAnyDescribed
        var made: [(order: Int, rank: Int, draft: ResourceDraft, words: [String])] = []
        let check = OpenAPIReferenceCheck(document: document, schemas: schemas, answers: answers)
        for (order, whole) in pairs.enumerated() {
            var pair = whole
            let faults = check.remove(&pair.list, &pair.get)
            drafts.unreadCount += faults.count
            guard let path = pair.path?.text else {
                drafts.left += faults
                continue
            }
            if schemas.isExhausted {
                drafts.left.append(
                    LeftPath(
                        path: path,
                        reason:
                            "not read: the document's schemas contain too many references; use --only to draft fewer"
                            + " resources"
                    ))
                continue
            }
            switch draft(pair, listings.listings) {
            case .success(var draft):
                draft.remarks += faults.map(\.text) + OpenAPIReferenceCheck.parameterFaults(pair.list, pair.get)
                made.append((order, pair.rank, draft, pair.words))
            case .failure(let reason): drafts.left += [LeftPath(path: path, reason: reason.message)] + faults
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
        let posts = pairs.compactMap(\.list).filter(\.isPost).map(\.path.text)
        drafts.left += postOnlyPaths(but: Set(posts + drafts.left.map(\.path)))
        return drafts
    }

    /// Returns comments on paths that have a `post` but no `get`. The user can declare such a `post` if it only reads
    /// data.
    ///
    /// - Parameter known: the paths that are drafted, or have another comment.
    private func postOnlyPaths(but known: Set<String>) -> [LeftPath] {
        (document.root["paths"]?.members.map { $0 } ?? []).compactMap { member in
            let path = member.key.string ?? ""
            guard let item = document.resolve(member.value), item["post"]?.kind == .object,
                item["get"]?.kind != .object, !known.contains(path)
            else { return nil }
            return LeftPath(
                path: path,
                reason: "has only a POST operation; if it does not change data, declare it with \"method\": \"POST\"")
        }
    }

    // MARK: One resource

    private func draft(_ pair: OpenAPIPair, _ listings: OpenAPIListings) -> Result<ResourceDraft, CatalogMessage> {
        guard let path = pair.path else { return .failure("") }
        let word = DraftNames.singular(pair.words.first { !ResourceNames.isVersion($0) } ?? "item")
        let listing = pair.list.flatMap { listings.of($0) }
        let items = listing?.items
        let element = items?.areIDs == false ? items?.element : nil
        let item = pair.get.flatMap { get in
            get.answer.flatMap { answers.item(in: $0, called: [word], like: element) }
        }
        var remarks: [String] = []
        var (list, get) = (pair.list, pair.get)
        if let operation = list, items == nil, operation.answer != nil || get == nil {
            remarks.append(
                "'\(operation.path.text)' is left out: according to the document, it does not return a list")
            list = nil
        }
        if let operation = get, item == nil, operation.answer != nil {
            remarks.append(
                "'\(operation.path.text)' is left out: according to the document, it does not return an item")
            get = nil
        }
        guard list != nil || get != nil else {
            return .failure(
                CatalogMessage("\(pair.get == nil ? "not a list" : "not an item") according to the document"))
        }
        let last = get?.path.parameters.last
        let parameter = last.map { name in
            OpenAPIID.Parameter(
                name: name, kind: kind(of: name, in: get), hasSlash: get?.path.hasSlashAtEnd == true)
        }
        let finder = OpenAPIID(schemas: schemas)
        let schema = item?.schema ?? (items?.areIDs == true ? nil : items?.element)
        // A Kubernetes object without a namespace has only a name.
        let isUnbound = get == nil && list.map { listings.isClusterScoped($0) } == true
        let above = path.parameters.filter { $0 != last } + (isUnbound ? ["namespace"] : [])
        var id: ResourceDraft.ID?
        if let schema {
            id = finder.find(in: schema, by: parameter, called: word, scope: above)
        } else if items?.areIDs == true {
            id = ResourceDraft.ID(
                type: schemas.flat(items?.element ?? document.root).kind == "integer" ? "integer" : "string")
        } else if let parameter {
            id = finder.find(in: nil, by: parameter, called: word)
        }
        if id == nil, pair.list != nil, items != nil {
            // Without an id, Larder cannot request a single item.
            if let get {
                remarks.append("'\(get.path.text)' is left out: no property of the item can be its id")
                return draft(OpenAPIPair(list: pair.list), listings).map { draft in
                    var draft = draft
                    draft.remarks += remarks
                    return draft
                }
            }
            id = OpenAPIIDGuess.hash
        }
        guard var id else { return .failure("no property of the item can be its id") }
        var parents = OpenAPIParents(schemas: schemas)
        parents.add(get, but: last)
        parents.add(list, but: nil)
        var draft = ResourceDraft(api: api, id: id, fields: [])
        draft.paths = [pair.list, pair.get].compactMap { $0?.path.text }
        draft.tags = [pair.list, pair.get].flatMap { $0?.view["tags"]?.elements.compactMap { $0.string } ?? [] }
        draft.comments = [pair.list, pair.get].compactMap {
            $0.map { "\($0.method) \($0.path.text)\(Self.summary($0))" }
        }
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
                    remarks.append(
                        "the list '\(list?.path.text ?? "")' is left out: its items have no id in the document")
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
            draft.get = lines.get(get, names, item.map { ($0.path, $0.note) }, &parents, &remarks)
        }
        if let list, let ids = OpenAPIManyIDs(list) {
            draft.many = lines.many(list, ids, parents, items, &remarks)
        } else if let list, let listing {
            draft.list = lines.list(
                list, parents, listing, isAnyDescribed: listings.isAnyDescribed, isComplete: isComplete, draft, &remarks
            )
        }
        guard draft.get != nil || draft.list != nil || draft.many != nil else {
            return .failure(CatalogMessage(remarks.joined(separator: "; ")))
        }
        draft.scope = parents.scope
        draft.remarks = remarks
        return .success(draft)
    }

    /// Merges the field types of list items into the field types of a single item. Returns false if list items lack
    /// some of the fields.
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

    /// Sets the path of the id in list items. Does nothing if the path is the same as in a single item.
    private func listedID(
        _ id: inout ResourceDraft.ID, _ element: JSONView, _ finder: OpenAPIID, _ parameter: OpenAPIID.Parameter?,
        _ word: String
    ) {
        let flat = schemas.flat(element)
        guard let first = id.from.first, flat.property(first) == nil, !flat.properties.isEmpty,
            let found = finder.find(in: element, by: parameter, called: word), found.from != id.from
        else { return }
        if id.type == "integer", let link = finder.number(in: element, by: parameter, instead: found) {
            (id.listed, id.match, id.note) = (link.from, link.match, link.note)
            return
        }
        id.listed = found.from
    }

    private func kind(of name: String, in operation: OpenAPIOperation?) -> String? {
        operation?.parameter(name, in: "path")?.schema.flatMap { schemas.flat($0).kind }
    }

    private static func summary(_ operation: OpenAPIOperation) -> String {
        operation.view["summary"]?.string(atMost: 400).map { ": \($0.prefix(100))" } ?? ""
    }
}
