import CatalogTools
import JSON
import TestSupport
import Testing

/// Compares drafts of trimmed public GraphQL schemas with golden files.
@Suite(.limited) struct PublishedSchemasTests {
    private static let types = ["Run", "Asset", "Job", "Repository"]

    @Test func draftedTypesOfAPublishedSchemaMatchTheRecording() async throws {
        let answer = String(decoding: try Fixture.read("graphql/published/dagster.json"), as: UTF8.self)
        var lines = try await GraphQLText.text(answer: answer, .table).split(separator: "\n").map(String.init)
        let draft = try await GraphQLText.text(answer: answer, .types(Self.types))
        #expect(DraftText.faults(in: draft) == [])
        lines += draft.split(separator: "\n").map(String.init)
        try GoldenFile.expect(lines, in: "graphql/published/dagster.txt")
    }
}
