import JSON

/// An item as the API sent it.
public struct ItemDTO: Equatable, Sendable {
    /// The item's JSON in the answer.
    public let json: JSONPart
    private let place: String
    /// Which element of the array at `place` it is; nil where it stands there itself.
    private let index: Int?
    /// Where the answer came from, its secrets replaced.
    public let url: String
    /// How many requests were made for the answer.
    public let attempts: Int

    /// An item; of an answer to one request, where nothing else is said.
    public init(json: JSONPart, path: String, url: String, attempts: Int = 1) {
        self.init(json: json, place: path, index: nil, url: url, attempts: attempts)
    }

    init(json: JSONPart, place: String, index: Int?, url: String, attempts: Int) {
        self.json = json
        self.place = place
        self.index = index
        self.url = url
        self.attempts = attempts
    }

    /// Where it stands in the answer, such as `results[3]`, for the message when it is not of the declared shape.
    public var path: String { index.map { "\(place)[\($0)]" } ?? place }
}
