/// JSON texts in their order, one behind the other in one buffer: a million small ones take hardly more room than their
/// bytes.
public struct JSONTexts: RandomAccessCollection, Equatable, Sendable {
    /// All texts, with nothing between them.
    private var bytes: [UInt8]
    /// Where each text ends.
    private var ends: [Int]

    /// No texts.
    public init() { (bytes, ends) = ([], []) }

    public init(_ texts: some Sequence<[UInt8]>) {
        self.init()
        for text in texts { append(text) }
    }

    /// Texts that a writer has written, one behind the other.
    ///
    /// - Parameter ends: how many bytes there were after each; they only grow, up to the number of all.
    public init(written bytes: [UInt8], ends: [Int]) {
        self.bytes = bytes
        self.ends = ends
    }

    /// Makes room for so many texts with so many bytes in all.
    public mutating func reserve(_ count: Int, size: Int) {
        bytes.reserveCapacity(size)
        ends.reserveCapacity(count)
    }

    public mutating func append(_ text: [UInt8]) {
        // One alone is not copied.
        if ends.isEmpty { bytes = text } else { bytes.append(contentsOf: text) }
        ends.append(bytes.count)
    }

    /// How many bytes all of them have.
    public var size: Int { bytes.count }
    /// 0.
    public var startIndex: Int { 0 }
    /// How many they are.
    public var endIndex: Int { ends.count }

    /// A copy of a text.
    public subscript(index: Int) -> [UInt8] {
        ends.count == 1 ? bytes : Array(bytes[start(of: index)..<ends[index]])
    }

    /// The number of bytes of a text.
    public func size(at index: Int) -> Int { ends[index] - start(of: index) }

    /// Calls `body` with each text of a range, without copying it.
    func forEachSlice(in range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Void) {
        bytes.withUnsafeBytes { bytes in
            var start = start(of: range.lowerBound)
            for end in ends[range] {
                body(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
                start = end
            }
        }
    }

    private func start(of index: Int) -> Int { index == 0 ? 0 : ends[index - 1] }
}

extension JSONTexts: ExpressibleByArrayLiteral {
    public init(arrayLiteral texts: [UInt8]...) { self.init(texts) }
}

extension JSONWriter {
    /// Writes an array of texts that are spliced.
    public mutating func splice(array texts: JSONTexts) { splice(array: texts, in: texts.indices) }

    /// Writes an array of the texts of a range, which are spliced.
    public mutating func splice(array texts: JSONTexts, in range: Range<Int>) {
        beginArray()
        texts.forEachSlice(in: range) { splice($0) }
        endArray()
    }
}
