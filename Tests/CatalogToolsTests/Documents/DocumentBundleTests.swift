import JSON
import Synchronization
import System
import TestSupport
import Testing

@testable import CatalogTools

@Suite(.limited) struct DocumentBundleTests {
    /// Bundles `root.yaml` with the given files. Returns the bundle, the references that cannot be followed, and the
    /// files that were read.
    private func bundle(
        _ root: String, _ files: [String: String] = [:], maxSize: Int = 1 << 20
    ) async throws -> (value: JSONValue, unread: [String], read: [String]) {
        let read = Mutex([String]())
        var bundle = DocumentBundle(maxSize: maxSize) { location in
            guard case .file(let path) = location else { return .failure(CatalogDraftError("not a file")) }
            read.withLock { $0.append(path.description) }
            guard let text = files[path.description] else { return .failure(CatalogDraftError("no such file")) }
            return .success(ReadDocument(bytes: Array(text.utf8), location: location))
        }
        let (document, unread) = try await bundle.json(Array(root.utf8), at: .file("root.yaml"))
        return (document.withRoot { JSONValue($0) }, unread, read.withLock { $0.sorted() })
    }

    @Test func documentWithoutReferencesIsUnchanged() async throws {
        let (value, unread, read) = try await bundle("a: {$ref: '#/b'}\nb: 1\n")
        #expect(value == ["a": ["$ref": "#/b"], "b": 1])
        #expect(unread == [] && read == [])
    }

    @Test func referencesToOtherDocumentsPointIntoTheBundle() async throws {
        let (value, unread, read) = try await bundle(
            "a: {$ref: 'x.yaml#/p'}\nb: [{$ref: './x.yaml'}]\nc: {$ref: 'v/y.json#/q'}\n",
            [
                "x.yaml": "p: {$ref: '#/q'}\nq: 1\n",
                "v/y.json": #"{"q": {"$ref": "../x.yaml#/q"}, "r": {"$ref": "../root.yaml#/a"}}"#,
            ])
        let member = "#/\(DocumentBundle.member)"
        #expect(value["a"] == ["$ref": .string("\(member)/1/p")])
        #expect(value["b"]?[0] == ["$ref": .string("\(member)/1")])
        #expect(value["c"] == ["$ref": .string("\(member)/2/q")])
        #expect(value[DocumentBundle.member]?["1"]?["p"] == ["$ref": .string("\(member)/1/q")])
        #expect(
            value[DocumentBundle.member]?["2"] == [
                "q": ["$ref": .string("\(member)/1/q")], "r": ["$ref": "#/a"],
            ])
        #expect(unread == [] && read == ["v/y.json", "x.yaml"])
    }

    @Test func cyclicReferencesBetweenDocumentsAreReadOnce() async throws {
        let (_, unread, read) = try await bundle(
            "a: {$ref: 'x.yaml'}\n", ["x.yaml": "a: {$ref: 'y.yaml'}\n", "y.yaml": "a: {$ref: 'x.yaml'}\n"])
        #expect(unread == [] && read == ["x.yaml", "y.yaml"])
    }

    @Test func unreadableReferencesAreReported() async throws {
        let (value, unread, _) = try await bundle(
            "a: {$ref: 'none.yaml#/a'}\nb: {$ref: 'bad.yaml'}\nc: {$ref: 'https://a.test/x'}\n",
            ["bad.yaml": "a: b: c\n"])
        #expect(value["a"] == ["$ref": "none.yaml#/a"])
        #expect(
            unread == [
                "'none.yaml': no such file",
                "'bad.yaml': the document is not YAML: mapping values are not allowed in this context at line 1, column 5",
                "'https://a.test/x': a document in a file must not refer to a URL; save the referenced document in the"
                    + " same folder, and refer to it by a relative path",
            ])
    }

    @Test func sizeOfAllDocumentsIsLimited() async throws {
        let files = Dictionary(
            uniqueKeysWithValues: (0..<40).map { ("\($0).yaml", String(repeating: "#", count: 100) + "\na: 1\n") })
        let root = files.keys.sorted().map { "- {$ref: '\($0)'}\n" }.joined()
        let (_, unread, read) = try await bundle(root, files, maxSize: 1200)
        #expect(read.count == 8 && unread.count == 32)
        #expect(unread.first?.contains("': the documents are larger than 0 MiB; ") == true)
        // The limit is checked before each group of eight documents.
        let first = root.utf8.count + 8 * 106
        #expect(try await bundle(root, files, maxSize: first).read.count == 16)
        #expect(try await bundle(root, files, maxSize: first - 1).read.count == 8)
    }
}
