/// The name of a file or folder as the system takes it: any bytes but zero, which need not be UTF-8.
public struct FilePath: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The bytes with a zero behind the last, as the system's calls take them.
    public let cString: [CChar]

    /// A path of bytes; it ends before a zero.
    public init(_ bytes: some Sequence<UInt8>) {
        cString = bytes.prefix { $0 != 0 }.map { CChar(bitPattern: $0) } + [0]
    }

    /// A path that ends with a zero, as C has it.
    public init(cString: UnsafePointer<CChar>) {
        var end = cString
        while end.pointee != 0 { end += 1 }
        self.cString = Array(UnsafeBufferPointer(start: cString, count: end - cString)) + [0]
    }

    /// A path that is a text, and so UTF-8.
    public init(_ text: String) { self.init(text.utf8) }

    /// A path that stands in the code. It takes no interpolation, which would repair what is not UTF-8.
    public init(stringLiteral text: String) { self.init(text) }

    /// The bytes, without the zero.
    public var bytes: [UInt8] { cString.dropLast().map { UInt8(bitPattern: $0) } }

    /// The path for a person, and for JSON: what is not UTF-8 is replaced by U+FFFD.
    public var description: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether there is no name at all.
    public var isEmpty: Bool { cString.count == 1 }

    /// Whether it begins at the root.
    public var isAbsolute: Bool { cString.first == CChar(bitPattern: UInt8(ascii: "/")) }

    /// The folder that it lies in: `/` for what lies in that, empty for a name alone.
    public var parent: FilePath {
        var bytes = bytes[...]
        while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return slash == bytes.startIndex ? "/" : FilePath(bytes[..<slash])
    }

    /// Whether its last bytes are those of a text.
    public func hasSuffix(_ suffix: String) -> Bool { bytes.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) }

    /// One behind the other, with nothing between.
    public static func + (path: FilePath, rest: FilePath) -> FilePath { FilePath(path.bytes + rest.bytes) }
}
