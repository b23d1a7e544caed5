import JSON
import Mocks
import Protocol
import System
import TestSupport
import Testing

@testable import RPCServer
@testable import larder

/// Tests which local copies `larder sql --sync` updates before a statement.
@Suite(.limited) struct QuerySyncTests {
    private let folder: TemporaryDirectory
    private let server: LoopbackServer

    init() throws {
        folder = try TemporaryDirectory()
        server = try LoopbackServer { request in
            request.target.hasPrefix("/broken")
                ? .normal(status: 500, body: Array("{}".utf8)) : .text(#"[{"id":1},{"id":2}]"#)
        }
        func resource(_ path: String, scope: String = "") -> String {
            """
            {"api": "a", "id": "integer", \(scope)"fields": {"id": "integer"}, "rest": {"list": {"path": "\(path)"}}}
            """
        }
        let catalog = """
            {"larder": 1, "apis": {"a": {"baseURL": "\(server.origin)", "retries": 0}}, "resources": {
             "ticket": \(resource("/tickets")), "user": \(resource("/users")), "broken": \(resource("/broken")),
             "note": \(resource("/notes/{team}", scope: #""scope": {"team": "string"}, "#))}}
            """
        try folder.write(Array(catalog.utf8), to: "a.jsonc")
    }

    private func process() throws -> RPCServer.Process {
        var options = Options()
        options.catalog = FilePath(folder.file("a.jsonc"))
        return try Container.process(options, environment: Self.environment(folder))
    }

    private static func environment(_ folder: TemporaryDirectory) -> Environment {
        let home = Array(folder.path.utf8)
        return Environment(bytes: { $0 == "HOME" ? home : nil }, homeOfUser: { nil })
    }

    /// Returns the error message of the sync before a statement; nil if it succeeded.
    private func sync(
        _ statement: String, params: JSONValue? = nil, maxAge: Int = 3_600_000, _ process: RPCServer.Process
    ) async -> String? {
        await onThread { [folder] in
            let options = CommandOptions()
            let environment = Self.environment(folder)
            let client = InProcessClient(process.serving)
            let sync = QuerySync(
                client: client, fetcher: ListFetcher(process, client, options, environment),
                tables: SQLTables(process, []), maxAge: maxAge, endsOnSignals: false)
            do throws(SQLFailure) {
                _ = try sync.run(
                    statement, JSONObject([("sql", .string(statement))] + (params.map { [("params", $0)] } ?? [])))
                return nil
            } catch {
                return error.lines
            }
        }
    }

    private var targets: [String] { server.requests.map(\.target) }

    @Test func onlyTheTablesOfTheStatementAreSynced() async throws {
        let process = try process()
        #expect(await sync("select count(*) from ticket where id > ?", params: [1], process) == nil)
        #expect(targets == ["/tickets"])
        #expect(await sync("select 1 from ticket t, user u", process) == nil)
        #expect(targets == ["/tickets", "/users"])
        #expect(await sync("select 1", process) == nil && targets.count == 2)
        _ = await process.close(within: .seconds(1))
    }

    @Test func copyIsSyncedAgainIfItIsTooOld() async throws {
        let process = try process()
        for count in 1...2 {
            #expect(await sync("select 1 from ticket", maxAge: 0, process) == nil)
            #expect(targets == Array(repeating: "/tickets", count: count))
        }
        _ = await process.close(within: .seconds(1))
    }

    @Test func onlyKnownScopesAreSynced() async throws {
        let process = try process()
        let refusal = "larder: no local copy of 'note' to sync\n  start with: larder sync note team=VALUE\n"
        #expect(await sync("select 1 from note", process) == refusal && targets == [])
        let made = await onThread { InProcessClient(process.serving).ask("note/sync", ["team": "a"]).result != nil }
        #expect(made && targets == ["/notes/a"])
        #expect(await sync("select 1 from note", maxAge: 0, process) == nil)
        #expect(targets == ["/notes/a", "/notes/a"])
        _ = await process.close(within: .seconds(1))
    }

    @Test func failedSyncIsAnError() async throws {
        let process = try process()
        let message = await sync("select 1 from broken", process)
        #expect(message?.hasPrefix("larder: cannot sync broken: ") == true, "\(message ?? "no error")")
        _ = await process.close(within: .seconds(1))
    }

    @Test(arguments: ["select nme from ticket", "delete from ticket", ""])
    func invalidStatementCausesNoRequest(statement: String) async throws {
        let process = try process()
        #expect(await sync(statement, process) == nil && targets == [])
        _ = await process.close(within: .seconds(1))
    }
}
