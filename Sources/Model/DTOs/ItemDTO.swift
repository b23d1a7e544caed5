import JSON

/// An item as received from the API, before its fields are mapped.
public struct ItemDTO: Equatable, Sendable {
    /// The item's JSON. It points into the memory of the answer's body.
    public let json: JSONPart
    /// The item's key if the API returns the items as the values of a JSON object; otherwise nil.
    public let key: JSONPart?
    private let place: String
    /// The item's index if the API returns the items in an array; otherwise nil.
    public let index: Int?
    /// The URL of the request, with secrets redacted.
    public let url: String
    /// The number of requests that Larder sent to get the answer.
    public let attempts: Int

    /// Creates an item from a value at a path of the answer.
    public init(json: JSONPart, key: JSONPart? = nil, path: String, url: String, attempts: Int = 1) {
        self.init(json: json, key: key, place: path, index: nil, url: url, attempts: attempts)
    }

    init(json: JSONPart, key: JSONPart? = nil, place: String, index: Int?, url: String, attempts: Int) {
        self.json = json
        self.key = key
        self.place = place
        self.index = index
        self.url = url
        self.attempts = attempts
    }

    /// The path of the item in the answer, such as `results[3]`, for decoding errors.
    public var path: String { index.map { "\(place)[\($0)]" } ?? place }
}

/// The items of an answer, in the API's order. An `ItemDTO` is created only during iteration, because an answer may
/// contain a million items.
public struct ItemDTOs: Sequence, Equatable, Sendable {
    private enum Storage: Equatable {
        case some([ItemDTO])
        case array(JSONPart, path: String, count: Int, keepsNulls: Bool, url: String, attempts: Int)
    }

    private let storage: Storage

    /// Creates a sequence from an array of items.
    public init(_ items: [ItemDTO]) { storage = .some(items) }

    /// Creates a sequence of the elements of an array in the answer.
    ///
    /// - Parameters:
    ///   - array: the array in the answer.
    ///   - path: the path of the array in the answer, such as `results`.
    ///   - keepsNulls: whether the sequence includes elements that are null.
    ///   - url: the URL of the request, with secrets redacted.
    ///   - attempts: the number of requests that Larder sent to get the answer.
    package init(_ array: JSONPart, path: String, keepsNulls: Bool, url: String, attempts: Int) {
        let count = array.withView { $0.elements.reduce(0) { !keepsNulls && $1.isNull ? $0 : $0 + 1 } }
        storage = .array(array, path: path, count: count, keepsNulls: keepsNulls, url: url, attempts: attempts)
    }

    /// The number of items.
    public var count: Int {
        switch storage {
        case .some(let items): items.count
        case .array(_, _, let count, _, _, _): count
        }
    }

    /// The number of items. Collections use this number to reserve memory in advance.
    public var underestimatedCount: Int { count }

    /// The total size of the items' JSON, in bytes.
    public var size: Int {
        switch storage {
        case .some(let items): items.reduce(0) { $0 + $1.json.size }
        case .array(let array, _, _, _, _, _): array.size
        }
    }

    public var isEmpty: Bool { count == 0 }

    public var first: ItemDTO? { first { _ in true } }

    public func makeIterator() -> AnyIterator<ItemDTO> {
        switch storage {
        case .some(let items): return AnyIterator(items.makeIterator())
        case .array(let array, let path, _, let keepsNulls, let url, let attempts):
            var elements = array.elements.enumerated().makeIterator()
            return AnyIterator {
                while let (index, element) = elements.next() {
                    if !keepsNulls, element.withView({ $0.isNull }) { continue }
                    return ItemDTO(json: element, place: path, index: index, url: url, attempts: attempts)
                }
                return nil
            }
        }
    }
}
