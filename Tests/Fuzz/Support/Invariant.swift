import System

/// Aborts the process if an invariant does not hold. libFuzzer then stores the input.
public func require(_ holds: Bool, _ what: @autoclosure () -> String) {
    if holds { return }
    var line = "broken: \(what())\n"
    line.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
    abort()
}

/// Checks that a text written by Larder has no line break for any reader: no newline, U+0085, U+2028 or U+2029.
public func requireOneLine(_ text: [UInt8]) {
    for (index, byte) in text.enumerated() {
        let rest = text[index...].prefix(3)
        require(byte != 0x0A && byte != 0x0D, "a newline was written")
        require(!rest.starts(with: [0xC2, 0x85]), "U+0085 was written")
        require(!rest.starts(with: [0xE2, 0x80, 0xA8]), "U+2028 was written")
        require(!rest.starts(with: [0xE2, 0x80, 0xA9]), "U+2029 was written")
    }
}
