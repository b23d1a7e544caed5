import TestSupport
import Testing

@Suite(.limited) struct SwiftTextTests {
    @Test(
        arguments: [
            ("a // b\nc", "a \nc"), ("a /* b\nc */ d", "a \n d"), ("f(\"x // y\") // z", "f(\"\") "),
            (#"g("a \(h("b") + c) d", e)"#, #"g("(h("") + c)", e)"#), (##"#"a " \(b)"# + c"##, #""" + c"#),
            ("\"\"\"\n x \"y\" \\(z)\n\"\"\"", "\"\n(z)\n\""), (#""\\" + a"#, #""" + a"#), (#""\"" + a"#, #""" + a"#),
        ])
    func swiftCodeIsSeparatedFromCommentsAndStrings(text: String, code: String) {
        #expect(SwiftText.code(text) == code)
    }

    @Test func identifiersOfALineAreFound() {
        #expect(Substring("let a_1: [B.C] = f(x)!").identifiers == ["let", "a_1", "B", "C", "f", "x"])
    }
}
