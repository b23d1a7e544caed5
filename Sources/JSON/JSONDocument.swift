/// A parsed JSON text that owns its bytes. Values are read directly from these bytes, without copies.
public struct JSONDocument: Sendable {
    public let bytes: [UInt8]
    private let tape: JSONTape
    private let companion: (any AnyObject & Sendable)?

    /// Parses bytes as one JSON text.
    ///
    /// - Throws: `JSONFault` at the first byte that is not JSON.
    public init(_ bytes: [UInt8], as dialect: JSONDialect = .json) throws(JSONFault) {
        try self.init(bytes, as: dialect, from: 0, with: nil)
    }

    /// Parses bytes as one JSON text. Skips a byte order mark at the start, as RFC 8259, section 8.1, allows.
    ///
    /// - Parameter companion: an object that must live as long as the document and its parts, such as a memory
    ///   reservation.
    /// - Throws: `JSONFault` at the first byte that is not JSON.
    public init(
        skippingBOM bytes: [UInt8], as dialect: JSONDialect = .json, with companion: (any AnyObject & Sendable)? = nil
    ) throws(JSONFault) {
        try self.init(bytes, as: dialect, from: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0, with: companion)
    }

    private init(
        _ bytes: [UInt8], as dialect: JSONDialect, from start: Int, with companion: (any AnyObject & Sendable)?
    ) throws(JSONFault) {
        var tape = JSONTape()
        try bytes.withUnsafeBufferPointer { (bytes) throws(JSONFault) in
            try tape.parse(UnsafeRawBufferPointer(bytes), as: dialect, from: start)
        }
        self.bytes = bytes
        self.tape = tape
        self.companion = companion
    }

    public var root: JSONPart { JSONPart(document: self, index: 0) }

    /// Calls `body` with a view of the root value. The view is valid only during the call.
    public func withRoot<Result, Failure: Error>(
        _ body: (JSONView) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try root.withView(body)
    }

    fileprivate func withView<Result, Failure: Error>(
        of index: Int, _ body: (JSONView) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try bytes.withUnsafeBufferPointer { (bytes) throws(Failure) in
            try tape.withView(of: index, in: UnsafeRawBufferPointer(bytes), body)
        }
    }

    fileprivate func end(of index: Int) -> Int { tape.end(of: index) }
}

/// One value of a parsed JSON document. A `JSONPart` retains the document, so it can be stored, unlike a `JSONView`.
public struct JSONPart: Equatable, Sendable {
    private let document: JSONDocument
    private let index: Int

    fileprivate init(document: JSONDocument, index: Int) {
        self.document = document
        self.index = index
    }

    /// Returns a `JSONPart` for a view of this document. Unlike the view, the `JSONPart` can be stored.
    public func part(_ view: JSONView) -> JSONPart { JSONPart(document: document, index: view.index) }

    /// Calls `body` with a view of the value. The view is valid only during the call.
    public func withView<Result, Failure: Error>(
        _ body: (JSONView) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try document.withView(of: index, body)
    }

    /// The elements of an array, in the order of the JSON text; empty for other kinds of values.
    public var elements: Elements { Elements(self) }

    public struct Elements: Sequence, IteratorProtocol {
        private let document: JSONDocument
        private var index: Int
        private let end: Int

        fileprivate init(_ array: JSONPart) {
            document = array.document
            index = array.index + 1
            end = array.withView { $0.kind == .array } ? document.end(of: array.index) : 0
        }

        public mutating func next() -> JSONPart? {
            guard index < end else { return nil }
            defer { index = document.end(of: index) }
            return JSONPart(document: document, index: index)
        }
    }

    /// The length of the value in the document, in bytes.
    public var size: Int { withView { $0.token.count } }

    /// The value's bytes as written in the document.
    public var bytes: [UInt8] { withView { Array($0.token) } }

    /// Whether both values have the same bytes. `1` and `1.0` are therefore different.
    public static func == (left: JSONPart, right: JSONPart) -> Bool {
        left.withView { left in right.withView { right in left.token.elementsEqual(right.token) } }
    }
}
