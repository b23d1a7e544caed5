import JSON

/// An item as the API sent it.
public struct ItemDTO: Equatable, Sendable {
    /// The item's JSON in the answer.
    public let json: JSONPart
    /// The key under which it stands in an object of items; nil elsewhere.
    public let key: JSONPart?
    private let place: String
    /// Which element of an array it is; nil where it was picked otherwise.
    public let index: Int?
    /// Where the answer came from, its secrets replaced.
    public let url: String
    /// How many requests were made for the answer.
    public let attempts: Int

    /// An item; of an answer to one request, where nothing else is said.
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

    /// Where it stands in the answer, such as `results[3]`, for the message when it is not of the declared shape.
    public var path: String { index.map { "\(place)[\($0)]" } ?? place }
}

/// Items as the API sent them, in its order. Those of a list are made one by one as they are gone through: an answer
/// may have a million.
public struct ItemDTOs: Sequence, Equatable, Sendable {
    private enum Storage: Equatable {
        case some([ItemDTO])
        case array(JSONPart, path: String, count: Int, keepsNulls: Bool, url: String, attempts: Int)
    }

    private let storage: Storage

    /// These items.
    public init(_ items: [ItemDTO]) { storage = .some(items) }

    /// The elements of an array.
    ///
    /// - Parameters:
    ///   - array: the array in the answer.
    ///   - path: where it stands there, such as `results`.
    ///   - keepsNulls: whether those that are null are among them.
    ///   - url: where the answer came from, its secrets replaced.
    ///   - attempts: how many requests were made for the answer.
    package init(_ array: JSONPart, path: String, keepsNulls: Bool, url: String, attempts: Int) {
        let count = array.withView { $0.elements.reduce(0) { !keepsNulls && $1.isNull ? $0 : $0 + 1 } }
        storage = .array(array, path: path, count: count, keepsNulls: keepsNulls, url: url, attempts: attempts)
    }

    /// How many they are.
    public var count: Int {
        switch storage {
        case .some(let items): items.count
        case .array(_, _, let count, _, _, _): count
        }
    }

    /// How many they are, told to who makes room for them.
    public var underestimatedCount: Int { count }

    /// How many bytes they have together.
    public var size: Int {
        switch storage {
        case .some(let items): items.reduce(0) { $0 + $1.json.size }
        case .array(let array, _, _, _, _, _): array.size
        }
    }

    /// Whether there are none.
    public var isEmpty: Bool { count == 0 }

    /// The first one; nil where there are none.
    public var first: ItemDTO? { first { _ in true } }

    /// Goes through them.
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
