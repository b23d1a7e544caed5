import JSON
import TestSupport
import Testing

@Suite("A view reads values in place", .limited)
struct JSONViewTests {
    @Test func lastOfEqualJSONKeysIsFound() throws {
        try withView(of: #"{"a": 1, "b": 2, "a": {"a": 3}, "\u0061": 4}"#) { view in
            #expect(view["a"]?.integer == 4)
            #expect(view["b"]?.integer == 2)
            #expect(view["c"] == nil)
        }
    }

    @Test func onlyStringsWithoutEscapesArePlain() throws {
        try withView(of: #"["get", "g\u0065t", "got", 1]"#) { view in
            #expect(view.elements.map { $0.isPlain(Array("get".utf8)) } == [true, false, false, false])
            #expect(view.elements.map { $0.isString("get") } == [true, true, false, false])
            #expect(view.elements.map { $0.plainContents?.count } == [3, nil, 3, nil])
        }
    }

    @Test func jsonMembersKeepOrderAndDuplicates() throws {
        try withView(of: #"{"z": 1, "a": [2, {"x": 3}], "z": "4", "": null}"#) { view in
            #expect(view.members.map { $0.key.string } == ["z", "a", "z", ""])
            #expect(view.members.map { $0.value.kind } == [.number, .array, .string, .null])
            #expect(view.elements.map(\.kind) == [])
        }
    }

    @Test func jsonArrayElementsKeepTheirOrder() throws {
        try withView(of: #"[[1, [2]], {"a": {"b": []}}, "x", true, null]"#) { view in
            #expect(view.elements.map(\.kind) == [.array, .object, .string, .true, .null])
            #expect(view.elements.first { _ in true }?.elements.map { $0.integer } == [1, nil])
            #expect(view.members.map { $0.key.string } == [])
            #expect(view["0"] == nil)
        }
    }

    @Test(arguments: ["1", "\"a\"", "null", "true", "[]", "{}"])
    func scalarsAndEmptyContainersHaveNoChildren(_ text: String) throws {
        try withView(of: text) { view in
            #expect(view["a"] == nil)
            #expect(Array(view.members).isEmpty)
            #expect(Array(view.elements).isEmpty)
        }
    }

