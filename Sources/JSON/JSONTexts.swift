/// A list of JSON texts in one buffer.
// Even a million short JSON texts need little more memory than their bytes.
public struct JSONTexts: RandomAccessCollection, Equatable, Sendable {
    /// The bytes of all JSON texts, without separators.
    private var bytes: [UInt8]
    /// The start offset of each JSON text except the first, which starts at 0.
    // A list with one JSON text thus needs only one buffer.
    private var starts: [Int] = []
    /// Whether the list contains at least one JSON text.
    private var hasFirst = false

    public init() { bytes = [] }

    public init(_ texts: some Sequence<[UInt8]>) {
        self.init()
        for text in texts { append(text) }
    }

    /// Creates a list from JSON texts that are stored one after the other in `bytes`.
    ///
    /// - Parameter ends: the end offset of each JSON text, in ascending order. The last offset is `bytes.count`.
    public init(written bytes: [UInt8], ends: [Int]) {
        self.bytes = bytes
        starts = Array(ends.dropLast())
        hasFirst = !ends.isEmpty
    }

    /// Reserves memory for `count` JSON texts with `size` bytes in total.
    public mutating func reserve(_ count: Int, size: Int) {
        bytes.reserveCapacity(size)
        starts.reserveCapacity(Swift.max(0, count - 1))
    }

    public mutating func append(_ text: [UInt8]) {
        // The first JSON text is not copied.
        guard hasFirst else { return (bytes, hasFirst) = (text, true) }
        starts.append(bytes.count)
        bytes.append(contentsOf: text)
    }

    /// The total size of all JSON texts, in bytes.
    public var size: Int { bytes.count }
    public var startIndex: Int { 0 }
    /// The number of JSON texts.
    public var endIndex: Int { hasFirst ? starts.count + 1 : 0 }

    /// Returns a copy of the JSON text at an index.
    public subscript(index: Int) -> [UInt8] {
        starts.isEmpty ? bytes : Array(bytes[start(of: index)..<end(of: index)])
    }

    /// Returns the size of the JSON text at an index, in bytes.
    public func size(at index: Int) -> Int { end(of: index) - start(of: index) }

    /// Calls `body` with the bytes of each JSON text in the range. Copies no bytes.
    func forEachSlice(in range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Void) {
        guard !range.isEmpty else { return }
        bytes.withUnsafeBytes { bytes in
            var start = start(of: range.lowerBound)
            for index in range {
                let end = end(of: index)
                body(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
                start = end
            }
        }
    }

    private func start(of index: Int) -> Int { index == 0 ? 0 : starts[index - 1] }

    private func end(of index: Int) -> Int { index == starts.count ? bytes.count : starts[index] }
}

extension JSONTexts: ExpressibleByArrayLiteral {
    public init(arrayLiteral texts: [UInt8]...) { self.init(texts) }
}

extension JSONWriter {
    /// Writes a JSON array of all JSON texts in a list. Copies their bytes unchanged.
    public mutating func splice(array texts: JSONTexts) { splice(array: texts, in: texts.indices) }

    /// Writes a JSON array with some of the JSON texts in a list. Copies their bytes unchanged.
    ///
    /// - Parameter range: the indices of the JSON texts to write.
    public mutating func splice(array texts: JSONTexts, in range: Range<Int>) {
        beginArray()
        texts.forEachSlice(in: range) { splice($0) }
        endArray()
    }
}
