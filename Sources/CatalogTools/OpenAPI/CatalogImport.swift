import Catalog
import JSON

/// Drafts a catalog from an OpenAPI document, each guess with its reason beside it.
public enum CatalogImport {
    /// How large a document may be, in bytes.
    public static let largest = 128 << 20
    private static let mostLeft = 200
    /// The bytes that are read of the title and of the version.
    static let maxTitle = 200

    /// The text of a catalog, in JSON with comments, for a document of OpenAPI 3 in JSON.
    ///
    /// - Throws: `CatalogDraftError` for another text; of YAML and of Swagger 2 it says how to convert them.
    public static func draft(_ bytes: [UInt8]) throws(CatalogDraftError) -> String {
        let document: JSONDocument
        do throws(JSONFault) {
            document = try JSONDocument(passingMark: bytes)
        } catch {
            throw CatalogDraftError(refusal(error, of: bytes))
        }
        return try document.withRoot { (root) throws(CatalogDraftError) in
            guard root.kind == .object else { throw CatalogDraftError("the document is no JSON object") }
            if root["swagger"] != nil {
                throw CatalogDraftError(
                    "the document is of Swagger 2; a converter such as 'swagger2openapi' makes it one of OpenAPI 3")
            }
            guard let version = root["openapi"]?.string, version.hasPrefix("3.") else {
                throw CatalogDraftError("the document has no 'openapi' of 3.0 or 3.1: it is no OpenAPI document")
            }
            guard let paths = root["paths"], paths.kind == .object else {
                throw CatalogDraftError("the document has no 'paths'")
            }
            return try draft(OpenAPIDocument(root))
        }
    }

    private static func draft(_ document: OpenAPIDocument) throws(CatalogDraftError) -> String {
        let access = OpenAPIAccess(document: document)
        let api = access.name
        let drafts = OpenAPIResources(document, api: api).drafts()
        guard !drafts.resources.isEmpty else {
            let why = drafts.left.first.map { ": \($0)" } ?? ": no path is read with GET"
            throw CatalogDraftError("no resource can be made of the document\(why)")
        }
        let apiLines: DraftLine = .member(api, .object(access.lines()))
        func text(_ resources: [DraftLine], _ left: [String]) -> String {
            let unsaid = left.prefix(mostLeft).map { DraftLine.comment($0) }
            let more = left.count > mostLeft ? [DraftLine.comment("and \(left.count - mostLeft) more")] : []
            let heading: [DraftLine] = left.isEmpty ? [] : [.comment("No resource was made of:")]
            return DraftPrinter.text(
                [
                    .member("larder", .json(1)), .member("apis", .object([apiLines])),
                    .member("resources", .object(resources + heading + unsaid + more)),
                ], under: header(document))
        }
        let safe = drafts.resources.map(\.lines)
        let whole = text(safe.flatMap { $0 }, drafts.left)
        if CatalogDraft.faults(in: whole).isEmpty { return whole }
        // What the decoder refuses becomes a comment.
        var (kept, left) = ([DraftLine](), drafts.left)
        var refusal: String?
        for (resource, lines) in zip(drafts.resources, safe) {
            if let fault = CatalogDraft.faults(in: text(lines, [])).first {
                // Without what was left out the fault alone would not be understood.
                let reason = resource.hasReferences ? DraftReferences.reason : fault
                left.append("\(resource.comments.first ?? resource.name): \(reason)")
                refusal = refusal ?? left.last
            } else {
                kept += lines
            }
        }
        if kept.isEmpty, let refusal {
            throw CatalogDraftError("no resource can be made of the document: \(refusal)")
        }
        let rest = text(kept, left)
        if let fault = CatalogDraft.faults(in: rest).first {
            throw CatalogDraftError("no catalog can be made of the document: \(fault)")
        }
        return rest
    }

    private static func header(_ document: OpenAPIDocument) -> [String] {
        let info = document.root["info"]
        let title = info?["title"]?.string(atMost: maxTitle).flatMap { $0.isEmpty ? nil : $0 } ?? "an OpenAPI document"
        let version = info?["version"]?.string(atMost: maxTitle).map { ", version \($0)" } ?? ""
        return [
            "Drafted by 'larder catalog import' from: \(title)\(version)",
            "What the document says of the answers is often not what comes: 'larder check', and a call of each"
                + " resource, tell. Enumerations have a value more, for those that the document does not know.",
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
            the document is YAML, and JSON is needed; either of these converts it:
              yq -o=json . FILE.yaml > FILE.json
              python3 -c 'import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout, default=str)' < FILE.yaml > FILE.json
            """
    }
}

/// Why nothing can be drafted.
public struct CatalogDraftError: Error, Equatable, Sendable {
    /// What is wrong, for a person.
    public let message: String

    init(_ message: String) { self.message = message }
}

/// Looks at what was drafted.
enum CatalogDraft {
    /// What the decoder refuses, secrets and variables that are missing aside.
    static func faults(in text: String) -> [String] {
        do throws(CatalogFaults) {
            _ = try CatalogDecoder.decode(Array(text.utf8), secrets: .empty, toleratesAbsence: true)
            return []
        } catch {
            return error.faults.map(\.message)
        }
    }
}
