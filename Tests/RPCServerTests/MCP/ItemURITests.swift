import DataSources
import JSON
import Protocol
import TestSupport
import Testing

@testable import Catalog
@testable import Model
@testable import RPCServer

@Suite(.limited) struct ItemURITests {
    private let stage: MCPStage
    private var resources: [ResourceDefinition] { [stage.books, stage.leaves, stage.notes].map(\.resource) }

    init() throws { stage = try MCPStage() }

    @Test(
        arguments: [
            ("larder://book", "book", []), ("larder://note", "note", []), ("larder://book/1", "book", ["1"]),
            ("larder://book/a%2Fb", "book", ["a/b"]), ("larder://book/%C3%A4%20%25", "book", ["ä %"]),
            ("larder://book/ä b", "book", ["ä b"]), ("larder://book/100%", "book", ["100%"]),
            ("larder://book/a%2fb%zz", "book", ["a/b%zz"]), ("larder://book/1?x=y#z", "book", ["1?x=y#z"]),
            ("larder://book/..", "book", [".."]), ("larder://leaf/oak/3/7", "leaf", ["oak", "3", "7"]),
            ("larder://leaf/%6F/x/%37", "leaf", ["o", "x", "7"]),
        ] as [(String, String, [String])])
    func uriIsDecodedSegmentBySegment(text: String, name: String, parts: [String]) throws {
        let uri = try #require(ItemURI(text, among: resources))
        #expect(uri.resource.name == name && uri.parts == parts)
    }

    @Test(arguments: [
        "", "larder:", "larder:/book/1", "larder://", "larder:///1", "larder://book/", "larder://book//", "book/1",
        "larder://book/1/", "larder://book//1", "larder://book/1/2", "larder://Book/1", "larder://boo",
        "larder://books", "LARDER://book/1", "http://book/1", " larder://book", "larder://leaf/oak",
        "larder://leaf/oak/3", "larder://leaf/oak//7", "larder://leaf/oak/3/7/", "larder://leaf//3/7",
        "larder://note/1", "larder://b%6Fok/1",
    ])
    func invalidURIIsNotParsed(text: String) {
        #expect(ItemURI(text, among: resources)?.parts == nil)
    }

    @Test func partsOfAnItemURIAreEncoded() throws {
        let leaf = try MCPStage().leaves.resource
        let scope = ResourceScope([("tree", "a/b"), ("branch", 2)])
        let uri = ItemURI.uri(of: "7 8", in: scope, of: leaf)
        #expect(uri == "larder://leaf/a%2Fb/2/7%208")
        #expect(ItemURI(uri, among: [leaf])?.parts == ["a/b", "2", "7 8"])
    }

    @Test func uriTemplateNamesTheParents() {
        #expect(ItemURI.template(of: stage.books.resource) == "larder://book/{id}")
        #expect(ItemURI.template(of: stage.leaves.resource) == "larder://leaf/{tree}/{branch}/{id}")
        #expect(ItemURI.uri(of: stage.leaves.resource) == "larder://leaf")
    }

    /// The client expands the template (RFC 6570, section 3.2.2).
    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func expandedTemplateIsParsed(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let scalars = Array("a/%2F:?#[]@!$&'()*+,;= ~é\u{301}\u{0}\u{10FFFF}\\\"{}".unicodeScalars)
        for _ in 0..<300 {
            let values = (0..<3).map { _ in
                var text = ""
                for _ in 0...Int.random(in: 0..<6, using: &generator) {
                    text.unicodeScalars.append(scalars.randomElement(using: &generator) ?? "a")
                }
                return text
            }
            let text = "larder://leaf/" + values.map { PercentEncoding.encode($0) }.joined(separator: "/")
            let parts = try #require(ItemURI(text, among: resources)).parts
            #expect(parts.map { Array($0.utf8) } == values.map { Array($0.utf8) }, "\(text)")
        }
    }

    @Test func scopeValuesAreReadByType() throws {
        let uri = try #require(ItemURI("larder://leaf/oak/3/%227", among: resources))
        let values = try uri.scopeValues()
        #expect(values.map(\.name) == ["tree", "branch"] && values.map(\.value) == ["oak", 3])
        let wrong = try #require(ItemURI("larder://leaf/oak/x/7", among: resources))
        #expect(throws: RPCError(.invalidParams, "'branch' must be an integer")) { try wrong.scopeValues() }
    }

    @Test func uriOfAScopedItemFindsItsResourceAndScope() throws {
        let table = RepositoryTable(repositories: [stage.books, stage.leaves])
        let target = try #require(try table.target("larder://leaf/oak/3/7", .november2025))
        #expect(target.resource == "leaf" && target.scope == ResourceScope([("tree", "oak"), ("branch", 3)]))
        if case .item(id: "7") = target.name {} else { Issue.record("the name is \(target.name)") }
        let itself = try table.target("larder://book", .november2025)
        #expect(itself?.resource == nil)
        let wrongs = ["leaf/oak/x/7", "leaf/oak/3/x", "leaf/oak/3/07", "x/1", "book/..", "book/..%2Fx"]
        for wrong in wrongs.map({ "larder://\($0)" }) {
            do throws(RPCError) {
                _ = try table.target(wrong, .november2025)
                Issue.record("\(wrong) is accepted")
            } catch {
                #expect(error.code == .resourceNotFound && error.data["uri"] == .string(wrong))
            }
        }
    }
}
