import Catalog
import HTTP
import JSON
import Model
import System

/// Drafts a catalog from a single answer of an API. Comments in the draft explain each guess.
public struct CatalogInference: Sendable {
    private let client: any HTTPClientContract
    private let explain: @Sendable (HTTPError, Redactor) -> String
    private let secrets: SecretSource
    private let hidden: [String]

    /// Creates an object that infers draft catalogs from answers.
    ///
    /// - Parameters:
    ///   - client: the client that sends the request.
    ///   - explain: returns the message of an error, redacted with the given redactor.
    ///   - secrets: the source of secrets for `${env:NAME}` in header fields.
    ///   - hidden: further strings that must not appear in the draft.
    public init(
        client: any HTTPClientContract, explain: @escaping @Sendable (HTTPError, Redactor) -> String,
        secrets: SecretSource, hidden: [String] = []
    ) {
        self.client = client
        self.explain = explain
        self.secrets = secrets
        self.hidden = hidden
    }

    /// Requests a URL and returns the text of a draft catalog. The draft declares the resource in the answer, and
    /// contains no secrets. If the answer is a list, sends another request to find the URL of a single item.
    ///
    /// ```swift
    /// let draft = try await inference.draft("https://api.example/things?page=1")
    /// ```
    ///
    /// - Parameters:
    ///   - address: the complete URL. For GraphQL, the URL of the endpoint.
    ///   - texts: the header fields to send, each as `Name: value`.
    ///   - choice: the types to draft from the GraphQL schema; nil for REST.
    /// - Throws: `CatalogDraftError` if the request fails or no catalog can be drafted from the answer.
    public func draft(
        _ address: String, headers texts: [String] = [], graphQL choice: GraphQLChoice? = nil
    ) async throws(CatalogDraftError) -> String {
        let headers = try InferredHeaders(texts, secrets: secrets)
        let answer = try await answer(address, headers, graphQL: choice)
        guard choice == nil, let guess = ItemGuess(list: answer, at: address) else {
            return try Self.draft([answer], headers, graphQL: choice, redactor([answer], headers))
        }
        var answers = [answer]
        if let item = try? await self.answer(guess.address, headers, graphQL: nil), guess.isItem(item, of: answer) {
            answers.append(item)
        }
        return try Self.draft(answers, headers, graphQL: nil, redactor(answers, headers), tried: guess)
    }

    /// Drafts a catalog with one resource from two answers: a list, and one item of this list. Returns the text of the
    /// catalog.
    ///
    /// - Parameters:
    ///   - list: the location of the list: a URL, or a saved answer.
    ///   - item: the location of the item: a URL, or a saved answer.
    ///   - texts: the header fields to send, each as `Name: value`.
    /// - Throws: `CatalogDraftError` if an answer cannot be read, or no resource can be drafted from the two answers.
    public func draft(
        list: DocumentLocation, item: DocumentLocation, headers texts: [String] = []
    ) async throws(CatalogDraftError) -> String {
        let headers = try InferredHeaders(texts, secrets: secrets)
        if let one = list.origin, let other = item.origin, one != other {
            throw CatalogDraftError(
                "the list and the item have different origins: run 'larder catalog infer' for each of them")
        }
        var answers: [InferredAnswer] = []
        for location in [list, item] {
            if let address = location.address {
                answers.append(try await answer(address, headers, graphQL: nil))
            } else {
                answers.append(InferredAnswer(try await DocumentReader().read(location)))
            }
        }
        return try Self.draft(answers, headers, graphQL: nil, redactor(answers, headers))
    }

    /// Drafts a catalog with one resource, which is inferred from a saved answer. Returns the text of the catalog.
    ///
    /// The draft uses a variable for the URL of the API. The path of the resource is a guess from the name of the file.
    ///
    /// - Parameters:
    ///   - answer: the answer; for GraphQL, the answer to the introspection query.
    ///   - choice: the types to draft from the GraphQL schema; nil for REST.
    /// - Throws: `CatalogDraftError` if no catalog can be drafted from the answer.
    public static func draft(_ answer: ReadDocument, graphQL choice: GraphQLChoice? = nil) throws(CatalogDraftError)
        -> String
    {
        let url = choice == nil ? InferredURL(answerAt: answer.location) : InferredURL(openPath: "/graphql")
        let headers = try InferredHeaders([], secrets: .empty)
        return try draft(
            [InferredAnswer(url: url, response: HTTPResponse(status: 200, body: answer.bytes))], headers,
            graphQL: choice,
            Redactor(secrets: []))
    }

