/// The path of a file or folder. It can contain any bytes except zero, so it may be invalid UTF-8.
public struct FilePath: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The bytes of the path, followed by a zero byte, as required by system calls.
    public let cString: [CChar]

    /// Creates a path from bytes. A zero byte ends the path.
    public init(_ bytes: some Sequence<UInt8>) {
        cString = bytes.prefix { $0 != 0 }.map { CChar(bitPattern: $0) } + [0]
    }

    /// Creates a path from a C string.
    public init(cString: UnsafePointer<CChar>) {
        var end = cString
        while end.pointee != 0 { end += 1 }
        self.cString = Array(UnsafeBufferPointer(start: cString, count: end - cString)) + [0]
    }

    /// Creates a path from a string.
    public init(_ text: String) { self.init(text.utf8) }

    /// Creates a path from a literal. String interpolation is not supported: it would corrupt paths that are not UTF-8.
    public init(stringLiteral text: String) { self.init(text) }

    /// The bytes of the path, without the terminating zero byte.
    public var bytes: [UInt8] { cString.dropLast().map { UInt8(bitPattern: $0) } }

    /// The path as a string, for messages and JSON. U+FFFD replaces invalid UTF-8.
    public var description: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether the path has no bytes.
    public var isEmpty: Bool { cString.count == 1 }

    /// Whether the path starts at the root.
    public var isAbsolute: Bool { cString.first == CChar(bitPattern: UInt8(ascii: "/")) }

    /// The path without its last component, such as `/a` for `/a/b`. The parent of `/a` is `/`. A name without a folder
    /// has an empty parent.
    public var parent: FilePath {
        var bytes = bytes[...]
        while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return slash == bytes.startIndex ? "/" : FilePath(bytes[..<slash])
    }

    /// Returns whether the path ends with `suffix`.
    public func hasSuffix(_ suffix: String) -> Bool { bytes.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) }

    /// Returns the concatenation of two paths, without a separator.
    public static func + (path: FilePath, rest: FilePath) -> FilePath { FilePath(path.bytes + rest.bytes) }
}
