import Catalog
import JSON

/// Drafts a catalog from an OpenAPI document. Comments in the draft explain each guess.
public enum CatalogImport {
    /// The maximum size of a document, in bytes.
    public static let largest = 128 << 20
    private static let maxSkipped = 200
    private static let maxUnread = 20
    /// The maximum length of the document's title and version, in bytes. A longer title or version is ignored.
    static let maxTitle = 200

    /// Returns a catalog, as JSON with comments, for a document of OpenAPI 3 or Swagger 2.0 in JSON or YAML.
    ///
    /// ```swift
    /// let catalog = try CatalogImport.draft(Array(#"{"openapi": "3.1.0", "paths": {...}}"#.utf8))
    /// ```
    ///
    /// References to other documents are not followed.
    ///
    /// - Throws: `CatalogDraftError` if the document is invalid or no resource can be drafted.
    public static func draft(
        _ bytes: [UInt8], choosing choice: CatalogImportChoice = CatalogImportChoice()
    ) throws(CatalogDraftError) -> String {
        try draft(DocumentText.json(bytes), url: nil, unread: [], choice)
    }

    /// Returns a catalog, as JSON with comments, for a document and all documents that it refers to.
    ///
    /// A document from a URL may refer to other URLs of the same origin. A document in a file may use relative paths to
    /// refer to files in the same folder or in subfolders.
    ///
    /// - Parameter requestsAnswers: whether to request sample answers from the API for paths whose answers the document
    ///   does not describe. All requests go to the origin of the document.
    /// - Throws: `CatalogDraftError` if the document cannot be read or is invalid, or no resource can be drafted.
    public static func draft(
        at location: DocumentLocation, reader: DocumentReader,
        choosing choice: CatalogImportChoice = CatalogImportChoice(), requestsAnswers: Bool = false
    ) async throws(CatalogDraftError) -> String {
        try await read(at: location, reader: reader, requestsAnswers: requestsAnswers).draft(choosing: choice)
    }

    /// Reads a document and all documents that it refers to.
    ///
    /// A document from a URL may refer to other URLs of the same origin. A document in a file may use relative paths to
    /// refer to files in the same folder or in subfolders.
    ///
    /// - Parameter requestsAnswers: whether to request sample answers from the API for paths whose answers the document
    ///   does not describe.
    /// - Throws: `CatalogDraftError` if the document cannot be read.
    public static func read(
        at location: DocumentLocation, reader: DocumentReader, requestsAnswers: Bool = false
    ) async throws(CatalogDraftError) -> CatalogImportSource {
        let first = try await reader.read(location)
        var bundle = DocumentBundle { other in
            do throws(CatalogDraftError) {
                return .success(try await reader.read(other, for: first.location, namedBy: location))
            } catch {
                return .failure(error)
            }
        }
        var (document, unread) = try await bundle.json(first.bytes, at: first.location)
        let url = first.location.address
        var sampled: [String] = []
        if requestsAnswers, let url, first.location.origin == location.origin {
            (document, sampled) = await OpenAPISamples.added(to: try openAPI3(document, url: url), at: url, reader)
        }
        return CatalogImportSource(document: document, url: url, unread: unread, sampled: sampled)
    }

    /// Drafts a catalog from a parsed document. Returns the catalog as JSON with comments.
    ///
    /// - Parameters:
    ///   - url: the URL of the document; nil if the document does not come from a URL.
    ///   - unread: the references that cannot be followed.
    fileprivate static func draft(
        _ document: JSONDocument, url: String?, unread: [String], sampled: [String] = [], _ choice: CatalogImportChoice
    ) throws(CatalogDraftError) -> String {
        try describedByExamples(openAPI3(document, url: url)).withRoot { (root) throws(CatalogDraftError) in
            guard let version = text(root["openapi"]), version.hasPrefix("3.") else {
                throw CatalogDraftError(
                    "the document is neither OpenAPI 3 nor Swagger 2.0: the value of 'openapi' must start with '3.';"
                        + " use another document"
                )
            }
            guard let paths = root["paths"], paths.kind == .object else {
                throw CatalogDraftError(
                    "the document has no object 'paths', which describes the operations; use another document")
            }
            return try draft(OpenAPIDocument(root, url: url), unread: unread, sampled, choice)
        }
    }

