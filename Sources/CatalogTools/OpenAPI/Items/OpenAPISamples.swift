import JSON
import Model
import System

/// Requests sample answers from an API and adds them to its OpenAPI document as examples.
struct OpenAPISamples {
    /// The limits for the sample requests: the number of requests, the number of failures before the first answer, and
    /// the size of an answer in bytes.
    private static let (maxRequests, maxFailures, maxSize) = (24, 3, 4 << 20)
    /// The timeouts in milliseconds: for one request, and for all requests together.
    private static let (timeout, maxWait) = (5_000, 20_000)

    /// An operation for which a sample answer is requested.
    private struct Target {
        let path: String
        /// The path of the list whose answer provides the id for the request. Nil if the operation itself is a list.
        var list: String?
        /// The path of the items in the answer according to the document; nil if the document does not describe the
        /// answer.
        var items: [String]?
    }

    private let base: String
    private let reader: DocumentReader
    private var answers: [String: JSONDocument] = [:]
    private var requests = 0
    private var failures = 0
    private let deadline = Monotonic.milliseconds + Self.maxWait

    /// Requests answers from the API. Returns the document with these answers added, and the paths of the answered
    /// requests.
    ///
    /// - Parameters:
    ///   - url: the URL of the document. All requests go to its origin.
    ///   - reader: sends the requests, with the header fields of the user.
    static func added(
        to document: JSONDocument, at url: String, _ reader: DocumentReader
    ) async -> (document: JSONDocument, paths: [String]) {
        let found = document.withRoot { targets(OpenAPIDocument($0, url: url)) }
        guard let (base, targets) = found, URLReference(base)?.origin == URLReference(url)?.origin else {
            return (document, [])
        }
        var samples = OpenAPISamples(base: base, reader: reader)
        for target in targets { await samples.request(target) }
        let answers = samples.answers
        guard !answers.isEmpty, let bytes = document.withRoot({ written($0, answers) }),
            let whole = try? JSONDocument(bytes)
        else { return (document, []) }
        return (whole, answers.keys.sorted())
    }

    private init(base: String, reader: DocumentReader) { (self.base, self.reader) = (base, reader) }

    // MARK: Operations without a readable answer

    /// Returns the base URL and the operations to request: lists whose answers the document does not describe, and the
    /// `get` operations for their items. If references in the document cannot be followed, described lists are
    /// requested too. Nil if the document describes all lists, or if the base URL is unknown.
    private static func targets(_ document: OpenAPIDocument) -> (base: String, targets: [Target])? {
        guard let paths = document.root["paths"], paths.kind == .object,
            let base = OpenAPIAccess(document: document).knownURL
        else { return nil }
        let schemas = OpenAPISchemas(document)
        let answers = OpenAPIAnswers(document: document, schemas: schemas)
        let check = OpenAPIReferenceCheck(document: document, schemas: schemas, answers: answers)
        var (lists, gets, described) = ([Target](), [OpenAPIPath](), [Target]())
        var hasFault = false
        for member in paths.members {
            guard let text = member.key.string, let path = OpenAPIPath(text), path.text == text,
                let view = member.value["get"], view.kind == .object, view["$ref"] == nil
            else { continue }
            let operation = OpenAPIOperation(path: path, item: member.value, view: view, document: document)
            let fault = check.fault(ofList: operation)
            hasFault = hasFault || fault != nil
            if schemas.isExhausted { break }
            guard !operation.hasNoContent, !needsMore(operation) else { continue }
            if let answer = operation.answer, fault == nil {
                let items = answers.items(in: answer, of: path.words.first ?? "")
                if let items, path.parameters.isEmpty { described.append(Target(path: text, items: items.path)) }
            } else if path.parameters.isEmpty {
                lists.append(Target(path: text))
            } else if path.parameters.count == 1, path.collection != nil {
                gets.append(path)
            }
        }
        guard !lists.isEmpty else { return nil }
        let known = Set(lists.map(\.path))
        let items = gets.compactMap { path -> Target? in
            let list = known.first { $0.split(separator: "/").joined(separator: "/") == path.collection }
            return list.map { Target(path: path.text, list: $0) }
        }
        // If references cannot be followed, described answers are requested, too: such a document often describes
        // another server.
        return (base, lists + items + (hasFault ? described : []))
    }

