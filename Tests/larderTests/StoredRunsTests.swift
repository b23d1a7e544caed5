import System
import TestSupport
import Testing

@testable import RPCServer
@testable import larder

/// Compares the output of `get`, `list` and `search` with a golden file. The commands replay recorded answers.
@Suite(.limited) struct StoredRunsTests {
    private static let lines = [
        "get character 1", "get character 1 --output yaml", "get character 1 --output record --fields id,name,nmae",
        "get character 99999", "get character", "get nothing 1",
        "list location --table --fields id,name", "list location --limit 3 --table --fields id,name",
        "list location --limit 25 --output csv --fields id,name",
        "list location --page 7 --output csv --fields id,name",
        "list location page=2 --limit 2 --output jsonl --fields id",
        "list location --sort -name --limit 3 --output tsv --fields name",
        "list episode --all --output jsonl --fields id", "list episode --all --limit 45 --table --fields id",
        "list episode --all --sort name --limit 2 --table --fields name", "list episode nmae=x",
        "list episode --sort nmae",
        "search location earth --table --fields id,name", "search location earth --limit 1 --table --fields id,name",
        "search location earth --all --table --fields name --sort name", "search location zzz --table",
        "search location --limit 2 --output jsonl --fields id",
        "search location dimension=unknown --table --fields id,name",
        "search location earth offset=1 --table --fields id,name",
    ]

    @Test func printedItemsOfCommandsMatchTheRecording() async throws {
        let folder = try TemporaryDirectory()
        let variables = ["HOME": folder.path as String, "COLUMNS": "400"]
        let environment = Environment(bytes: { variables[$0].map { Array($0.utf8) } }, homeOfUser: { nil })
        var options = Options()
        options.replay = FilePath(Fixture.path("cassettes/rickandmorty"))
        let process = try Container.process(options, environment: environment)
        var lines: [String] = []
        for line in Self.lines {
            let text = await onThread { Self.output(of: line, process, environment) }
            lines += ["== larder \(line)"] + text.split(separator: "\n").map(String.init)
        }
        _ = await process.close(within: .seconds(1))
        try GoldenFile.expect(lines, in: "people/runs.txt")
    }

    /// Returns the output and the exit code.
    private static func output(of line: String, _ process: Process, _ environment: Environment) -> String {
        do {
            let words = line.split(separator: " ").map { Argument($0.utf8) }
            guard case .people(let request, let options) = try CommandLineParser.parse(words) else { return "not run" }
            let text = Lock("")
            let run = TerminalRun(request, process, options, environment) { part in
                text.withLock { $0 += part }
                return 0
            }
            let code = run.run().code
            return text.withLock { $0 }.replacing(/just now|\d+ s ago/, with: "NOW") + "\nexit code \(code)"
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: [(EPIPE, ExitCode.success), (EIO, ExitCode.output)])
    func failedWriteEndsTheCommand(failure: Int32, code: Int32) {
        let writes = Lock(0)
        var output = TerminalOutput(writer: { _ in
            writes.withLock { $0 += 1 }
            return failure
        })
        #expect(output.write("") && !output.write("a") && !output.write("b") && !output.write(""))
        #expect(writes.withLock { $0 } == 1 && output.exitCode == code)
    }
}