    /// Adds a schema to each answer that the document describes only by examples. Returns the changed document.
    private static func describedByExamples(_ document: JSONDocument) -> JSONDocument {
        document.withRoot { ExampleAnswers.added(to: $0) }.flatMap { try? JSONDocument($0) } ?? document
    }

    /// Returns the document as OpenAPI 3. Converts a Swagger 2.0 document.
    private static func openAPI3(_ document: JSONDocument, url: String?) throws(CatalogDraftError) -> JSONDocument {
        let converted = try document.withRoot { (root) throws(CatalogDraftError) -> [UInt8]? in
            guard root.kind == .object else {
                throw CatalogDraftError("the document must be an object; give the path or URL of an OpenAPI document")
            }
            guard let view = root["swagger"], root["openapi"] == nil else { return nil }
            // In YAML, `2.0` without quotes is a number.
            guard let version = text(view), version == "2" || version.hasPrefix("2.") else {
                throw CatalogDraftError(
                    "the document has an unknown version of Swagger; convert it to Swagger 2.0 or OpenAPI 3")
            }
            var conversion = SwaggerConversion(root, url: url)
            return conversion.json()
        }
        guard let converted else { return document }
        do throws(JSONFault) {
            return try JSONDocument(converted)
        } catch {
            throw CatalogDraftError("cannot convert the document to OpenAPI 3: \(error.reason); use another tool")
        }
    }

    private static func draft(
        _ document: OpenAPIDocument, unread: [String], _ sampled: [String], _ choice: CatalogImportChoice
    ) throws(CatalogDraftError) -> String {
        let access = OpenAPIAccess(document: document)
        let api = access.name
        let accessLines = access.lines()
        let drafts = try choice.applied(to: OpenAPIResources(document, api: api).drafts())
        let summary = CatalogImportSummary(drafts: drafts)
        if choice.isTable, !drafts.resources.isEmpty { return choice.isJSON ? summary.json() : summary.table() }
        guard !drafts.resources.isEmpty else {
            let why = drafts.left.first.map { ": \($0.text)" } ?? ": no path has a GET operation"
            throw CatalogDraftError("cannot draft a resource from the document\(why)")
        }
        let apiLines: DraftLine = .member(api, .object(accessLines))
        func text(_ resources: [DraftLine], _ left: [String]) -> String {
            let skipped = left.prefix(maxSkipped).map { DraftLine.comment($0) }
            let more = left.count > maxSkipped ? [DraftLine.comment("and \(left.count - maxSkipped) more")] : []
            let heading: [DraftLine] = left.isEmpty ? [] : [.comment("Paths without a resource:")]
            return DraftPrinter.text(
                [
                    .member("larder", .json(1)), .member("apis", .object([apiLines])),
                    .member("resources", .object(resources + heading + skipped + more)),
                ],
                under: header(document) + summary.comments() + self.unread(unread, drafts.unreadCount)
                    + answered(sampled))
        }
        let safe = drafts.resources.map(\.lines)
        let left = drafts.left.map(\.text)
        let whole = text(safe.flatMap { $0 }, left)
        if CatalogDraft.faults(in: whole).isEmpty { return whole }
        // Resources that the decoder rejects become comments.
        var (kept, unused) = ([DraftLine](), left)
        var refusal: String?
        for (resource, lines) in zip(drafts.resources, safe) {
            if let fault = CatalogDraft.faults(in: text(lines, [])).first {
                // The fault may be a consequence of a value that was left out. The reason for leaving it out is then
                // more useful.
                let reason = resource.hasReferences ? DraftReferences.reason : fault
                unused.append("\(resource.comments.first ?? resource.name): \(reason)")
                refusal = refusal ?? unused.last
            } else {
                kept += lines
            }
        }
        if kept.isEmpty, let refusal {
            throw CatalogDraftError("cannot draft a resource from the document: \(refusal)")
        }
        let rest = text(kept, unused)
        if let fault = CatalogDraft.faults(in: rest).first {
            throw CatalogDraftError("cannot draft a catalog from the document: \(fault)")
        }
        return rest
    }

