import Catalog
import CatalogTools
import HTTP
import JSON
import Mocks
import TestSupport
import Testing

/// Tests the request that finds the path of a single item when a catalog is drafted from a list.
@Suite(.limited) struct ItemGuessTests {
    private static let origin = "https://api.zoo.test"

    /// Returns the drafted resource, the text of the draft, and the paths that were requested. A path without an answer
    /// is not found.
    private static func drafted(
        _ list: String, _ answers: [String: String]
    ) async throws -> (resource: JSONValue, text: String, paths: [String]) {
        let client = HTTPClientMock { request in
            let body = answers[String(request.url.dropFirst(origin.count))]
            return .success(HTTPResponse(status: body == nil ? 404 : 200, body: Array((body ?? "{}").utf8)))
        }
        let text = try await CatalogInference(client: client, explain: explained, secrets: .empty).draft(origin + list)
        #expect(DraftText.faults(in: text) == [])
        guard case .object(let resources)? = try DraftText.value(text)["resources"] else { return (.null, text, []) }
        let resource = try #require(resources.members.first?.value)
        return (resource, text, client.requests.map { String($0.url.dropFirst(origin.count)) })
    }

    @Test(
        arguments: [
            ("/animals", "/animals/7", "/animals/{id}"), ("/animals/", "/animals/7/", "/animals/{id}/"),
            ("/animals.json", "/animals/7.json", "/animals/{id}.json"),
            ("/animals?page=1&limit=2#top", "/animals/7", "/animals/{id}"),
            ("/animals?limit=2&api_key=hunter-22222", "/animals/7?api_key=hunter-22222", "/animals/{id}"),
        ])
    func pathOfAnItemIsTriedWithTheFirstID(list: String, tried: String, path: String) async throws {
        let address = String(list.prefix { $0 != "#" })
        let found = try await Self.drafted(
            list, [address: #"[{"id": 7, "n": 1}, {"id": 8, "n": 2}]"#, tried: #"{"id": 7, "n": 1, "big": "x"}"#])
        #expect(found.paths == [address, tried])
        #expect(found.resource["rest"]?["get"]?.text == #"{"path":"\#(path)"}"#)
        #expect(found.resource["fields"]?["big"] == "string")
        #expect(found.resource["rest"]?["list"]?["complete"] == false)
        #expect(!found.text.contains("hunter") && !found.text.contains("found no path"))
    }

    @Test func idInTheTriedPathIsPercentEncoded() async throws {
        let found = try await Self.drafted(
            "/animals", ["/animals": #"[{"slug": "a/ä b"}]"#, "/animals/a%2F%C3%A4%20b": #"{"slug": "a/ä b"}"#])
        #expect(found.resource["rest"]?["get"]?["path"] == "/animals/{id}")
    }

    @Test func itemInsideAnObjectIsFound() async throws {
        let found = try await Self.drafted(
            "/animals", ["/animals": #"{"data": [{"id": 7}]}"#, "/animals/7": #"{"animal": {"id": 7}, "ok": true}"#])
        #expect(found.resource["rest"]?["get"]?.text == #"{"path":"/animals/{id}","item":"animal"}"#)
    }

    /// Some APIs answer every path, with the list, with another item or with an error.
    @Test(
        arguments: [
            nil, #"[{"id": 7, "n": 1}]"#, #"{"data": [{"id": 7, "n": 1}]}"#, #"{"id": 8, "n": 1}"#, #"{"n": 7}"#,
            #"{"error": "no such animal"}"#, "<html>", "7",
        ])
    func answerWithoutTheItemGivesNoPath(answer: String?) async throws {
        var answers = ["/animals": #"[{"id": 7, "n": 1}]"#]
        answers["/animals/7"] = answer
        let found = try await Self.drafted("/animals", answers)
        #expect(found.paths == ["/animals", "/animals/7"] && found.resource["rest"]?["get"] == nil)
        #expect(found.text.contains("// found no path for a single item: GET /animals/7 did not return this item"))
        #expect(found.text.contains("// GET /animals: 1 item\n"))
    }

    @Test(
        arguments: [
            "[]", "[5, 6]", #"[{"on": true}, {"on": false}]"#, #"[{"id": ".."}]"#, #"{"a": {"x": 1}, "b": {"x": 1}}"#,
            #"[{"id": 1, "url": "https://api.zoo.test/beasts/1"}, {"id": 2, "url": "https://api.zoo.test/beasts/2"}]"#,
        ])
    func pathIsNotTriedIfItIsKnownOrThereIsNoID(list: String) async throws {
        #expect(try await Self.drafted("/animals", ["/animals": list]).paths == ["/animals"])
    }

    @Test func itemsOfAFHIRBundleAreReadFromTheResourcesInItsEntries() async throws {
        func resource(_ id: String) -> String { #"{"resourceType": "Patient", "id": "\#(id)", "active": true}"# }
        func entry(_ id: String) -> String {
            #"{"fullUrl": "https://api.zoo.test/Patient/\#(id)", "resource": \#(resource(id))}"#
        }
        // More links than items must not make the links the items.
        let links = (1...3).map { #"{"relation": "r\#($0)", "url": "/\#($0)"}"# }.joined(separator: ",")
        let bundle = #"{"resourceType": "Bundle", "link": [\#(links)], "entry": [\#(entry("a")), \#(entry("b"))]}"#
        let found = try await Self.drafted("/Patient", ["/Patient": bundle, "/Patient/a": resource("a")])
        #expect(found.resource["id"] == "string")
        #expect(found.resource["rest"]?["list"]?["items"] == "entry.*.resource")
        #expect(found.resource["rest"]?["list"]?["complete"] == nil)
        #expect(found.resource["rest"]?["get"]?.text == #"{"path":"/Patient/{id}"}"#)
        #expect(found.resource["fields"]?.text == #"{"resourceType":"string","id":"string","active":"boolean"}"#)
        #expect(found.text.contains("the members beside 'resource' are left out"))
    }
}
