import TestSupport
import Testing

@testable import larder

/// Tests how the prompt finds the end of a statement.
@Suite(.limited) struct SQLScannerTests {
    @Test(
        arguments: [
            ("select 1;", 9), ("select 1; select 2;", 9), ("select 1", nil), ("", nil), (";", 1),
            ("select ';';", 11), ("select 'it''s;", nil), (#"select ";";"#, 11), ("select `;`;", 11),
            ("select [;];", 11),
            ("select 1 -- a; b", nil), ("select 1 -- a; b\n;", 18), ("select /* ; */ 1;", 17), ("select /* ; ", nil),
            ("select /*/ ; */ 1;", 18), ("select 5 - 3 / 2;", 17), ("select 'ü';", 12),
        ] as [(String, Int?)])
    func statementEndsAtTheFirstSemicolonOutsideOfTextsAndComments(sql: String, end: Int?) {
        #expect(SQLScanner(sql).end == end)
    }

    @Test(arguments: ["select 'a", #"select "a"#, "select [a", "select /* a", "select -- a", "'a'''", "/* *"])
    func openTextsAndCommentsAreRecognized(sql: String) {
        #expect(SQLScanner(sql).isOpen == (sql != "'a'''"))
    }

    @Test(
        arguments: [
            ("select 1,\n  2\n;", "select 1, 2 ;"), ("  select\t1 -- one\n, 2;", "select 1 , 2;"),
            ("select 'a  b';\n", "select 'a  b';"), ("select 'a\nb';", nil), ("/* x */ select /* y */ 1;", "select 1;"),
        ] as [(String, String?)])
    func statementIsPutOnOneLine(sql: String, line: String?) {
        #expect(SQLScanner(sql).oneLine == line)
    }

    @Test func tokensAreWordsNamesTextsAndPunctuation() {
        let tokens = SQLScanner(#"select a1, "b""c".[d] 'x' 2"#).tokens
        #expect(
            tokens == [
                .word("select"), .word("a1"), .mark(","), .name(#"b"c"#), .mark("."), .name("d"), .text, .word("2"),
            ])
    }
}
