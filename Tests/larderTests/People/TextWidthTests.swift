import TestSupport
import Testing

@testable import RPCServer
@testable import larder

@Suite(.limited) struct TextWidthTests {
    @Test(
        arguments: [
            ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("ｱ", 1), ("Ａ", 2), ("한", 2), ("한", 2), ("👍", 2),
            ("👍🏽", 2), ("👨‍👩‍👧‍👦", 2), ("🇨🇭", 2), ("❤\u{FE0F}", 2), ("❤", 1), ("1\u{FE0F}\u{20E3}", 2), ("\u{200B}", 0),
            ("क्षि", 3), ("ไทย", 3), ("\u{300}", 0), ("…", 1), ("、", 2), ("𠀀", 2), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2),
        ])
    func textWidthIsCountedInColumns(text: String, width: Int) { #expect(TextWidth.of(text) == width) }

    @Test(
        arguments: [
            ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("日本語", 6, "日本語"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"),
            ("a👨‍👩‍👧b", 3, "a…"), ("abc", 1, "…"), ("abc", 0, ""), ("", 0, ""),
        ])
    func cutTextFitsTheWidth(text: String, width: Int, cut: String) {
        #expect(TextWidth.cut(text, to: width) == cut)
        #expect(TextWidth.of(TextWidth.fit(text, to: width)) == width)
        #expect(TextWidth.of(TextWidth.fit(text, to: width, isRight: true)) == width)
    }

    @Test(
        arguments: [
            ("one two three", 7, ["one two", "three"]), ("", 5, [""]), ("abcdefgh", 3, ["abc", "def", "gh"]),
            ("a bcdefgh i", 4, ["a", "bcde", "fgh", "i"]), ("日本語日本", 5, ["日本", "語日", "本"]),
            ("  in deep", 6, ["  in", "deep"]),
            ("a  b ", 9, ["a  b"]), ("日", 1, ["日"]),
        ] as [(String, Int, [String])])
    func textIsWrappedBetweenWords(text: String, width: Int, lines: [String]) {
        #expect(TextWidth.wrap(text, to: width) == lines)
    }

    @Test(
        arguments: [
            ("larder: a b c\n", 80, "larder: a b c\n"), ("larder: one two\n", 11, "larder: one\n  two\n"),
            ("  one two three\nx\n", 8, "  one\n    two\n    three\nx\n"),
            ("see https://a.test/x now\n", 8, "see\n  https://a.test/x\n  now\n"), ("日本 語\n", 6, "日本\n  語\n"),
        ] as [(String, Int, String)])
    func messageIsWrappedBetweenWords(text: String, width: Int, wrapped: String) {
        #expect(ErrorStream.wrapped(text, to: width) == wrapped)
    }

    @Test func lastAllowedLineEndsWithAnEllipsis() {
        #expect(TextWidth.wrap("one two three four", to: 5, limit: 2) == ["one", "two…"])
        #expect(TextWidth.wrap("aaaaabbbbbccccc", to: 5, limit: 2) == ["aaaaa", "bbbb…"])
        #expect(TextWidth.wrap("aaaaabbbbb", to: 5, limit: 2) == ["aaaaa", "bbbbb"])
    }
}
