import System

/// One argument of the command line, as bytes. The bytes may be invalid UTF-8, because a file name may contain any
/// bytes.
struct Argument: Equatable {
    private let bytes: [UInt8]

    init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    /// The arguments of this process, without the program's name.
    static var ofProcess: [Argument] { ProcessArguments.all.dropFirst().map { Argument($0) } }

    /// The argument as a string; nil for invalid UTF-8.
    var text: String? { String(validating: bytes, as: UTF8.self) }

    /// The argument as a string for messages. U+FFFD replaces each invalid byte.
    var shown: String { String(decoding: bytes, as: UTF8.self) }

    /// The argument as a file path.
    var path: FilePath { FilePath(bytes) }

    /// The name before the first `=`, and the value after it. The value is nil for an argument without `=`.
    var parts: (name: String, value: Argument?) {
        guard let place = bytes.firstIndex(of: UInt8(ascii: "=")) else { return (shown, nil) }
        return (Argument(bytes[..<place]).shown, Argument(bytes[(place + 1)...]))
    }

    /// The long name and the value of an option; nil if the argument is not an option. A value may directly follow a
    /// short name: `-n5` means `--limit 5`.
    var optionParts: (name: String, value: Argument?) {
        guard bytes.count >= 2, bytes[0] == UInt8(ascii: "-"), bytes[1] < 0x80,
            let name = OptionDefinition.short[Character(UnicodeScalar(bytes[1]))]
        else { return parts }
        return (name, bytes.count == 2 ? nil : Argument(bytes[2...]))
    }
}