    /// Whether an operation has a required query parameter without a default value.
    private static func needsMore(_ operation: OpenAPIOperation) -> Bool {
        operation.parameters.contains { $0.place == "query" && $0.isRequired && $0.schema?["default"] == nil }
    }

    // MARK: Requests

    private mutating func request(_ target: Target) async {
        let left = deadline - Monotonic.milliseconds
        guard requests < Self.maxRequests, left > 0,
            failures < Self.maxFailures || !answers.isEmpty
        else { return }
        var path = target.path
        if let list = target.list {
            guard let id = answers[list].flatMap({ $0.withRoot { Self.id($0, in: target.path) } }) else { return }
            path =
                target.path.prefix { $0 != "{" } + PercentEncoding.encode(id)
                + target.path.drop { $0 != "}" }.dropFirst()
        }
        requests += 1
        let timeout = min(Self.timeout, left)
        guard let read = try? await reader.attempt(base + path, within: timeout, atMost: Self.maxSize),
            let answer = try? JSONDocument(read.bytes), !DocumentFinder.isDescription(read.bytes)
        else {
            failures += 1
            return
        }
        if let items = target.items {
            // The answer has the described items, so the description is kept.
            let selector = items.isEmpty ? .whole : JSONSelector(steps: items)
            if answer.withRoot({ selector?.select(in: $0)?.kind == .array }) { return }
        }
        answers[target.path] = answer
    }

    /// Returns the id of the first item in a list's answer; nil if the item contains no value that looks like an id.
    private static func id(_ root: JSONView, in path: String) -> String? {
        let arrays = root.kind == .array ? [root] : root.members.map { $0.value }.filter { $0.kind == .array }
        let items = arrays.compactMap { $0.elements.first { _ in true } }.filter { $0.kind == .object }
        let parameter = OpenAPIPath(path)?.parameters.last.map(DraftNames.normalized) ?? ""
        for item in items {
            for name in [parameter, "id", "uuid", "name", "key"] {
                let value = item.members.first { DraftNames.normalized($0.key.string ?? "") == name }?.value
                guard let value, [.string, .number].contains(value.kind) else { continue }
                let text = JSONValue(value).plainText
                if !text.isEmpty, text.utf8.count <= 200 { return text }
            }
        }
        return nil
    }

    // MARK: The document

    /// Returns the text of the document. Received answers replace the `responses` of their operations in this text.
    private static func written(_ root: JSONView, _ answers: [String: JSONDocument]) -> [UInt8]? {
        var writer = JSONWriter()
        copy(root, to: &writer) { key, paths, writer in
            guard key.isString("paths"), paths.kind == .object else { return false }
            copy(paths, to: &writer) { path, item, writer in
                guard let answer = path.string.flatMap({ answers[$0] }) else { return false }
                copy(item, to: &writer) { method, operation, writer in
                    guard method.isString("get") else { return false }
                    copy(operation, to: &writer) { key, _, writer in
                        guard key.isString("responses") else { return false }
                        write(answer, to: &writer)
                        return true
                    }
                    return true
                }
                return true
            }
            return true
        }
        return writer.bytes
    }

    /// Writes a copy of an object. For each member, `replace` may write a different value and return true. If it
    /// returns false, the original value is written.
    private static func copy(
        _ object: JSONView, to writer: inout JSONWriter,
        _ replace: (JSONView, JSONView, inout JSONWriter) -> Bool
    ) {
        writer.beginObject()
        for member in object.members {
            writer.key(member.key)
            if !replace(member.key, member.value, &writer) { writer.value(member.value) }
        }
        writer.endObject()
    }

    private static func write(_ answer: JSONDocument, to writer: inout JSONWriter) {
        for key in ["200", "content", "application/json", "example"] {
            writer.beginObject()
            writer.key(text: key)
        }
        answer.withRoot { writer.value($0) }
        for _ in 0..<4 { writer.endObject() }
    }
}
