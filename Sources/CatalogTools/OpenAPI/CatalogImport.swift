import Catalog
import JSON

/// Drafts a catalog from an OpenAPI document. Comments in the draft explain each guess.
public enum CatalogImport {
    /// The maximum size of a document, in bytes.
    public static let largest = 128 << 20
    private static let maxSkipped = 200
    /// The maximum length of the document's title and version, in bytes. Longer texts are ignored.
    static let maxTitle = 200

    /// Returns a catalog, as JSON with comments, for an OpenAPI 3 document in JSON.
    ///
    /// ```swift
    /// let catalog = try CatalogImport.draft(Array(#"{"openapi": "3.1.0", "paths": {...}}"#.utf8))
    /// ```
    ///
    /// - Throws: `CatalogDraftError` if the document is invalid or no resource can be drafted. For YAML and Swagger 2
    ///   the message states how to convert the document.
    public static func draft(_ bytes: [UInt8]) throws(CatalogDraftError) -> String {
        let document: JSONDocument
        do throws(JSONFault) {
            document = try JSONDocument(skippingBOM: bytes)
        } catch {
            throw CatalogDraftError(refusal(error, of: bytes))
        }
        return try document.withRoot { (root) throws(CatalogDraftError) in
            guard root.kind == .object else { throw CatalogDraftError("the document is not a JSON object") }
            if root["swagger"] != nil {
                throw CatalogDraftError(
                    "the document is Swagger 2, not OpenAPI 3; convert it, for example with 'swagger2openapi'")
            }
            guard let version = root["openapi"]?.string, version.hasPrefix("3.") else {
                throw CatalogDraftError(
                    "the document is not OpenAPI 3: 'openapi' is missing or does not start with '3.'")
            }
            guard let paths = root["paths"], paths.kind == .object else {
                throw CatalogDraftError("the document has no object 'paths'")
            }
            return try draft(OpenAPIDocument(root))
        }
    }

    private static func draft(_ document: OpenAPIDocument) throws(CatalogDraftError) -> String {
        let access = OpenAPIAccess(document: document)
        let api = access.name
        let drafts = OpenAPIResources(document, api: api).drafts()
        guard !drafts.resources.isEmpty else {
            let why = drafts.left.first.map { ": \($0)" } ?? ": no path has a GET operation"
            throw CatalogDraftError("no resource can be drafted from the document\(why)")
        }
        let apiLines: DraftLine = .member(api, .object(access.lines()))
        func text(_ resources: [DraftLine], _ left: [String]) -> String {
            let skipped = left.prefix(maxSkipped).map { DraftLine.comment($0) }
            let more = left.count > maxSkipped ? [DraftLine.comment("and \(left.count - maxSkipped) more")] : []
            let heading: [DraftLine] = left.isEmpty ? [] : [.comment("Paths without a resource:")]
            return DraftPrinter.text(
                [
                    .member("larder", .json(1)), .member("apis", .object([apiLines])),
                    .member("resources", .object(resources + heading + skipped + more)),
                ], under: header(document))
        }
        let safe = drafts.resources.map(\.lines)
        let whole = text(safe.flatMap { $0 }, drafts.left)
        if CatalogDraft.faults(in: whole).isEmpty { return whole }
        // Resources that the decoder rejects become comments.
        var (kept, left) = ([DraftLine](), drafts.left)
        var refusal: String?
        for (resource, lines) in zip(drafts.resources, safe) {
            if let fault = CatalogDraft.faults(in: text(lines, [])).first {
                // The fault may result from a text that was left out. The reason for leaving it out is more useful.
                let reason = resource.hasReferences ? DraftReferences.reason : fault
                left.append("\(resource.comments.first ?? resource.name): \(reason)")
                refusal = refusal ?? left.last
            } else {
                kept += lines
            }
        }
        if kept.isEmpty, let refusal {
            throw CatalogDraftError("no resource can be drafted from the document: \(refusal)")
        }
        let rest = text(kept, left)
        if let fault = CatalogDraft.faults(in: rest).first {
            throw CatalogDraftError("no catalog can be drafted from the document: \(fault)")
        }
        return rest
    }

    private static func header(_ document: OpenAPIDocument) -> [String] {
        let info = document.root["info"]
        let title = info?["title"]?.string(atMost: maxTitle).flatMap { $0.isEmpty ? nil : $0 } ?? "an OpenAPI document"
        let version = info?["version"]?.string(atMost: maxTitle).map { ", version \($0)" } ?? ""
        return [
            "Drafted by 'larder catalog import' from: \(title)\(version)",
            "Real answers often differ from the document: run 'larder check --live', and try each resource."
                + " Each enumeration has an additional value for values that the document does not list.",
        ]
    }

    private static func refusal(_ fault: JSONFault, of bytes: [UInt8]) -> String {
        let start = String(decoding: bytes.prefix(4096), as: UTF8.self)
        let looksLikeYAML = start.split(separator: "\n").contains { line in
            ["openapi:", "swagger:", "\"openapi\":", "'openapi':", "info:", "---", "%YAML"].contains {
                line.hasPrefix($0)
            }
        }
        guard looksLikeYAML, bytes.first(where: { $0 > 0x20 }) != UInt8(ascii: "{") else {
            return "the document is not JSON: \(fault.description(in: bytes))"
        }
        return """
            the document is YAML, but JSON is required; convert it with one of these commands:
              yq -o=json . FILE.yaml > FILE.json
              python3 -c 'import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout, default=str)' < FILE.yaml > FILE.json
            """
    }
}

/// The error if no catalog can be drafted.
public struct CatalogDraftError: Error, Equatable, Sendable {
    /// The error message to show to users.
    public let message: String

    init(_ message: String) { self.message = message }
}

/// Checks the text of a draft catalog.
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
