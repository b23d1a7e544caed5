import DataSources
import JSON
import Mocks
import Model
import Repositories
import TestSupport
import Testing

/// Tests that the shipped catalogs decode recorded answers of the real API.
@Suite(.limited) struct FixtureMappingTests {
    private static func item(_ api: RickAndMorty, _ resource: String, _ fixture: String) async throws -> JSONValue {
        let dto = try await api.source(of: resource, answering: fixture).item("1")
        return try JSONValue(parsing: ItemMapper(try api.resource(resource)).map(dto).json.text)
    }

    @Test(arguments: RickAndMorty.allCases, RickAndMorty.resources)
    func everyFixtureItemIsMapped(api: RickAndMorty, resource: String) async throws {
        let item = try await Self.item(api, resource, resource)
        #expect(item["id"] == 1)
        #expect(item["name"] != nil && item["name"] != "")
        let mapper = ItemMapper(try api.resource(resource))
        let page = try await api.source(of: resource, answering: "\(resource)_list").page(PageRequest())
        for dto in page.items { _ = try mapper.map(dto) }
    }

    @Test(arguments: RickAndMorty.allCases)
    func missingOptionalFieldsAreNull(api: RickAndMorty) async throws {
        let item = try await Self.item(api, "character", "character_without_optionals")
        #expect(item["name"] == "Adjudicator Rick")
        #expect(item["type"] == .null)
        #expect(item["episode"] == (api == .rest ? .null : [28]))
    }

    @Test(arguments: RickAndMorty.allCases)
    func unknownEnumerationValuesAreReplacedByTheDeclaredFallback(api: RickAndMorty) async throws {
        let item = try await Self.item(api, "character", "character_new_values")
        #expect(item["status"] == "unknown")
        #expect(item["gender"] == "unknown")
    }
}
