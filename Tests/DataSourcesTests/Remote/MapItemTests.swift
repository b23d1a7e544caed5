import JSON
import Mocks
import TestSupport
import Testing

@testable import DataSources
@testable import Model

/// Tests items in a JSON object whose keys are the ids. `@key` selects the key of an item.
@Suite(.limited) struct MapItemTests {
    private static func source(_ rest: String, _ body: String) throws -> RESTDataSource {
        let catalog = try CatalogText.decode(
            CatalogText.make(
                id: #"{"type": "string", "from": "@key"}"#, fields: #"{"v": "integer"}"#, rest: rest))
        guard case .rest(let operations) = catalog.resources[0].transport else { throw APIError(.notFound, "no rest") }
        return RESTDataSource(
            resource: catalog.resources[0], operations: operations, api: catalog.apis[0],
            client: HTTPClientMock(.success(.of(200, body))), redactor: .none)
    }

    @Test(arguments: [
        (#"{"get": {"path": "/rates", "item": "rates.{id}"}}"#, #"{"rates": {"U\"S": {"v": 1}}}"#),
        (#"{"getMany": {"path": "/{ids}", "items": "rates.*"}}"#, #"{"rates": {"X": {"v": 2}, "U\"S": {"v": 1}}}"#),
    ])
    func mapKeyIsTheItemID(rest: String, body: String) async throws {
        let answer = try await Self.source(rest, body).item("U\"S", since: nil)
        guard case .changed(let item, _) = answer else { throw APIError(.notFound, "nothing came") }
        #expect(item.json.withView { JSONValue($0) } == ["v": 1])
        #expect(item.key?.withView { $0.string } == "U\"S")
    }

    @Test func itemHasNoMapKeyIfNoSelectorContainsTheIDPlaceholder() async throws {
        let answer = try await Self.source(#"{"get": {"path": "/rates/{id}"}}"#, #"{"v": 1}"#).item("x", since: nil)
        guard case .changed(let item, _) = answer else { throw APIError(.notFound, "nothing came") }
        #expect(item.key == nil)
    }
}
