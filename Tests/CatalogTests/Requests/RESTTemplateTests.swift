import JSON
import Model
import TestSupport
import Testing

@testable import Catalog

@Suite(.limited) struct RESTTemplateTests {
    private func endpoint(_ values: PlaceholderValues, _ change: (inout RESTTemplate) -> Void) throws -> Endpoint {
        var template = RESTTemplate(path: .root, query: [], headers: [])
        change(&template)
        return try template.endpoint(values)
    }

    private func constant(_ text: String) -> QueryConstant {
        QueryConstant("q", [TextTemplate(text, places: ["ids", "owner"])])
    }

    @Test func acceptHeaderRequestsNDJSONOnlyIfTheResponseIsInLines() throws {
        let plain = try endpoint(PlaceholderValues()) { _ in }
        #expect(plain.accept != "application/x-ndjson" && !plain.hasSecretBody)
        #expect(try endpoint(PlaceholderValues()) { $0.isLines = true }.accept == "application/x-ndjson")
        #expect(try endpoint(PlaceholderValues()) { $0.isBodyExpanded = true }.hasSecretBody)
    }

    /// A query parameter is repeated for each id only if its value is exactly `{ids}`.
    @Test(
        arguments: [
            ("{ids}", ["1", "2"]), ("x{ids}", ["x1", "x2"]), ("{owner}", ["ann"]), ("plain", ["plain"]),
            ("{owner}/{ids}", ["ann/1&2"]),
        ])
    func parameterIsRepeatedForEachID(text: String, expected: [String]) throws {
        var values = PlaceholderValues(ids: ["1", "2"], join: PlaceholderValues.repeated)
        values.scope = [("owner", "ann")]
        let query = try endpoint(values) { $0.query = [constant(text)] }.query
        #expect(query.map(\.value).count == expected.count, "\(query)")
        if !text.contains("/") { #expect(query.map(\.value) == expected) }
    }

    @Test func placeholderValuesAreEqualOnlyIfAllPartsAreEqual() {
        let values = PlaceholderValues(ids: ["1"], join: ",", .integer)
        #expect(values == PlaceholderValues(ids: ["1"], join: ",", .integer))
        #expect(values != PlaceholderValues(ids: ["2"], join: ",", .integer))
        #expect(values != PlaceholderValues(ids: ["1"], join: "|", .integer))
        #expect(values != PlaceholderValues(ids: ["1"], join: ",", .string))
        var scoped = values
        scoped.scope = [("owner", "ann")]
        #expect(values != scoped && scoped == scoped)
    }

    /// If a GraphQL document cannot be parsed, each name after a `$` counts as a declared variable.
    @Test(arguments: [("$a", ["a"]), ("query ($a", ["a"]), ("{ x(a: $b_1, c: $$c)", ["b_1", "", "c"]), ("{", [])])
    func variablesOfAnInvalidGraphQLDocumentAreTheNamesAfterDollarSigns(query: String, names: [String]) {
        #expect(GraphQLTemplate(query: query, operationName: nil, errors: []).variables == Set(names))
    }
}
