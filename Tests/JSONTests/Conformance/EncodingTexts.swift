/// UTF-8: RFC 8259, section 8.1, demands it; RFC 3629 and Unicode 15, table 3-7, say what it is.
extension JSONText {
    static let encodings: [JSONText] = goodEncodings + badEncodings

    private static let goodEncodings: [JSONText] = [
        .good("UTF-8: two bytes", "[\"\u{E9}\u{80}\u{7FF}\"]"),
        .good("UTF-8: three bytes", "[\"\u{20AC}\u{800}\u{FFFF}\"]"),
        .good("UTF-8: four bytes", "[\"\u{1D11E}\u{10000}\u{10FFFF}\"]"),
        .good("UTF-8: all lengths", "[\"\u{60}\u{12A}\u{12AB}\u{1F600}\"]"),
        .good("UTF-8: beside the surrogates", bytes: inString([0xED, 0x9F, 0xBF, 0xEE, 0x80, 0x80])),
        .good("UTF-8: noncharacters of three bytes", bytes: inString([0xEF, 0xBF, 0xBE, 0xEF, 0xB7, 0x90])),
        .good("UTF-8: noncharacters of four bytes", bytes: inString([0xF0, 0x9F, 0xBF, 0xBE, 0xF4, 0x8F, 0xBF, 0xBE])),
        .good("UTF-8: unassigned", bytes: inString([0xF0, 0x9B, 0xBF, 0xBF])),
        .good("UTF-8: in a key", "{\"\u{3C0}\": 3}"),
        .good("UTF-8: decomposed accent", "[\"e\u{301}\"]"),
    ]

    private static let badEncodings: [JSONText] = [
        .open("UTF-8: lone continuation byte", bytes: inString([0x81]), accepts: false),
        .open("UTF-8: Latin-1", bytes: inString([0xE9]), accepts: false),
        .open("UTF-8: byte 0xFF", bytes: inString([0xFF]), accepts: false),
        .open("UTF-8: byte 0xFE", bytes: inString([0xFE]), accepts: false),
        .open("UTF-8: overlong slash of two bytes", bytes: inString([0xC0, 0xAF]), accepts: false),
        .open("UTF-8: overlong of two bytes, C1", bytes: inString([0xC1, 0xBF]), accepts: false),
        .open("UTF-8: overlong of three bytes", bytes: inString([0xE0, 0x80, 0xAF]), accepts: false),
        .open("UTF-8: the last overlong of three bytes", bytes: inString([0xE0, 0x9F, 0xBF]), accepts: false),
        .open("UTF-8: overlong of four bytes", bytes: inString([0xF0, 0x80, 0x80, 0xAF]), accepts: false),
        .open("UTF-8: the last overlong of four bytes", bytes: inString([0xF0, 0x8F, 0xBF, 0xBF]), accepts: false),
        .open("UTF-8: five bytes", bytes: inString([0xF8, 0x88, 0x80, 0x80, 0x80]), accepts: false),
        .open("UTF-8: six bytes", bytes: inString([0xFC, 0x83, 0xBF, 0xBF, 0xBF, 0xBF]), accepts: false),
        .open("UTF-8: NUL in six bytes", bytes: inString([0xFC, 0x80, 0x80, 0x80, 0x80, 0x80]), accepts: false),
        .open("UTF-8: the first surrogate", bytes: inString([0xED, 0xA0, 0x80]), accepts: false),
        .open("UTF-8: the last surrogate", bytes: inString([0xED, 0xBF, 0xBF]), accepts: false),
        .open(
            "UTF-8: a surrogate pair (CESU-8)", bytes: inString([0xED, 0xA0, 0x81, 0xED, 0xB0, 0x80]), accepts: false),
        .open("UTF-8: past U+10FFFF", bytes: inString([0xF4, 0x90, 0x80, 0x80]), accepts: false),
        .open("UTF-8: far past U+10FFFF", bytes: inString([0xF5, 0x80, 0x80, 0x80]), accepts: false),
        .open("UTF-8: two of two bytes missing one", bytes: inString([0xC3]), accepts: false),
        .open("UTF-8: three bytes cut off", bytes: inString([0xE0, 0xFF]), accepts: false),
        .open("UTF-8: three bytes, the last one missing", bytes: inString([0xE2, 0x82]), accepts: false),
        .open("UTF-8: four bytes, the last one missing", bytes: inString([0xF0, 0x9F, 0x98]), accepts: false),
        .open("UTF-8: third of four bytes wrong", bytes: inString([0xF0, 0x9F, 0x41, 0x80]), accepts: false),
        .open("UTF-8: invalid in a key", bytes: [0x7B, 0x22, 0xB9, 0x22, 0x3A, 0x30, 0x7D], accepts: false),
        .bad("UTF-8: the text ends in a scalar", bytes: [0x5B, 0x22, 0xE2, 0x82]),
        .bad("UTF-8: outside a string", bytes: [0x5B, 0xFF, 0x5D]),
        .bad("UTF-8: alone", bytes: [0xE9]),
        .bad("UTF-8: behind a value", bytes: [0x5B, 0x61, 0xE5, 0x5D]),
        .bad("UTF-8: invalid behind a backslash", bytes: inString([0x5C, 0xE5])),
        .bad("UTF-8: invalid in hexadecimal digits", bytes: inString(Array("\\u".utf8) + [0xE5])),
        .open("UTF-16: little end first, with mark", bytes: [0xFF, 0xFE, 0x5B, 0x00, 0x5D, 0x00], accepts: false),
        .open("UTF-16: little end first", bytes: [0x5B, 0x00, 0x5D, 0x00], accepts: false),
        .open("UTF-16: big end first", bytes: [0x00, 0x5B, 0x00, 0x5D], accepts: false),
        .open("UTF-32: big end first", bytes: [0, 0, 0, 0x5B, 0, 0, 0, 0x5D], accepts: false),
        .open("byte order mark before an object", bytes: [0xEF, 0xBB, 0xBF, 0x7B, 0x7D], accepts: false),
        .bad("byte order mark alone", bytes: [0xEF, 0xBB, 0xBF]),
        .bad("byte order mark cut off", bytes: [0xEF, 0xBB, 0x7B, 0x7D]),
        .bad("byte order mark behind the value", bytes: [0x7B, 0x7D, 0xEF, 0xBB, 0xBF]),
    ]
}
