import Catalog
import JSON

/// Combines several documents into one: the first document, and all documents that it refers to, directly or
/// indirectly.
///
/// The other documents become members of `x-larder-documents`, with their indices as keys. References to the other
/// documents are rewritten to refer to these members.
struct DocumentBundle {
    /// A function that reads a document.
    typealias Reader = @Sendable (DocumentLocation) async -> Result<ReadDocument, CatalogDraftError>

    /// The key under which the combined document contains all documents except the first.
    static let member = "x-larder-documents"
    /// The maximum number of documents in a bundle.
    static let maxDocuments = 4_000
    private static let maxConcurrent = 8

    private let read: Reader
    private let maxSize: Int
    private var documents: [JSONDocument] = []
    /// The location of each document after redirects.
    private var locations: [DocumentLocation] = []
    /// The array index of each document. The keys are locations from references, before any redirects.
    private var indices: [DocumentLocation: Int] = [:]
    /// The reasons why documents could not be read, by location.
    private var faults: [DocumentLocation: String] = [:]
    private var size = 0

    /// Creates a bundle.
    ///
    /// - Parameters:
    ///   - maxSize: the maximum size of all documents in bytes.
    ///   - read: reads a document that another document refers to.
    init(maxSize: Int = CatalogImport.largest, read: @escaping Reader) {
        (self.maxSize, self.read) = (maxSize, read)
    }

    /// Returns the combined document. Also returns the references that cannot be followed, each with the reason.
    ///
    /// - Throws: `CatalogDraftError` if the first document is neither JSON nor YAML, or the documents are too large.
    mutating func json(
        _ bytes: [UInt8], at location: DocumentLocation
    ) async throws(CatalogDraftError) -> (document: JSONDocument, unread: [String]) {
        let root = try DocumentText.json(bytes)
        add(root, at: location, for: location)
        size = bytes.count
        var next = 0
        while next < documents.count {
            var found: [DocumentLocation] = []
            var seen: Set<DocumentLocation> = []
            for index in next..<documents.count {
                for reference in references(in: index) {
                    guard case .success(let target) = resolve(reference, in: index), indices[target] == nil,
                        faults[target] == nil, seen.insert(target).inserted
                    else { continue }
                    found.append(target)
                }
            }
            next = documents.count
            await load(found)
        }
        let unread = unreadReferences()
        guard documents.count > 1, root.withRoot({ $0.kind == .object }) else { return (root, unread) }
        do throws(JSONFault) {
            return (try JSONDocument(bundled()), unread)
        } catch {
            throw CatalogDraftError("cannot join the OpenAPI documents: \(error.reason); join them with another tool")
        }
    }

    private mutating func add(_ document: JSONDocument, at location: DocumentLocation, for wanted: DocumentLocation) {
        indices[wanted] = documents.count
        documents.append(document)
        locations.append(location)
    }

    private func resolve(_ reference: String, in index: Int) -> Result<DocumentLocation, CatalogMessage> {
        locations[index].resolving(reference, below: locations[0])
    }

    /// Loads several documents at the same time.
    private mutating func load(_ wanted: [DocumentLocation]) async {
        let room = max(0, Self.maxDocuments - documents.count)
        for location in wanted.dropFirst(room) {
            faults[location] = "there are more than \(Self.maxDocuments) documents; join some of them"
        }
        let taken = Array(wanted.prefix(room))
        for start in stride(from: 0, to: taken.count, by: Self.maxConcurrent) {
            let part = taken[start..<min(start + Self.maxConcurrent, taken.count)]
            guard size <= maxSize else {
                for location in part {
                    faults[location] =
                        "the documents are larger than \(maxSize >> 20) MiB; remove the references that you do not need"
                }
                continue
            }
            let read = read
            let answers = await withTaskGroup(of: (Int, Result<ReadDocument, CatalogDraftError>).self) { group in
                for (index, location) in part.enumerated() { group.addTask { (index, await read(location)) } }
                return await group.reduce(into: [Int: Result<ReadDocument, CatalogDraftError>]()) { $0[$1.0] = $1.1 }
            }
            for (index, location) in part.enumerated() {
                switch answers[index] {
                case .success(let found):
                    size += found.bytes.count
                    do throws(CatalogDraftError) {
                        add(try DocumentText.json(found.bytes), at: found.location, for: location)
                    } catch {
                        faults[location] = error.message
                    }
                case .failure(let error): faults[location] = error.message
                case nil: break
                }
            }
        }
    }

    /// Returns the locations of the documents that a document refers to: its references without their fragments.
    private func references(in index: Int) -> [String] {
        var found: [String] = []
        var seen: Set<String> = []
        documents[index].withRoot { root in
            Self.forEachReference(in: root) { reference in
                let place = String(reference.prefix { $0 != "#" })
                if !place.isEmpty, seen.insert(place).inserted { found.append(place) }
            }
        }
        return found
    }

    private static func forEachReference(in view: JSONView, _ body: (String) -> Void) {
        switch view.kind {
        case .array: for element in view.elements { forEachReference(in: element, body) }
        case .object:
            for member in view.members {
                if member.value.kind == .string, member.key.isString("$ref") {
                    if let text = member.value.string { body(text) }
                } else {
                    forEachReference(in: member.value, body)
                }
            }
        default: break
        }
    }

    private func unreadReferences() -> [String] {
        var found: [String] = []
        for index in documents.indices {
            for reference in references(in: index) {
                switch resolve(reference, in: index) {
                case .failure(let reason): found.append("'\(reference)': \(reason.message)")
                case .success(let target):
                    if let reason = faults[target] { found.append("'\(reference)': \(reason)") }
                }
            }
        }
        return OpenAPISchemas.unique(found)
    }

    // MARK: Output

    private func bundled() -> [UInt8] {
        var writer = JSONWriter(capacity: size)
        writer.beginObject()
        documents[0].withRoot { root in
            for member in root.members where !member.key.isString(Self.member) {
                writer.key(member.key)
                write(member.value, of: 0, to: &writer)
            }
        }
        writer.key(text: Self.member)
        writer.beginObject()
        for index in documents.indices.dropFirst() {
            writer.key(text: String(index))
            documents[index].withRoot { write($0, of: index, to: &writer) }
        }
        writer.endObject()
        writer.endObject()
        return writer.bytes
    }

    private func write(_ view: JSONView, of index: Int, to writer: inout JSONWriter) {
        switch view.kind {
        case .array:
            writer.beginArray()
            for element in view.elements { write(element, of: index, to: &writer) }
            writer.endArray()
        case .object:
            writer.beginObject()
            for member in view.members {
                writer.key(member.key)
                if member.value.kind == .string, member.key.isString("$ref"), let text = member.value.string {
                    writer.string(moved(text, of: index))
                } else {
                    write(member.value, of: index, to: &writer)
                }
            }
            writer.endObject()
        default: writer.value(view)
        }
    }

    /// Rewrites a reference so that it works in the combined document. A reference that cannot be followed stays
    /// unchanged.
    private func moved(_ reference: String, of index: Int) -> String {
        let place = reference.prefix { $0 != "#" }
        let pointer = reference.dropFirst(place.count + 1)
        var target = index
        if !place.isEmpty {
            guard case .success(let location) = resolve(String(place), in: index), let found = indices[location]
            else { return reference }
            target = found
        }
        return target == 0 ? "#\(pointer)" : "#/\(Self.member)/\(target)\(pointer)"
    }
}
