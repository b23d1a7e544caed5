import Catalog
import DataSources
import JSON
import Mocks
import Model
import System
import TestSupport
import Testing

/// Recorded answers of the Rick and Morty API, read by the data sources of both transports.
@Suite(.limited) struct RemoteFixtureTests {
    private static let bothTransports = RickAndMorty.allCases

    private func id(_ item: ItemDTO) -> String? {
        item.json.withView { $0["id"].flatMap { IDType.integer.canonical($0) } }
    }

    @Test(arguments: bothTransports, RickAndMorty.resources)
    func recordedItemIsRead(api: RickAndMorty, resource: String) async throws {
        let item = try await api.source(of: resource, answering: resource).item("1")
        #expect(id(item) == "1")
        #expect(item.path == (api == .rest ? "" : "data.\(resource)"))
    }

    @Test(arguments: bothTransports, [("character", 826, 42), ("location", 126, 7), ("episode", 51, 3)])
    func recordedPageIsRead(api: RickAndMorty, list: (resource: String, count: Int, pages: Int)) async throws {
        let source = try api.source(of: list.resource, answering: "\(list.resource)_list")
        let page = try await source.page(PageRequest(page: .number(2)))
        #expect(page.items.count == 20)
        #expect(page.items.allSatisfy { id($0) != nil })
        #expect(
            page.info
                == PageInfoDTO(
                    current: .number(2), pages: list.pages, count: list.count, next: .number(3), previous: .number(1)))
    }

    @Test(arguments: bothTransports) func missingItemIsOmittedFromTheRecordedItems(api: RickAndMorty) async throws {
        let source = try api.source(of: "character", answering: "character_many")
        let items = try await source.items(["1", "2", "3", "99999"])
        #expect(items.map { id($0) } == ["1", "2", "3"])
    }

    @Test(arguments: bothTransports, RickAndMorty.resources)
    func recordedMissingItemIsNotFound(api: RickAndMorty, resource: String) async throws {
        let source = try api.source(of: resource, answering: "\(resource)_not_found")
        let error = await failure { () throws(APIError) in try await source.item("99999") }
        #expect(error?.kind == .notFound)
    }

    @Test func errorNamesTheMissingFixture() throws {
        let error = #expect(throws: FileError.self) { try RickAndMorty.rest.response("character_of_another_show") }
        #expect(error?.message.contains("Fixtures/rest/character_of_another_show.json") == true)
    }
}
