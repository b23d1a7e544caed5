import JSON
import Model
import System

/// A recorded HTTP exchange, stored as a JSON file that people can read, compare and edit. It contains no secrets.
///
/// ```
/// {
///   "request": {"method": "GET", "url": "https://api.example/things?page=2", "bodySHA256": null},
///   "response": {"status": 200, "headers": {"content-type": "application/json"}, "body": "..."}
/// }
/// ```
///
/// `bodySHA256` is the hexadecimal hash of the request's body, or null if there is none. A response body that is not
/// valid UTF-8 is stored as Base64 in `bodyBase64`. The values of a header field that occurs several times are stored
/// as an array.
public struct Cassette: Equatable, Sendable {
    /// The identity of the recorded request, by which a replay finds the cassette.
    public var request: CassetteRequest
    /// The recorded answer.
    public var response: HTTPResponse

    /// The names of the response header fields that are always recorded. The fields that the catalog reads are recorded
    /// too. Other fields are left out, because they may contain a secret or differ in every answer.
    public static let headerNames: Set<String> = [
        "content-type", "etag", "last-modified", "cache-control", "expires", "date", "link", "retry-after", "location",
    ]

    public init(request: CassetteRequest, response: HTTPResponse) {
        self.request = request
        self.response = response
    }

    /// The contents of the cassette file as indented JSON.
    public var bytes: [UInt8] {
        var printer = CassettePrinter()
        printer.print(value)
        return printer.bytes
    }

    private var value: JSONValue {
        var fields = JSONObject()
        for header in response.headers {
            let name = header.name.lowercased()
            switch fields[name] {
            case .array(let values): fields[name] = .array(values + [.string(header.value)])
            case let value?: fields[name] = .array([value, .string(header.value)])
            case nil: fields[name] = .string(header.value)
            }
        }
        var answer: [(String, JSONValue)] = [("status", .integer(response.status)), ("headers", .object(fields))]
        if let text = String(validating: response.body, as: UTF8.self) {
            answer.append(("body", .string(text)))
        } else {
            answer.append(("bodyBase64", .string(Base64.encode(response.body))))
        }
        return [
            "request": [
                "method": .string(request.method.rawValue), "url": .string(request.url),
                "bodySHA256": request.bodySHA256.map { .string($0) } ?? nil,
            ],
            "response": .object(JSONObject(answer)),
        ]
    }
}

/// The method, URL and body of a recorded request. A replay uses them to find the cassette of a request.
public struct CassetteRequest: Hashable, Sendable {
    public let method: HTTPMethod
    /// The URL of the request, with secrets redacted.
    public let url: String
    /// The SHA-256 hash of the request's redacted body, in hexadecimal; nil if the request has no body.
    public let bodySHA256: String?

    public init(method: HTTPMethod, url: String, bodySHA256: String?) {
        self.method = method
        self.url = url
        self.bodySHA256 = bodySHA256
    }

    /// The name of the request's cassette file: the method, the path and query in letters and digits, and the first 8
    /// digits of a hash of the request.
    public var fileName: String {
        let identity = "\(method.rawValue) \(url) \(bodySHA256 ?? "")"
        return "\(method.rawValue.lowercased())-\(slug)\(SHA256.hexHash(Array(identity.utf8)).prefix(8)).json"
    }

    private var slug: String {
        var path = url[...]
        if let scheme = path.utf8.firstIndex(of: UInt8(ascii: ":")) { path = path[scheme...].dropFirst(3) }
        let start = path.utf8.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
        var slug: [UInt8] = []
        for byte in start.map({ path[$0...] })?.utf8 ?? "".utf8[...] where slug.count < 80 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "="), UInt8(ascii: "_"):
                slug.append(byte)
            default:
                if let last = slug.last, last != UInt8(ascii: "-") { slug.append(UInt8(ascii: "-")) }
            }
        }
        if let last = slug.last, last != UInt8(ascii: "-") { slug.append(UInt8(ascii: "-")) }
        return String(decoding: slug, as: UTF8.self)
    }
}
