import TestSupport
import Testing

@testable import larder

/// Tests the words that the prompt suggests.
@Suite(.limited) struct SQLCompletionTests {
    private static let completion = SQLCompletion([
        .init(name: "ticket", columns: ["id", "title", "order", "_json"]),
        .init(name: "user", columns: ["id", "name"]), .init(name: "github.issue", columns: ["number", "title"]),
        .init(name: "my-list", columns: ["id"]),
    ])

    /// Returns the suggestions at the character `|` of a statement.
    private static func words(_ sql: String) -> [String] {
        let parts = sql.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        let breaks: Set<Character> = [" ", ",", "(", ")", "=", "\n", "'", ";"]
        let word = String(parts[0].reversed().prefix { !breaks.contains($0) }.reversed())
        return completion.words(for: .init(before: parts[0], after: parts[1], word: word))
    }

    @Test(
        arguments: [
            ("sel|", ["select"]), ("SEL|", ["SELECT"]), ("|", ["explain", "select", "values", "with"]),
            ("select 1; wi|", ["with"]), (".s|", [".schema"]), (".schema ti|", ["ticket"]), ("tick|", []),
            ("select * from ti|", ["ticket"]), ("select * fr|", ["from"]), ("select coun|", ["count"]),
            ("select * from ticket\nwhe|", ["when", "where"]), ("select * from \"gi|", [#""github.issue""#]),
            ("select * from git|", [#""github.issue""#]), ("select * from my|", [#""my-list""#]),
            ("select * from |", [#""github.issue""#, #""my-list""#, "ticket", "user"]),
            ("select * from ticket, us|", ["user"]), ("select * from ticket t join us|", ["user"]),
            ("select 'sel|", []), ("select -- sel|", []), ("select 1 from ticket where id = |", ["id", "ticket"]),
        ])
    func wordIsCompletedByItsPlace(sql: String, words: [String]) {
        let found = Self.words(sql)
        #expect(sql.contains("where id = |") ? Set(found).isSuperset(of: words) : found == words)
    }

    @Test(
        arguments: [
            ("select tit| from ticket", ["title"]), ("select na| from ticket", ["natural"]),
            ("select na| from user", ["name", "natural"]), ("select ord| from ticket", [#""order""#, "order"]),
            ("select t.t| from ticket t", ["t.title"]), ("select T.i| from ticket AS t", ["T.id"]),
            ("select i.n| from \"github.issue\" i", ["i.number"]),
            ("select user.| from user", ["user.id", "user.name"]),
            (#"select "github.issue".n| from "github.issue""#, [#""github.issue".number"#]),
            ("select x.n| from user u", []), ("select _j|", ["_json"]),
        ])
    func columnIsCompletedByTheTablesOfTheStatement(sql: String, words: [String]) {
        #expect(Self.words(sql) == words)
    }

    @Test(
        arguments: [
            ([], "x", []), (["select"], "SE", ["select"]),
            (["title", "title_de"], "ti", ["title", "title", "title_de"]),
            (["name", "number"], "n", ["n", "name", "number"]), (["id", "\"id-2\""], "i", ["i", "id", "\"id-2\""]),
            (["größe", "größte"], "gr", ["größ", "größe", "größte"]),
        ])
    func wordIsReplacedByTheCommonBeginning(suggestions: [String], word: String, texts: [String]) {
        #expect(LineEditor.replacements(suggestions, of: word) == texts)
    }

    @Test(
        arguments: [
            (".help", .help), ("exit", .quit), ("quit;", .quit), (".quit", .quit), (".tables", .tables),
            (".schema", .schema(nil)), (#".schema "my-list""#, .schema("my-list")), (".schema a;", .schema("a")),
            (".nme x", .unknown(".nme x")), ("select 1", nil), (".5", nil), ("", nil), ("exit now", nil),
        ] as [(String, PromptCommand?)])
    func commandsOfThePromptAreRecognized(line: String, command: PromptCommand?) {
        #expect(PromptCommand(line) == command)
    }
}
