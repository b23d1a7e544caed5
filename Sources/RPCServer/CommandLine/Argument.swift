import DataSources
import System

/// One argument of the command line: a text, or the name of a file, which need not be UTF-8.
struct Argument: Equatable {
    private let bytes: [UInt8]

    init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    /// Those of this process, without its own name.
    static var ofProcess: [Argument] {
        (0..<Int(CommandLine.argc)).dropFirst().compactMap { index in
            // `CommandLine.arguments` repairs what is not UTF-8.
            CommandLine.unsafeArgv[index].map { Argument(FilePath(cString: $0).bytes) }
        }
    }

    /// As a text; nil where it is not UTF-8.
    var text: String? { String(validating: bytes, as: UTF8.self) }

    /// For a person: what is not UTF-8 is replaced by U+FFFD.
    var shown: String { String(decoding: bytes, as: UTF8.self) }

    /// As the name of a file.
    var path: FilePath { FilePath(bytes) }

    /// What stands before the first `=`, and behind it; nil where there is none.
    var parts: (name: String, value: Argument?) {
        guard let place = bytes.firstIndex(of: UInt8(ascii: "=")) else { return (shown, nil) }
        return (Argument(bytes[..<place]).shown, Argument(bytes[(place + 1)...]))
    }
}
