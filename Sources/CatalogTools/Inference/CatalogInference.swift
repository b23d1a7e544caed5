import Catalog
import HTTP
import JSON
import Model
import System

/// Drafts a catalog from one answer of an API, each guess with its reason beside it.
public struct CatalogInference: Sendable {
    private let client: any HTTPClientContract
    private let explain: @Sendable (HTTPError, Redactor) -> String
    private let secrets: SecretSource
    private let hidden: [String]

    /// - Parameters:
    ///   - client: what asks the API.
    ///   - explain: returns the message of an error, without the secrets that the redactor knows.
    ///   - secrets: what stands for `${env:NAME}` in header fields.
    ///   - hidden: other texts that nobody may see.
    public init(
        client: any HTTPClientContract, explain: @escaping @Sendable (HTTPError, Redactor) -> String,
        secrets: SecretSource, hidden: [String] = []
    ) {
        self.client = client
        self.explain = explain
        self.secrets = secrets
        self.hidden = hidden
    }

    /// The text of a catalog with the resource that a URL answers with. It holds no secret.
    ///
    /// - Parameters:
    ///   - address: the whole URL; of GraphQL, the endpoint's.
    ///   - headers: what is sent beside, as `Name: value`.
    ///   - type: the type of a GraphQL schema whose items are wanted; nil for REST.
    public func draft(
        _ address: String, headers texts: [String] = [], graphQL type: String? = nil
    ) async throws(CatalogDraftError) -> String {
        let url = try InferredURL(address)
        let headers = try InferredHeaders(texts, secrets: secrets)
        let redactor = Redactor(secrets: headers.secrets + url.secretValues + hidden)
        var request = HTTPRequest(url: address, headers: [HTTPHeader("Accept", "application/json")])
        request.url = String(address.prefix { $0 != "#" })
        request.credentials = headers.fields
        if type != nil {
            request.method = .post
            request.isRepeatable = true
            request.headers.append(HTTPHeader("Content-Type", "application/json"))
            request.body = Array(JSONValue.object(JSONObject([("query", .string(GraphQLSchema.query))])).text.utf8)
        }
        request.headers.removeAll { header in headers.fields.contains { $0.isNamed(header.name) } }
        let response = try await send(request, redactor)
        let api = DraftNames.api(url: url.origin) ?? "api"
        let names = SecretNames(url: url.origin)
        let access: [DraftLine] = [.text("baseURL", url.origin)] + headers.lines(of: url, names)
        let document: JSONDocument
        do throws(JSONFault) {
            document = try response.json()
        } catch {
            throw CatalogDraftError("the answer is not JSON: \(error.description(in: response.body))")
        }
        let draft = try document.withRoot { (root) throws(CatalogDraftError) in
            if let type { return try GraphQLDraft(api: api, url: url, type: type).draft(root, redactor) }
            return try resource(root, response, url, api: api)
        }
        let text = redactor.redact(
            DraftPrinter.text(
                [
                    .member("larder", .json(1)), .member("apis", .object([.member(api, .object(access))])),
                    .member("resources", .object(draft.lines)),
                ], under: Self.header))
        if let fault = CatalogDraft.faults(in: text).first {
            // Without what was left out the fault alone would not be understood.
            let reason = draft.hasReferences ? DraftReferences.reason : fault
            throw CatalogDraftError("no catalog can be made of the answer: \(reason)")
        }
        return text
    }

    private static let header = [
        "Drafted by 'larder catalog infer' from one answer: a whole catalog, of which the resource may go into another"
            + " one. What other answers hold is not known."
    ]

    private func send(_ request: HTTPRequest, _ redactor: Redactor) async throws(CatalogDraftError) -> HTTPResponse {
        let response: HTTPResponse
        do throws(HTTPError) {
            response = try await client.send(request)
            guard (200...299).contains(response.status) else { throw .status(response) }
            guard !response.body.isEmpty else { throw .emptyBody(response) }
        } catch {
            throw CatalogDraftError(redactor.redact(explain(error, redactor)))
        }
        return response
    }

