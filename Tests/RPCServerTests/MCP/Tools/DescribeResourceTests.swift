import JSON
import System
import TestSupport
import Testing

@testable import RPCServer

/// Tests what `describe_resource` reports about the items of a list.
@Suite(.limited) struct DescribeResourceTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    @Test(
        arguments: [
            (#""of": "ids""#, true, "ids only: get the items with get_item"), (#""of": "ids""#, false, "ids only"),
            (#""of": "ids", "hydrate": true"#, true, nil), (#""complete": false, "hydrate": true"#, true, nil),
            (#""complete": false"#, true, "items in lists may lack fields that get_item returns"),
            (#""complete": false"#, false, nil), (#""complete": true"#, true, nil),
        ] as [(String, Bool, String?)])
    func listOfPartialItemsIsDescribed(keys: String, canGet: Bool, text: String?) async throws {
        let get = canGet ? #""get": {"path": "/things/{id}"}, "# : ""
        let catalog = """
            {"larder": 1, "apis": {"a": {"baseURL": "http://127.0.0.1:1"}}, "resources": {"thing": {"api": "a",
             "id": "integer", "fields": {"id": "integer"}, "rest": {\(get)"list": {"path": "/things", \(keys)}}}}}
            """
        try folder.write(Array(catalog.utf8), to: "a.jsonc")
        var options = Options()
        (options.catalog, options.isOffline) = (FilePath(folder.file("a.jsonc")), true)
        let home = folder.path
        let process = try Container.process(options, environment: Environment { $0 == "HOME" ? home : nil })
        let request = MCPStage.request("tools/call", #""name":"describe_resource","arguments":{"resource":"thing"},"#)
        let reply = try JSONValue(parsing: await TestSession(process.serving).reply(to: request))
        let shown = reply["result"]?["structuredContent"]
        #expect(shown?["resource"] == "thing")
        #expect(shown?["lists"] == text.map { .string($0) })
        #expect((shown?["uriTemplate"] == "larder://thing/{id}") == canGet)
    }
}