    private static func header(_ document: OpenAPIDocument) -> [String] {
        let info = document.root["info"]
        let title = info?["title"]?.string(atMost: maxTitle).flatMap { $0.isEmpty ? nil : $0 } ?? "an OpenAPI document"
        let version = text(info?["version"]).map { ", version \($0)" } ?? ""
        return [
            "Drafted by 'larder catalog import' from: \(title)\(version)",
            "Real answers often differ from the document: run 'larder check --live', and try each resource."
                + " The 'otherwise' value of an enumeration replaces values that the document does not list.",
        ]
    }

    /// Returns a comment that lists the paths for which the draft uses real answers of the API instead of the
    /// document's descriptions.
    private static func answered(_ paths: [String]) -> [String] {
        guard !paths.isEmpty else { return [] }
        let names = paths.prefix(maxUnread).joined(separator: ", ") + (paths.count > maxUnread ? ", ..." : "")
        return [
            "The draft uses real answers of the API for these paths: \(names). The document does not describe the answers,"
                + " or describes them differently."
        ]
    }

    /// Returns comments on the references that cannot be followed.
    private static func unread(_ references: [String], _ count: Int) -> [String] {
        guard !references.isEmpty else { return [] }
        let more = references.count > maxUnread ? ["and \(references.count - maxUnread) more"] : []
        return [
            "References to other documents that larder cannot follow: \(references.count). Operations that are left out"
                + " for this reason: \(count). Correct these references, and import the document again:"
        ] + references.prefix(maxUnread) + more
    }

    /// Returns a version as a string, even if the version is a number. In YAML, `3.0` without quotes is a number.
    private static func text(_ view: JSONView?) -> String? {
        guard let view else { return nil }
        return view.kind == .number ? view.number : view.string(atMost: maxTitle)
    }
}

/// An OpenAPI document, together with the documents that it refers to. The documents are read only once, even if
/// several catalogs are drafted from them.
public struct CatalogImportSource: Sendable {
    fileprivate let document: JSONDocument
    fileprivate let url: String?
    /// The references to other documents that cannot be followed.
    fileprivate let unread: [String]
    /// The paths that Larder requested from the API, because the document does not describe their answers.
    fileprivate let sampled: [String]

    /// Returns the result that `choice` selects: a catalog as JSON with comments, or a table of the resources.
    ///
    /// - Throws: `CatalogDraftError` if the document is invalid or no resource can be drafted.
    public func draft(choosing choice: CatalogImportChoice) throws(CatalogDraftError) -> String {
        try CatalogImport.draft(document, url: url, unread: unread, sampled: sampled, choice)
    }
}

/// The error of a failed attempt to draft a catalog.
public struct CatalogDraftError: Error, Equatable, Sendable {
    /// The error message for users.
    public let message: String
    /// Whether the error occurred because a host did not answer.
    var isUnreachable = false

    init(_ message: String) { self.message = message }
}

/// Checks whether the text of a draft is a valid catalog.
enum CatalogDraft {
    /// Returns the faults of a draft catalog. A secret or variable without a value is not a fault.
    static func faults(in text: String) -> [String] {
        do throws(CatalogFaults) {
            _ = try CatalogDecoder.decode(Array(text.utf8), secrets: .empty, toleratesMissing: true)
            return []
        } catch {
            return error.faults.map(\.message)
        }
    }
}