    private func redactor(_ answers: [InferredAnswer], _ headers: InferredHeaders) -> Redactor {
        Redactor(secrets: headers.secrets + answers.flatMap(\.url.secretValues) + hidden)
    }

    private func answer(
        _ address: String, _ headers: InferredHeaders, graphQL choice: GraphQLChoice?
    ) async throws(CatalogDraftError) -> InferredAnswer {
        let url = try InferredURL(address)
        var request = HTTPRequest(url: address, headers: [HTTPHeader("Accept", "application/json")])
        request.url = String(address.prefix { $0 != "#" })
        request.credentials = headers.fields
        if choice != nil {
            request.method = .post
            request.isRepeatable = true
            request.headers.append(HTTPHeader("Content-Type", "application/json"))
            request.body = Array(JSONValue.object(JSONObject([("query", .string(GraphQLSchema.query))])).text.utf8)
        }
        request.headers.removeAll { header in headers.fields.contains { $0.isNamed(header.name) } }
        let redactor = Redactor(secrets: headers.secrets + url.secretValues + hidden)
        return InferredAnswer(url: url, response: try await send(request, redactor))
    }

    /// Returns the text of a draft catalog.
    ///
    /// - Parameters:
    ///   - answers: a single answer, or two answers: first a list, then one item of this list.
    ///   - guess: the URL that was tried for an item of the list; nil if none was tried.
    private static func draft(
        _ answers: [InferredAnswer], _ headers: InferredHeaders, graphQL choice: GraphQLChoice?, _ redactor: Redactor,
        tried guess: ItemGuess? = nil
    ) throws(CatalogDraftError) -> String {
        // Without an answer from a URL, the URL of the API stays unknown.
        let url = (answers.first { !$0.url.isOpen } ?? answers[0]).url
        let api = DraftNames.api(url: url.origin) ?? "api"
        var table: String?
        let drafts = try answers[0].document().withRoot { (root) throws(CatalogDraftError) -> [ResourceDraft] in
            if let choice {
                let draft = try GraphQLDraft(api: api, url: url, root, redactor)
                guard case .types(let types) = choice else {
                    table = redactor.redact(try draft.table())
                    return []
                }
                return try draft.drafts(types)
            }
            let (response, url) = (answers[0].response, answers[0].url)
            guard answers.count > 1 else { return [try resource(root, response, url, api: api, tried: guess)] }
            let draft = try answers[1].document().withRoot { (item) throws(CatalogDraftError) in
                guard let items = InferredItems(in: root, of: url), !items.areIDs, items.keys.isEmpty else {
                    throw CatalogDraftError("the first answer is not a list of objects: write LIST before ITEM")
                }
                let draft = try resource(root, response, url, api: api)
                return try InferredPair(items: items, list: draft, listURL: url, itemURL: answers[1].url).draft(item)
            }
            return [draft]
        }
        if let table { return table }
        let note =
            url.isOpen ? "set --var \(InferredURL.openVariable)=https://...; check the path of the resource, too" : nil
        let access = [.text("baseURL", url.origin, note: note)] + headers.lines(of: url, SecretNames(url: url.origin))
        let text = redactor.redact(
            DraftPrinter.text(
                [
                    .member("larder", .json(1)), .member("apis", .object([.member(api, .object(access))])),
                    .member("resources", .object(drafts.flatMap(\.lines))),
                ], under: header))
        if let fault = CatalogDraft.faults(in: text).first {
            // The fault may be a consequence of a value that was left out. The reason for leaving it out is then more
            // useful.
            let reason = drafts.contains(where: \.hasReferences) ? DraftReferences.reason : fault
            throw CatalogDraftError("cannot draft a catalog from the answer: \(reason)")
        }
        return text
    }

