import System
import TestSupport
import Testing

@testable import larder

@Suite(.limited) struct PromptHistoryTests {
    private let folder: TemporaryDirectory
    private var path: FilePath { FilePath(folder.file("state/larder/sql_history")) }

    init() throws { folder = try TemporaryDirectory() }

    @Test func statementsAreAppendedToAFileOfTheOwner() throws {
        var history = PromptHistory(path)
        #expect(history.lines == [])
        #expect(try history.add("select 1;") && !history.add("select 1;") && history.add("select 'ü';"))
        var other = PromptHistory(path)
        #expect(try other.lines == ["select 1;", "select 'ü';"] && other.add("select 3;") && history.add("select 4;"))
        #expect(PromptHistory(path).lines == ["select 1;", "select 'ü';", "select 3;", "select 4;"])
        #expect(folder.mode(of: "state/larder/sql_history") == 0o600)
    }

    @Test func longStatementsAndStatementsOfSeveralLinesAreNotSaved() throws {
        var history = PromptHistory(path)
        let longest = String(repeating: "x", count: PromptHistory.maxLength)
        #expect(try !history.add("") && !history.add("a\nb") && !history.add(longest + "x") && history.add(longest))
        #expect(PromptHistory(path).lines == [longest])
    }

    @Test func oldestStatementsAreRemoved() throws {
        try Files.createDirectory(path.parent)
        let lines = (0...2 * PromptHistory.maxCount).map { "select \($0);" }
        try Files.writeAtomically(Array(lines.map { $0 + "\n" }.joined().utf8), to: path)
        #expect(PromptHistory(path).lines == lines.suffix(PromptHistory.maxCount))
        #expect(try Files.read(path).count { $0 == UInt8(ascii: "\n") } == PromptHistory.maxCount)
    }

    @Test func folderThatCannotBeWrittenIsAnError() throws {
        try folder.write([], to: "state")
        var history = PromptHistory(path)
        #expect(throws: FileError.self) { try history.add("select 1;") }
    }
}
