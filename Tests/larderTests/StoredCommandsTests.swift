import JSON
import System
import TestSupport
import Testing

@testable import RPCServer
@testable import larder

/// Compares the output of commands with a golden file. The commands read fixtures and make no requests.
@Suite(.limited) struct StoredCommandsTests {
    private static let fixtures = Fixture.path("")
    private static let kinds = Fixture.path("../Tests/EndToEnd/Golden/kinds.jsonc")
    private static let replayed = ["hackernews", "pokeapi", "kubernetes", "wikipedia", "prometheus", "rickandmorty"]
    private static let lines = [
        "check KINDS", "check KINDS --json", "check FIXTURES/faults/catalog.json", "check FOLDER/bad.jsonc",
        "check FOLDER/bad.jsonc --json", "check hackernews", "check --catalog KINDS --catalog hackernews",
        "check --catalog KINDS --catalog FOLDER/bad.jsonc --json", "check FOLDER/none.jsonc",
        "check KINDS --live --offline",
        "check KINDS --live --replay FOLDER --with x=1", "check KINDS --live --replay FOLDER",
        "check KINDS --live --replay FOLDER --with owner=me --with number=7 --with thing.id=3 --with max=1",
        "check KINDS --live --replay FOLDER --with owner=me --with number=x --with max=1 --json",
        "catalog show FOLDER/small.jsonc", "catalog types FOLDER/small.jsonc", "catalog show FOLDER/bad.jsonc",
        "catalog infer FOLDER/answer.json", "catalog infer FOLDER/answer.json FOLDER/item.json",
        "catalog infer FOLDER/bad.jsonc", "catalog infer FOLDER/none.json", "catalog import FOLDER/answer.json",
        "catalog import FIXTURES/openapi/kubernetes.json --list",
        "catalog import FIXTURES/openapi/kubernetes.json --json --list",
        "catalogs", "catalogs --json", "catalogs --table", "cache stats --offline --no-persistence --catalog KINDS",
        "doctor --offline", "doctor --offline --json", "doctor --offline --no-persistence",
        "doctor --offline --catalog FOLDER/bad.jsonc", "doctor --offline --catalog FOLDER/none.jsonc",
        "doctor --offline --catalog KINDS", "doctor --offline --shared redis://u:p@h.test",
        "doctor --offline --shared nonsense",
        "doctor --replay FOLDER", "doctor --offline --cache-dir FOLDER/bad.jsonc",
        "mcp config --catalog KINDS --offline", "mcp bundle FOLDER/a.mcpb --catalog FOLDER/small.jsonc",
        "mcp bundle FOLDER/a.mcpb --catalog hackernews", "mcp bundle FOLDER/a.mcpb --cache-dir FOLDER",
        "mcp bundle FOLDER/a.mcpb --catalog FOLDER/bad.jsonc",
    ]

    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        let small = """
            {"larder": 1, "apis": {"a": {"baseURL": "https://${var:HOST:-a.test}", "auth": {"bearer": "${env:TOKEN}"}}},
             "resources": {"thing": {"api": "a", "id": "integer", "rest": {"get": {"path": "/things/{id}"}}}}}
            """
        let bad = """
            {"larder": 1, "apis": {"a": {"baseURL": "ftp://a.test", "auth": {"bearer": "literal-secret-1"}}},
             "resources": {"thing": {"api": "b", "id": "integer", "rest": {"get": {"path": "/things"}}}}}
            """
        let files = [
            "small.jsonc": small, "bad.jsonc": bad, "answer.json": #"{"items": [{"id": 7, "n": 1}], "next_page": 2}"#,
            "item.json": #"{"id": 7, "n": 1, "more": true}"#, "program": "the program",
        ]
        for (name, text) in files { try folder.write(Array(text.utf8), to: name) }
    }

    /// Runs a command on its own thread. Returns its output and exit code, or its error.
    private func run(_ line: String) async -> [String] {
        func expanded(_ word: Substring) -> String {
            String(word).replacing("FIXTURES/", with: Self.fixtures).replacing("FOLDER", with: folder.path)
                .replacing("KINDS", with: Self.kinds)
        }
        let words = line.split(separator: " ").map { Argument(expanded($0).utf8) }
        let (home, program) = (folder.path, FilePath(folder.file("program")))
        let environment = Environment(bytes: { $0 == "HOME" ? Array(home.utf8) : nil }, homeOfUser: { nil })
        let text = await onThread { Self.output(words, environment, program) }
        let shown = text.replacing(folder.path, with: "FOLDER").replacing(Self.kinds, with: "KINDS")
            .replacing(Self.fixtures, with: "FIXTURES/").replacing(Version.current, with: "VERSION")
            .replacing(/\d+ ms/, with: "N ms").replacing(/"milliseconds":\d+/, with: "\"milliseconds\":N")
        return ["== larder \(line)"] + shown.split(separator: "\n").map(String.init)
    }

    private static func output(_ words: [Argument], _ environment: Environment, _ program: FilePath) -> String {
        do {
            switch try CommandLineParser.parse(words) {
            case .check(let path, let options): return shown(try CheckCommand.run(path, options, environment))
            case .catalog(let action, let words, let options):
                return shown(try CatalogCommand.run(action, words, options, environment))
            case .catalogs(let options): return CatalogList.text(environment, view(options))
            case .cache(.stats, _, let options):
                let process = try Container.process(options.process, environment: environment)
                return CacheStatistics(process)?.text(view(options)) ?? "no statistics"
            case .doctor(let options): return shown(try DoctorCommand.run(options, environment))
            case .mcpConfig(let given, let options):
                return try MCPCommand.config(given, options, environment, program: "/larder").0
            case .mcpBundle(let path, let given, let options):
                let text = try MCPBundle.write(to: path, given, options, environment, program: program)
                return text + "\n" + manifest(String(decoding: try Files.read(path ?? ""), as: UTF8.self))
            case let command: return "not run: \(command)"
            }
        } catch let error as StartupError {
            return (error.lines + ["exit code \(error.exitCode)"]).joined(separator: "\n")
        } catch {
            return "\(error)"
        }
    }

    private static func view(_ options: CommandOptions) -> TerminalView {
        let terminal = Terminal(isTerminal: false, columns: 100, colour: .never) { _ in "xterm" }
        return TerminalView(terminal, isSingle: false, options, ClockMock())
    }

    /// Returns the manifest of a bundle, which stores its files without compression.
    private static func manifest(_ bundle: String) -> String {
        let start = bundle.ranges(of: "{\n  \"manifest_version\"").first?.lowerBound ?? bundle.startIndex
        let end = bundle[start...].ranges(of: "\n}\n").first?.upperBound ?? bundle.endIndex
        return String(bundle[start..<end])
    }

    private static func shown(_ result: (text: String, code: Int32)) -> String {
        "\(result.text)\nexit code \(result.code)"
    }

    @Test func outputOfCommandsMatchesTheRecording() async throws {
        var lines: [String] = []
        for line in Self.lines { lines += await run(line) }
        try GoldenFile.expect(lines, in: "people/output.txt")
    }

    @Test func liveChecksOfRecordedAPIsMatchTheRecording() async throws {
        var lines: [String] = []
        for name in Self.replayed {
            let line = "check FIXTURES/catalogs/\(name).jsonc --live --replay FIXTURES/cassettes/\(name)"
            lines += await run(line)
        }
        lines += await run(
            "check FIXTURES/catalogs/hackernews.jsonc --live --replay FIXTURES/cassettes/hackernews --json")
        try GoldenFile.expect(lines, in: "people/live.txt")
    }
}