    private static let header = [
        "Drafted by 'larder catalog infer' from answers of the API. This is a complete catalog; the resource can be copied"
            + " into another one. Other answers may contain more."
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

    private static func resource(
        _ root: JSONView, _ response: HTTPResponse, _ url: InferredURL, api: String, tried guess: ItemGuess? = nil
    ) throws(CatalogDraftError) -> ResourceDraft {
        let words = url.words.filter { $0.first?.isNumber != true }
        let named =
            words.compactMap { word in
                DraftNames.resource(DraftNames.singular(word.hasSuffix(".json") ? String(word.dropLast(5)) : word))
            }.first ?? "item"
        guard let items = InferredItems(in: root, of: url) else { return try item(root, url, api: api) }
        guard items.areIDs || items.views.allSatisfy({ $0.kind == .object }) else {
            throw CatalogDraftError("the answer contains no items: its elements are not objects; try another URL")
        }
        let finder = InferredID(items: items)
        let id = finder.find()
        let type = items.areIDs ? DraftType(.any) : InferredTypes().type(of: items.views)
        var draft = ResourceDraft(name: named, api: api, id: id, fields: type.fields)
        draft.comments = ["GET \(url.path): \(items.views.count) \(items.views.count == 1 ? "item" : "items")"]
        var list: [DraftLine] = [.text("path", url.declaredPath)]
        let pages = InferredPagination(root: root, items: items, headers: response.headers, url: url).draft()
        let query = constants(url, besides: pages.parameters)
        if !query.isEmpty {
            list.append(.member("query", .object(query), note: "from the URL; declare parameters that vary as filters"))
        }
        if !items.path.isEmpty { list.append(.member("items", .selector(items.path), note: items.note)) }
        if items.areIDs { list.append(.text("of", "ids", note: "the answer contains single values, not objects")) }
        if case .comment? = pages.lines.first {
            list += pages.lines
        } else {
            list.append(.member("pagination", .object(pages.lines), note: pages.note))
        }
        draft.list = list
        if let get = finder.path(of: id, at: url) {
            draft.get = [.text("path", get.path, note: get.why)]
        } else if let path = guess.flatMap({ try? InferredURL($0.address).path }) {
            draft.remarks.append("found no path for a single item: GET \(path) did not return this item; add 'get'")
        } else {
            let path = url.declaredPath.hasSuffix("/") ? url.declaredPath + "{id}/" : url.declaredPath + "/{id}"
            draft.remarks.append(
                "found no path for a single item; a guess: \"get\": {\"path\": \"\(path)\"}; check it")
        }
        return draft
    }

    /// Drafts the resource from an answer with a single item.
    private static func item(_ root: JSONView, _ url: InferredURL, api: String) throws(CatalogDraftError)
        -> ResourceDraft
    {
        guard root.kind == .object else {
            throw CatalogDraftError("the answer must be an object or an array; try another URL")
        }
        let (view, path) = InferredItems.wrapped(root)
        var items = InferredItems()
        items.views = [view]
        let last = url.words.first ?? ""
        var id = InferredID(items: items).find()
        let plain = last.hasSuffix(".json") ? String(last.dropLast(5)) : last
        let same = view.members.first { member in
            ["id", "number", "key", "slug", "name", "login", "sha", "uuid", "code"].contains(
                DraftNames.normalized(member.key.string ?? ""))
                && InferredItems.isStep(member.key.string ?? "")
                && JSONValue(member.value).plainText == plain
        }
        if let same {
            id = ResourceDraft.ID(
                type: same.value.integer == nil ? "string" : "integer", from: [same.key.string ?? "id"],
                note: "from the URL")
        }
        let words = url.words.dropFirst(same == nil ? 0 : 1)
        let name = words.compactMap { DraftNames.resource(DraftNames.singular($0)) }.first ?? "item"
        var draft = ResourceDraft(name: name, api: api, id: id, fields: InferredTypes().type(of: [view]).fields)
        draft.comments = ["GET \(url.path): one item"]
        var steps = url.declaredPath.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let index = steps.last == "" ? steps.count - 2 : steps.count - 1
        var get: [DraftLine] = []
        if same != nil, index > 0 {
            steps[index] = steps[index].hasSuffix(".json") ? "{id}.json" : "{id}"
            get.append(.text("path", steps.joined(separator: "/"), note: "'\(last)' is the item's '\(id.from[0])'"))
        } else {
            get.append(.text("path", url.declaredPath, note: "the place of the id is unknown: write {id} there"))
        }
        let query = constants(url, besides: [])
        if !query.isEmpty { get.append(.member("query", .object(query), note: "from the URL")) }
        if !path.isEmpty { get.append(.member("item", .selector(path))) }
        draft.get = get
        draft.remarks.append("the list of these items is unknown; run 'larder catalog infer' with its URL")
        return draft
    }

    static func constants(_ url: InferredURL, besides taken: Set<String>) -> [DraftLine] {
        var lines: [DraftLine] = []
        var names: [String] = []
        for (name, _) in url.publicParameters where !taken.contains(name) && !names.contains(name) {
            names.append(name)
        }
        for name in names {
            let values = url.publicParameters.filter { $0.name == name }.map { DraftValue.text($0.value) }
            lines.append(.member(name, values.count == 1 ? values[0] : .array(values)))
        }
        return lines
    }
}
