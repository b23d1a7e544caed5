import Catalog
import JSON
import TestSupport
import Testing

@testable import larder

@Suite(.limited) struct SyncedCopyTests {
    private static let syncs: JSONValue = [
        "syncs": [
            ["resource": "other", "syncedAt": "incomplete", "complete": false],
            ["resource": "other", "syncedAt": "o", "complete": true],
            ["resource": "thing", "scope": ["owner": "a"], "syncedAt": "a", "complete": true],
            ["resource": "thing", "scope": ["owner": 7], "syncedAt": "7", "complete": true],
            [
                "resource": "thing", "scope": ["owner": "a"], "filter": ["state": "x", "size": 2], "syncedAt": "x2",
                "complete": true,
            ],
        ]
    ]

    private static func resource(_ name: String) throws -> ResourceDefinition {
        let catalog = """
            {
              "larder": 1, "apis": {"a": {"baseURL": "http://127.0.0.1:1"}},
              "resources": {
                "thing": {
                  "api": "a", "id": "integer", "scope": {"owner": "string"}, "rest": {"list": {"path": "/{owner}/things"}}
                },
                "other": {"api": "a", "id": "integer", "rest": {"list": {"path": "/others"}}}
              }
            }
            """
        let resources = try CatalogDecoder.decode(Array(catalog.utf8), secrets: .empty).resources
        return try #require(resources.first { $0.name == name })
    }

    @Test(
        arguments: [
            ("other", [:], "o"), ("thing", ["owner": "a", "page": 2], "a"), ("thing", ["owner": "7"], "7"),
            ("thing", ["owner": "a", "filter": ["size": "2", "state": "x"]], "x2"),
            ("thing", ["owner": "b"], nil), ("thing", ["owner": "a", "filter": ["state": "x"]], nil),
            ("other", ["filter": ["state": "x"]], nil),
        ] as [(String, JSONValue, String?)])
    func copyIsThatOfTheRequestedList(resource: String, params: JSONValue, syncedAt: String?) throws {
        guard case .object(let params) = params else { throw CancellationError() }
        let copy = SyncedCopy(of: try Self.resource(resource), for: params)
        #expect(copy.syncedAt(in: Self.syncs)?.string == syncedAt)
    }

    @Test func missingAnswerMeansNoCopy() throws {
        #expect(SyncedCopy(of: try Self.resource("other"), for: JSONObject()).syncedAt(in: nil) == nil)
    }
}
