import Catalog
import CatalogTools
import HTTP
import JSON
import Mocks
import System
import TestSupport
import Testing

/// Tests drafts from two answers: a list, and one of its items.
@Suite(.limited) struct InferredPairTests {
    private static let base = "https://api.zoo.test/v1"

    /// Returns the drafted resource.
    private static func resource(
        _ list: String, _ item: String, at itemPath: String = "/animals/7"
    ) async throws -> JSONValue {
        let bodies = ["\(base)/animals": list, "\(base)\(itemPath)": item]
        let client = HTTPClientMock { request in
            .success(HTTPResponse(status: 200, body: Array((bodies[request.url] ?? "").utf8)))
        }
        let text = try await CatalogInference(client: client, explain: explained, secrets: .empty).draft(
            list: .url("\(base)/animals"), item: .url("\(base)\(itemPath)"))
        #expect(DraftText.faults(in: text) == [])
        guard case .object(let resources)? = try DraftText.value(text)["resources"] else { return .null }
        return try #require(resources.members.first?.value)
    }

    @Test func fieldsOfTheListAndTheItemAreMerged() async throws {
        let resource = try await Self.resource(
            #"[{"id": 7, "name": "a", "tag": 1}, {"id": 8, "name": null}]"#,
            #"{"id": 7, "name": "a", "keeper": {"name": "b"}}"#)
        #expect(resource["id"] == "integer")
        #expect(
            resource["fields"]?.text
                == #"{"id":"integer","name":"string?","tag":"integer?","keeper":{"name":"string"}}"#)
        #expect(resource["rest"]?["get"]?["path"] == "/v1/animals/{id}")
        #expect(resource["rest"]?["list"]?["path"] == "/v1/animals")
        #expect(resource["rest"]?["list"]?["complete"] == false)
    }

    @Test func listWithAllItemFieldsIsNotMarkedAsPartial() async throws {
        let resource = try await Self.resource(#"{"data": [{"id": 7, "n": 1}]}"#, #"{"data": {"id": 7, "n": 1}}"#)
        #expect(resource["rest"]?["list"]?["items"] == "data" && resource["rest"]?["list"]?["complete"] == nil)
        #expect(resource["rest"]?["get"]?["item"] == "data")
    }

    @Test func idIsThePropertyWithTheValueInTheItemURL() async throws {
        let resource = try await Self.resource(
            #"[{"id": 70, "number": 7}, {"id": 80, "number": 8}]"#, #"{"animals": [{"id": 70, "number": 7}]}"#)
        #expect(resource["id"]?.text == #"{"type":"integer","from":"number"}"#)
        #expect(resource["rest"]?["get"]?.text == #"{"path":"/v1/animals/{id}","item":"animals.0"}"#)
    }

    @Test func itemPathWithoutTheIDIsUnchanged() async throws {
        let resource = try await Self.resource(#"[{"id": 1, "n": 1}]"#, #"{"id": 1, "n": 1}"#, at: "/animal?x=1")
        #expect(resource["rest"]?["get"]?.text == #"{"path":"/v1/animal","query":{"x":"1"}}"#)
    }

    @Test(
        arguments: [
            (#"{"id": 7}"#, #"{"id": 7}"#, "write LIST before ITEM"),
            (#"[{"id": 7}]"#, #"{"a": 1}"#, "no object in it"),
            (#"["a"]"#, #"{"a": 1}"#, "write LIST before ITEM"), (#"[{"id": 7}]"#, "x", "not JSON"),
            (#"{"a": {"id": 7}, "b": {"id": 8}}"#, #"{"id": 7}"#, "write LIST before ITEM"),
        ])
    func answerThatIsNotAnItemOfTheListIsRefused(list: String, item: String, reason: String) async throws {
        let error = await #expect(throws: CatalogDraftError.self) { try await Self.resource(list, item) }
        #expect(error?.message.contains(reason) == true)
    }

    @Test func listAndItemOfDifferentOriginsAreRefused() async throws {
        let client = HTTPClientMock(.success(HTTPResponse(status: 200)))
        await #expect(throws: CatalogDraftError.self) {
            try await CatalogInference(client: client, explain: explained, secrets: .empty).draft(
                list: .url("https://a.test/x"), item: .url("https://b.test/x/1"))
        }
        #expect(client.requests.isEmpty)
    }
}
