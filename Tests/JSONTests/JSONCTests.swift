import JSON
import TestSupport
import Testing

@Suite("JSONC is JSON with comments and trailing commas", .limited)
struct JSONCTests {
    /// JSONC texts, each with the JSON that has the same value. The parser of strict JSON refuses each of these texts.
    static let texts = [
        ("// first\n{}", "{}"),
        ("{} // last", "{}"),
        ("{} //", "{}"),
        ("/**/[]/**/", "[]"),
        ("/* a * b / c **/ 1", "1"),
        ("/* // */ 1", "1"),
        ("// /* \n 1", "1"),
        ("[1,]", "[1]"),
        ("[1 , \n ]", "[1]"),
        ("{\"a\":1,}", "{\"a\":1}"),
        ("[[1,],{\"a\":[],},]", "[[1],{\"a\":[]}]"),
        ("[1, // one\n 2, /* two */ ]", "[1,2]"),
        ("[1/**/,/**/2/**/]", "[1,2]"),
        ("{/*a*/\"k\"/*b*/:/*c*/1/*d*/,/*e*/}", "{\"k\":1}"),
        ("{ // a\r\n \"k\": 1 }", "{\"k\":1}"),
        ("[/* \u{E9}\u{1F600} */]", "[]"),
        ("[\"// no\", \"/* comment */\",]", "[\"// no\",\"/* comment */\"]"),
        ("1/**//**/", "1"),
    ]

    @Test(arguments: texts)
    func commentsAndTrailingCommasAreAccepted(_ text: String, _ expected: String) throws {
        #expect(try rewritten(text, as: .jsonc) == expected)
    }

    @Test(arguments: texts)
    func commentsAndTrailingCommasAreRefusedInPlainJSON(_ text: String, _ expected: String) {
        #expect(faultIn(text) != nil)
    }

    @Test(arguments: [
        ("[1, /* two", "the comment is not closed with '*/'", 4),
        ("/*", "the comment is not closed with '*/'", 0),
        ("/*/", "the comment is not closed with '*/'", 0),
        ("/* *", "the comment is not closed with '*/'", 0),
        ("1 /* x **", "the comment is not closed with '*/'", 2),
        ("/", "expected a comment: '//' or '/*'", 0),
        ("[1] /x", "expected a comment: '//' or '/*'", 4),
        ("[1 / 2]", "expected a comment: '//' or '/*'", 3),
        ("// only", "expected a value, but the JSON ends", 7),
        ("/**/", "expected a value, but the JSON ends", 4),
        ("[,]", "expected a value, found ','", 1),
        ("[1,,]", "expected a value, found ','", 3),
        ("{,}", "expected a key in quotes, found ','", 1),
        ("{\"a\":1,,}", "expected a key in quotes, found ','", 7),
        ("{\"a\":,}", "expected a value, found ','", 5),
        ("1,", "unexpected ',' after the value", 1),
        ("{a:1}", "expected a key in quotes, found 'a'", 1),
        ("['a']", "expected a value, found '''", 1),
        ("[1,}", "expected a value, found '}'", 3),
        ("# no comment\n1", "expected a value, found '#'", 0),
        ("[1, /* x */", "expected a value, but the JSON ends", 11),
    ])
    func invalidJSONCIsRefused(_ text: String, _ reason: String, _ offset: Int) {
        #expect(faultIn(text, as: .jsonc) == JSONFault(reason, at: offset))
    }

    @Test func errorPositionsCountTheLinesOfComments() throws {
        let text = "{\n  // \u{E9}\n  /* a\n  b */ \"k\": x\n}"
        let fault = try #require(faultIn(text, as: .jsonc))
        #expect(fault.description(in: text.utf8) == "expected a value, found 'x' at line 4, column 13")
    }

    @Test func nestingDepthIsLimited() {
        let deep = String(repeating: "[/**/", count: 513)
        #expect(faultIn(deep, as: .jsonc)?.reason == "nested deeper than 512 levels")
    }
}
