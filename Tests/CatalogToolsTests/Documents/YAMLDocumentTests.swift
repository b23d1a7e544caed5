import JSON
import TestSupport
import Testing

@testable import CatalogTools

@Suite(.limited) struct YAMLDocumentTests {
    private func json(_ text: String) throws -> String {
        String(decoding: try YAMLDocument.json(Array(text.utf8)), as: UTF8.self)
    }

    @Test(
        arguments: [
            ("a: 1\nb: [x, 'y', \"z\\n\"]\n", #"{"a":1,"b":["x","y","z\n"]}"#),
            ("- off\n- no\n- 2026-01-31\n- =\n", #"["off","no","2026-01-31","="]"#),
            ("a:\nb: {}\nc: []\n", #"{"a":null,"b":{},"c":[]}"#),
            (
                "a: |\n  one\n  two\nb: >-\n  one\n  two\n\n  three\nc: |+\n  x\n\n",
                #"{"a":"one\ntwo\n","b":"one two\nthree","c":"x\n\n"}"#
            ),
            ("200: ok\n'404': none\ntrue: yes\n", #"{"200":"ok","404":"none","true":"yes"}"#),
            ("{\"a\":1,b: [2,],}", #"{"a":1,"b":[2]}"#), ("%YAML 1.2\n---\na: 1\n...\n", #"{"a":1}"#),
            ("# only\na: 1 # comment\nb: x#y\n", #"{"a":1,"b":"x#y"}"#), ("\u{FEFF}a: 1", #"{"a":1}"#),
            ("a: !!python/tuple [1, 2]\nb: !!str 1\n", #"{"a":[1,2],"b":"1"}"#),
            ("a: x\u{2028}y\nb: \"\u{7F}\u{85}\u{9B}\"\n", #"{"a":"x y","b":"\#u{FFFD} \#u{FFFD}"}"#),
            ("a: \"\\u00e9\\x41\\/\"", #"{"a":"\#u{E9}A/"}"#),
        ])
    func yamlDocumentsAreConvertedToJSON(text: String, expected: String) throws {
        #expect(try json(text) == expected)
        #expect(throws: Never.self) { try JSONDocument(YAMLDocument.json(Array(text.utf8))) }
    }

    /// The bytes 0xC2 and 0xE2 start characters that libyaml would read differently.
    @Test(arguments: [[0xC2], [0xE2], [0xE2, 0x80], [0x7F]] as [[UInt8]])
    func yamlTextMayEndWithAnIncompleteCharacter(end: [UInt8]) throws {
        let text = Array("a: x".utf8) + end
        #expect(YAMLCharacters.readable(text) == (end == [0x7F] ? Array("a: x\u{FFFD}".utf8) : text))
    }

    @Test func deepNestingIsReportedWithItsPlace() {
        let text = "a: " + String(repeating: "[", count: 600)
        let error = #expect(throws: CatalogDraftError.self) { try DocumentText.json(Array(text.utf8)) }
        // The mapping is level 1, so the sequence at column 515 is level 513.
        #expect(error?.message == "the document is not YAML: nested deeper than 512 levels at line 1, column 515")
    }

    @Test(
        arguments: [
            ("a: &x {b: 1}\nc: *x\n", #"{"a":{"b":1},"c":{"b":1}}"#), ("- &x 1\n- *x\n- &x 2\n- *x\n", "[1,1,2,2]"),
            ("a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  c: 3\n", #"{"a":{"b":1,"c":2},"d":{"c":3,"b":1}}"#),
            ("<<: [{a: 1, b: 2}, {b: 3, c: 4}]\nd: 5\n", #"{"d":5,"a":1,"b":2,"c":4}"#),
            (
                "x: &x {a: 1}\ny: &y {<<: *x, b: 2}\nz: {<<: *y}\n",
                #"{"x":{"a":1},"y":{"b":2,"a":1},"z":{"b":2,"a":1}}"#
            ),
            ("'<<': {a: 1}\n", #"{"<<":{"a":1}}"#), ("&k key: 1\nb: {*k : 2}\n", #"{"key":1,"b":{"key":2}}"#),
        ])
    func yamlAliasesAndMergeKeysAreExpanded(text: String, expected: String) throws {
        #expect(try json(text) == expected)
    }

    @Test(
        arguments: [
            ("a: 1\nb: 2\na: 3\n", "the key 'a' of line 1 must not be repeated at line 3, column 1"),
            ("x:\n  'p': 1\n  \"p\": 2\n", "the key 'p' of line 2 must not be repeated at line 3, column 3"),
            ("x: {a: 1, 200: 2, '200': 3}\n", "the key '200' of line 1 must not be repeated at line 1, column 19"),
            ("<<: {a: 1}\n<<: {b: 1}\n", "the key '<<' of line 1 must not be repeated at line 2, column 1"),
            ("? [a]\n: 1\n", "a key must be a single value, not a list or a mapping at line 1, column 3"),
            ("? {a: b}\n: 1\n", "a key must be a single value, not a list or a mapping at line 1, column 3"),
            ("a: *x\n", "the anchor '&x' is missing before the alias '*x' at line 1, column 4"),
            ("a: &x [*x]\n", "the alias '*x' contains itself at line 1, column 8"),
            ("<<: 1\n", "the value of the key '<<' must be a mapping, or a sequence of mappings at line 1, column 5"),
            (
                "<<: [{a: 1}, 2]\n",
                "the value of the key '<<' must be a mapping, or a sequence of mappings at line 1, column 5"
            ),
            ("a: 1\n---\nb: 2\n", "a second document starts at line 2, column 1"),
            ("a: !!int x\n", "the value must have the type of its tag (such as !!int) at line 1, column 4"),
            ("", "there is no value at line 1, column 1"), ("# nothing\n", "there is no value at line 1, column 1"),
            ("a: b: c\n", "mapping values are not allowed in this context at line 1, column 5"),
            ("a: 1\n\tb: 2\n", "found a tab character that violates indentation at line 2, column 1"),
            ("a: \"x\n", "found unexpected end of stream at line 2, column 1"),
            ("a: 1\nb: \u{1}\n", "control characters are not allowed at line 2, column 4"),
        ])
    func yamlFaultsHaveLineAndColumn(text: String, message: String) {
        let fault = #expect(throws: YAMLFault.self) { try json(text) }
        #expect(fault?.description == message)
    }

    @Test func yamlWithAnInvalidEncodingIsRefused() {
        let fault = #expect(throws: YAMLFault.self) { try YAMLDocument.json(Array("a: 1\nb: ".utf8) + [0xFF, 0xFE]) }
        #expect(fault?.line == 2)
        #expect(fault?.column == 4)
    }

    @Test func yamlDepthHasTheSameLimitAsJSONDepth() throws {
        let deepest = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
        #expect(try json(deepest) == deepest)
        for text in [
            "[" + deepest + "]", String(repeating: "- ", count: 600) + "x", String(repeating: "[", count: 50_000),
        ] {
            let fault = #expect(throws: YAMLFault.self) { try json(text) }
            #expect(fault?.reason == "nested deeper than 512 levels")
        }
        // The depth of an alias is the sum of the depths of its position and of its anchor.
        for (start, end) in [("[", "]"), ("{k: ", "}")] {
            func nested(_ value: String) -> String {
                String(repeating: start, count: 300) + value + String(repeating: end, count: 300)
            }
            let fault = #expect(throws: YAMLFault.self) { try json("a: &x \(nested("1"))\nb: \(nested("*x "))\n") }
            #expect(fault?.reason == "nested deeper than 512 levels")
        }
    }

    @Test func expansionOfYAMLAliasesIsLimited() {
        var laughs = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n"
        for level in 1...9 {
            let aliases = Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", ")
            laughs += "a\(level): &a\(level) [\(aliases)]\n"
        }
        var merges = "m0: &m0 {k: 1}\n"
        for level in 1...30 {
            merges +=
                "m\(level): &m\(level) {<<: [*m\(level - 1), *m\(level - 1), *m\(level - 1), *m\(level - 1)]}\n"
        }
        for text in [laughs, merges] {
            let fault = #expect(throws: YAMLFault.self) { try json(text) }
            #expect(fault?.reason == "the aliases expand to too much data; use fewer aliases")
        }
    }

    /// A document that is cut at any byte parses as a value, or causes a fault whose position is in the document.
    @Test func truncatedYAMLIsReadOrRejected() {
        let text = Array(
            """
            %YAML 1.2
            --- # é
            a: &x {b: [1, 'two', "thr\\u0065e"], "c":null}
            d: {<<: *x, ? e : !!str 4}
            f: |2-
              block
               text

            g: >+
              folded
              text
            ? h
            : - i
              - j: *x
            ...

            """.utf8)
        for count in 0...text.count {
            let part = Array(text.prefix(count))
            do throws(YAMLFault) {
                let json = try YAMLDocument.json(part)
                #expect(throws: Never.self) { try JSONDocument(json) }
            } catch {
                let lines = part.count { $0 == UInt8(ascii: "\n") } + 1
                #expect((1...lines).contains(error.line) && error.column >= 1 && !error.reason.isEmpty)
            }
        }
    }
}
