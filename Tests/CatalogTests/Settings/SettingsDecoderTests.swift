import TestSupport
import Testing

@testable import Catalog

@Suite(.limited) struct SettingsDecoderTests {
    private func decode(_ text: String) throws(CatalogFaults) -> Settings {
        try SettingsDecoder.decode(Array(text.utf8), colors: ["always", "never", "auto"])
    }

    @Test func allSettingsAreDecoded() throws {
        let settings = try decode(
            """
            // The defaults of this user.
            {"catalog": "github", "color": "never", "columns": {"issue": ["number", "user.login"], "a/b": ["c"]},}
            """)
        #expect(settings.catalogs == ["github"] && settings.color == "never")
        #expect(settings.columns == ["issue": ["number", "user.login"], "a/b": ["c"]])
        #expect(try decode(#"{"catalog": ["github", "./a.jsonc"]}"#).catalogs == ["github", "./a.jsonc"])
        #expect(try decode("{}") == Settings())
    }

    @Test(
        arguments: [
            ("[]", "1:1: the settings file must be an object"),
            (#"{"colour": 1}"#, "1:2: the settings file has no key 'colour'; did you mean 'color'?"),
            (
                #"{"catalog": 1}"#,
                "1:13: 'catalog' must be the name or path of a catalog, or an array of names and paths"
            ),
            (
                #"{"catalog": ""}"#,
                "1:13: 'catalog' must be the name or path of a catalog, or an array of names and paths"
            ),
            (
                #"{"catalog": []}"#,
                "1:13: 'catalog' must be the name or path of a catalog, or an array of names and paths"
            ),
            (
                #"{"catalog": ["a", 1]}"#,
                "1:13: 'catalog' must be the name or path of a catalog, or an array of names and paths"
            ),
            (#"{"color": "red"}"#, #"1:11: 'color' must be one of "always", "never", "auto""#),
            (#"{"columns": []}"#, "1:13: 'columns' must be an object"),
            (#"{"columns": {}}"#, "1:13: 'columns' must not be empty"),
            (#"{"columns": {"a": "b"}}"#, "1:19: 'a' must be an array of field names, such as [\"id\", \"name\"]"),
            (
                #"{"columns": {"a": ["b", ""]}}"#,
                "1:19: 'a' must be an array of field names, such as [\"id\", \"name\"]"
            ),
            (#"{"catalog": "a" "color": 1}"#, "1:17: expected ',' or '}', found '\"'"),
        ])
    func faultInTheSettingsIsReportedWithItsPosition(text: String, line: String) {
        let error = #expect(throws: CatalogFaults.self) { try decode(text) }
        #expect(error?.lines(file: "f") == ["f:\(line)"])
    }

    @Test func faultsOfColumnsHaveThePositionOfTheResourceOrField() {
        let error = #expect(throws: CatalogFaults.self) {
            try SettingsDecoder.decode(
                Array(#"{"columns": {"a": ["b", "c"], "d": ["e"]}}"#.utf8), colors: [],
                checkColumns: { if $0 == "a" { $2(1, "no \($1[1])") } else { $2(nil, "no \($0)") } })
        }
        #expect(error?.lines(file: "f") == ["f:1:25: no c", "f:1:31: no d"])
    }

    @Test(
        arguments: [
            (#"{"catalog": "a"}"#, ["f:1:13: the catalog: no a"]),
            (#"{"catalog": ["b", "a"]}"#, ["f:1:19: the catalog: no a"]),
            (#"{"catalog": "b"}"#, []),
        ])
    func unusableCatalogIsReportedAtThePositionOfItsName(text: String, lines: [String]) {
        var found: [String] = []
        do throws(CatalogFaults) {
            _ = try SettingsDecoder.decode(
                Array(text.utf8), colors: [], checkCatalog: { $0 == "a" ? "no a" : nil })
        } catch {
            found = error.lines(file: "f")
        }
        #expect(found == lines)
    }

    @Test func allFaultsInTheSettingsAreReported() {
        let error = #expect(throws: CatalogFaults.self) {
            try decode(#"{"catalog": 1, "color": 2, "columns": 3, "x": 4}"#)
        }
        #expect(error?.faults.count == 4)
    }
}