    private func resource(
        _ root: JSONView, _ response: HTTPResponse, _ url: InferredURL, api: String
    ) throws(CatalogDraftError) -> ResourceDraft {
        let words = url.words.filter { $0.first?.isNumber != true }
        let named =
            words.compactMap { word in
                DraftNames.resource(DraftNames.singular(word.hasSuffix(".json") ? String(word.dropLast(5)) : word))
            }.first ?? "item"
        guard let items = InferredItems(in: root, of: url) else { return try item(root, url, api: api) }
        guard items.areIDs || items.views.allSatisfy({ $0.kind == .object }) else {
            throw CatalogDraftError("the elements of the answer are no objects: there are no items")
        }
        let finder = InferredID(items: items)
        let id = finder.find()
        let type = items.areIDs ? DraftType(.any) : InferredTypes().type(of: items.views)
        var draft = ResourceDraft(name: named, api: api, id: id, fields: type.fields)
        draft.comments = ["GET \(url.path): \(items.views.count) items came"]
        var list: [DraftLine] = [.text("path", url.declaredPath)]
        let pages = InferredPagination(root: root, items: items, headers: response.headers, url: url).draft()
        let query = constants(url, besides: pages.parameters)
        if !query.isEmpty {
            list.append(.member("query", .object(query), note: "as in the URL; what changes is better a filter"))
        }
        if !items.path.isEmpty { list.append(.member("items", .selector(items.path), note: items.note)) }
        if items.areIDs { list.append(.text("of", "ids", note: "single values came")) }
        if case .comment? = pages.lines.first {
            list += pages.lines
        } else {
            list.append(.member("pagination", .object(pages.lines), note: pages.note))
        }
        draft.list = list
        if let get = finder.path(of: id, at: url) {
            draft.get = [.text("path", get.path, note: get.why)]
        } else {
            let path = url.declaredPath.hasSuffix("/") ? url.declaredPath + "{id}/" : url.declaredPath + "/{id}"
            draft.remarks.append("the path of one item is not known; often it is \"get\": {\"path\": \"\(path)\"}")
        }
        return draft
    }

    /// The resource of an answer that is one item.
    private func item(_ root: JSONView, _ url: InferredURL, api: String) throws(CatalogDraftError) -> ResourceDraft {
        guard root.kind == .object else { throw CatalogDraftError("the answer is neither an object nor an array") }
        var (view, path) = (root, [String]())
        let members = root.members.map { $0 }
        if members.count == 1, let only = members.first, only.value.kind == .object, let key = only.key.string,
            InferredItems.isStep(key)
        {
            (view, path) = (only.value, [key])
        }
        var items = InferredItems()
        items.views = [view]
        let last = url.words.first ?? ""
        var id = InferredID(items: items).find()
        let plain = last.hasSuffix(".json") ? String(last.dropLast(5)) : last
        let same = view.members.first { member in
            ["id", "number", "key", "slug", "name", "login", "sha", "uuid", "code"].contains(
                DraftNames.plain(member.key.string ?? ""))
                && InferredItems.isStep(member.key.string ?? "")
                && JSONValue(member.value).plainText == plain
        }
        if let same {
            id = ResourceDraft.ID(
                type: same.value.integer == nil ? "string" : "integer", from: [same.key.string ?? "id"],
                note: "as in the URL")
        }
        let words = url.words.dropFirst(same == nil ? 0 : 1)
        let name = words.compactMap { DraftNames.resource(DraftNames.singular($0)) }.first ?? "item"
        var draft = ResourceDraft(name: name, api: api, id: id, fields: InferredTypes().type(of: [view]).fields)
        draft.comments = ["GET \(url.path): one item came"]
        var steps = url.declaredPath.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let index = steps.last == "" ? steps.count - 2 : steps.count - 1
        var get: [DraftLine] = []
        if same != nil, index > 0 {
            steps[index] = steps[index].hasSuffix(".json") ? "{id}.json" : "{id}"
            get.append(.text("path", steps.joined(separator: "/"), note: "'\(last)' is the item's '\(id.from[0])'"))
        } else {
            get.append(.text("path", url.declaredPath, note: "where the id goes is not known: write {id} there"))
        }
        let query = constants(url, besides: [])
        if !query.isEmpty { get.append(.member("query", .object(query), note: "as in the URL")) }
        if !path.isEmpty { get.append(.member("item", .selector(path))) }
        draft.get = get
        draft.remarks.append("the list of such items is not known: ask for it by its own URL")
        return draft
    }

    private func constants(_ url: InferredURL, besides taken: Set<String>) -> [DraftLine] {
        var lines: [DraftLine] = []
        var names: [String] = []
        for (name, _) in url.open where !taken.contains(name) && !names.contains(name) { names.append(name) }
        for name in names {
            let values = url.open.filter { $0.name == name }.map { DraftValue.text($0.value) }
            lines.append(.member(name, values.count == 1 ? values[0] : .array(values)))
        }
        return lines
    }
}