    @Test(arguments: [
        (#""""#, ""),
        (#""plain""#, "plain"),
        (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
        (#""\u0041\u00e9\u00E9\u20ac\uFFFF""#, "A\u{E9}\u{E9}\u{20AC}\u{FFFF}"),
        (#""\uD83D\uDE00""#, "\u{1F600}"),
        (#""a\uD800\uDC00b\uDBFF\uDFFFc""#, "a\u{10000}b\u{10FFFF}c"),
        (#""\u0000x\u001f""#, "\u{0}x\u{1F}"),
        (#""\\u0041""#, "\\u0041"),
        (#""\\\\n""#, "\\\\n"),
        ("\"\u{E9}\\n\u{20AC}\\t\u{1F600}\"", "\u{E9}\n\u{20AC}\t\u{1F600}"),
        (#""\u2028\u2029\u0085""#, "\u{2028}\u{2029}\u{85}"),
    ])
    func jsonStringEscapesAreResolved(_ text: String, _ expected: String) throws {
        try withView(of: text) { view in
            #expect(view.string.map { Array($0.utf8) } == Array(expected.utf8))
            #expect(view.isString(expected))
            #expect(!view.isString(expected + "x"))
            #expect(String(decoding: view.token, as: UTF8.self) == text)
        }
    }

    /// Keys are compared as Unicode scalars: a composed and a decomposed accent are two keys (RFC 8259, section 8.3).
    @Test(arguments: ["\"e\u{301}\"", #""e\u0301""#, #""\u0065\u0301""#])
    func stringsAreComparedByUnicodeScalars(_ decomposed: String) throws {
        let (same, other): (StaticString, StaticString) = ("e\u{301}", "\u{E9}")
        try withView(of: decomposed) { view in
            #expect(view.isString("\(same)"))
            #expect(view.isString(same))
            #expect(!view.isString("\(other)"))
            #expect(!view.isString(other))
        }
        try withView(of: "{\(decomposed): 1, \"\u{E9}\": 2}") { view in
            #expect(view["\(same)"]?.integer == 1)
            #expect(view[same]?.integer == 1)
            #expect(view["\(other)"]?.integer == 2)
            #expect(view[other]?.integer == 2)
        }
    }

    /// A lookup by a static string returns the last member with that key, even if the key is written with escapes.
    @Test func membersAreFoundByStaticStrings() throws {
        let (a, empty, missing): (StaticString, StaticString, StaticString) = ("a", "", "aa")
        try withView(of: #"{"a": 1, "": 2, "\u0061": 3, "b": "a"}"#) { view in
            #expect(view[a]?.integer == 3)
            #expect(view[empty]?.integer == 2)
            #expect(view[missing] == nil)
            #expect(view["b"]?.isString(a) == true)
            #expect(!view.isString(a))
        }
    }

    @Test(arguments: [
        ("0", 0), ("-0", 0), ("42", 42), ("-1", -1), ("9223372036854775807", Int.max),
        ("-9223372036854775808", Int.min), ("9223372036854775808", nil), ("-9223372036854775809", nil),
        ("1.0", nil), ("1e3", nil), ("1E0", nil), ("\"1\"", nil), ("true", nil), ("null", nil), ("[1]", nil),
    ])
    func integerIsReadIfItFitsIntoInt(_ text: String, _ expected: Int?) throws {
        try withView(of: text) { #expect($0.integer == expected) }
    }

    @Test(arguments: [
        ("0", true), ("-9", true), ("1234567890", true), ("123456789012345678901234567890", true), ("1.0", false),
        ("1e3", false), ("1E3", false), ("\"1\"", false), ("\"\"", false), ("[]", false), ("{}", false),
        ("true", false), ("null", false),
    ])
    func jsonNumberWithOnlyDigitsIsAnInteger(_ text: String, _ isInteger: Bool) throws {
        try withView(of: text) { #expect($0.isInteger == isInteger) }
    }

    @Test(arguments: [
        ("0", 0), ("1.5", 1.5), ("-2e3", -2000), ("1E-1", 0.1), ("1e400", .infinity), ("1e-400", 0), ("\"1\"", nil),
        ("null", nil), ("[]", nil),
    ])
    func doubleIsReadFromNumbersOnly(_ text: String, _ expected: Double?) throws {
        try withView(of: text) { #expect($0.double == expected) }
    }

    @Test func booleansAndNullsAreRecognized() throws {
        try withView(of: #"[true, false, null, 0, 1, "true"]"#) { view in
            #expect(view.elements.map { $0.bool } == [true, false, nil, nil, nil, nil])
            #expect(view.elements.map(\.isNull) == [false, false, true, false, false, false])
        }
    }

    @Test(arguments: ["-0.0", "1.50", "1E+0400", "123456789012345678901234567890.10"])
    func numberKeepsItsDigits(_ text: String) throws {
        try withView(of: text) { view in
            #expect(view.number == text)
            #expect(view.string == nil)
        }
    }

    @Test func offsetOfAJSONValueIsThePositionOfItsFirstByte() throws {
        try withView(of: " { \"a\" : [ 1 , {} ] }") { view in
            #expect(view.offset == 1)
            #expect(view["a"]?.offset == 9)
            #expect(view["a"]?.elements.map(\.offset) == [11, 15])
            #expect(view["a"].map { String(decoding: $0.token, as: UTF8.self) } == "[ 1 , {} ]")
        }
    }

    @Test func emptyJSONTapeIsReadAsNull() {
        [UInt8]().withUnsafeBytes { bytes in
            JSONTape().withRoot(in: bytes) { view in
                #expect(view.isNull)
                #expect(view["a"] == nil)
            }
        }
    }

    @Test func reusedTapeForgetsThePreviousText() throws {
        var tape = JSONTape()
        for text in ["[1, 2, 3]", "{\"a\": [true]}", "7"] {
            try Array(text.utf8).withUnsafeBytes { bytes in
                try tape.parse(bytes)
                tape.withRoot(in: bytes) { #expect(String(decoding: $0.token, as: UTF8.self) == text) }
            }
        }
    }

    /// The offset in the text for each byte of a string's value, and for the closing quote.
    @Test(
        arguments: [
            (#" "abc""#, [2, 3, 4, 5]), (#""a\nb""#, [1, 2, 4, 5]), (#""\u00e9x""#, [1, 1, 7, 8]),
            (#""\ud83d\ude00x""#, [1, 1, 1, 1, 13, 14]), (#""\u20acx""#, [1, 1, 1, 7, 8]), (#""\u0041x""#, [1, 7, 8]),
            ("\"éx\"", [1, 2, 3, 4]), (#""""#, [1]),
        ])
    func offsetsOfBytesInAJSONStringAreFound(text: String, places: [Int]) throws {
        try withView(of: text) { view in
            #expect(view.string?.utf8.count == places.count - 1)
            #expect(view.offsets(ofBytes: Array(places.indices)) == places)
            for (index, place) in places.enumerated() { #expect(view.offsets(ofBytes: [index]) == [place]) }
            #expect(view.offsets(ofBytes: [1000]).first == places.last)
        }
    }

    @Test(
        arguments: [
            (#""abc""#, 2, "ab"), (#""abc""#, 3, "abc"), (#""abc""#, 9, "abc"), (#""abc""#, 0, ""),
            ("\"a\u{e9}x\"", 2, "a"), ("\"a\u{e9}x\"", 3, "a\u{e9}"), (#""\u0041\u0042c""#, 2, "AB"),
            (#""\ud83d\ude00x""#, 3, ""), (#""\ud83d\ude00x""#, 4, "\u{1F600}"),
        ])
    func stringIsCutBetweenScalars(text: String, count: Int, beginning: String) throws {
        try withView(of: text) { #expect($0.string(atMost: count) == beginning) }
    }

    @Test func onlyStringsCanBeCut() throws { try withView(of: "12") { #expect($0.string(atMost: 9) == nil) } }
}
