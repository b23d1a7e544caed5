import TestSupport
import Testing

@testable import RPCServer
@testable import larder

/// Compares completions of incomplete command lines with a golden file.
@Suite(.limited) struct StoredCompletionsTests {
    private static let lines = [
        "", "g", "c", "watch ", "catalog ", "cache ", "cache clear ", "mcp ", "mcp config ", "help ", "help catalog ",
        "completions ", "get ", "get th", "get note ", "get note owner=me ", "get note part=", "get note 1 ",
        "get note 1 part=",
        "list ", "list thing ", "list thing st", "list thing state=", "list thing state=o", "list thing state=open ",
        "list thing tags=a ", "list thing isNew=", "list member ", "search ", "search thing ", "search thing x ",
        "search thing state=", "prefetch ", "prefetch thing ", "sync ", "watch list ", "watch thing ",
        "watch list thing ",
        "open ", "open note ", "call ", "call thing/", "call thing/list ", "call thing/list page=1 ",
        "call thing/get cachePolicy=",
        "call cache/remove ", "call cache/remove resource=", "call nothing ", "resources ", "add n ", "remove ",
        "check ",
        "catalog show ", "catalog infer ", "catalog import ", "doctor ", "nonsense ", "get nothing ", "-", "--c",
        "get -", "list thing --",
        "check --", "list --fields ", "list thing --fields ", "list thing --fields id,", "list thing --fields=id,n",
        "list thing --sort -",
        "list thing --sort id,-", "--catalog ", "--catalog=", "--var ", "--base-url ", "check --with ", "--output ",
        "--color=", "--memory ",
        "--shared-mode ", "--nonsense=", "--offline=", "-- -", "github/", "get github/", "list gith",
    ]

    @Test func completionsMatchTheRecording() throws {
        let folder = try TemporaryDirectory()
        let home = folder.path
        let environment = Environment(bytes: { $0 == "HOME" ? Array(home.utf8) : nil }, homeOfUser: { nil })
        let catalog = Fixture.path("../Tests/EndToEnd/Golden/kinds.jsonc")
        var lines: [String] = []
        for line in Self.lines {
            let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
            for selection in [["--catalog", catalog], []] where !selection.isEmpty || !line.contains("thing") {
                let text = Completer.text(selection + words, environment)
                lines.append("== larder \(selection.isEmpty ? "" : "--catalog FILE ")\(line)")
                lines += text.split(separator: "\n").map(String.init)
            }
        }
        try GoldenFile.expect(lines, in: "people/completions.txt")
    }
}
