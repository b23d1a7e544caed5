import JSON
import Model
import System

/// The error for a file that is not a valid cassette.
public struct CassetteFault: Error, Equatable, Sendable {
    /// The reason for the error and its location in the file, such as `"response.status": expected an integer at line
    /// 4, column 15`.
    public let message: String

    public init(message: String) { self.message = message }
}

extension Cassette {
    /// Parses the contents of a cassette file.
    public init(_ bytes: [UInt8]) throws(CassetteFault) {
        let document: JSONDocument
        do throws(JSONFault) {
            document = try JSONDocument(skippingBOM: bytes)
        } catch {
            throw CassetteFault(message: error.description(in: bytes))
        }
        self = try document.withRoot { (root) throws(CassetteFault) in
            try Self.read(CassettePart(view: root, path: "", text: bytes))
        }
    }

    private static func read(_ root: CassettePart) throws(CassetteFault) -> Cassette {
        let request = try root.member("request")
        let response = try root.member("response")
        let method = try request.member("method")
        guard let known = HTTPMethod(rawValue: try method.string()) else { throw method.fault("GET or POST") }
        let status = try response.member("status")
        guard let code = status.view.integer, 100...599 ~= code else { throw status.fault("a status from 100 to 599") }
        return Cassette(
            request: CassetteRequest(
                method: known, url: try request.member("url").string(),
                bodySHA256: try request.optionalMember("bodySHA256")?.string()),
            response: HTTPResponse(
                status: code, headers: try fields(try response.optionalMember("headers")), body: try body(response)))
    }

    private static func fields(_ part: CassettePart?) throws(CassetteFault) -> [HTTPHeader] {
        guard let part else { return [] }
        guard part.view.kind == .object else { throw part.fault("an object") }
        var fields: [HTTPHeader] = []
        for member in part.view.members {
            let name = member.key.string ?? ""
            let value = CassettePart(view: member.value, path: "\(part.path).\(name)", text: part.text)
            if value.view.kind == .array {
                for element in value.view.elements {
                    let one = CassettePart(view: element, path: value.path, text: part.text)
                    fields.append(HTTPHeader(name, try one.string()))
                }
            } else {
                fields.append(HTTPHeader(name, try value.string()))
            }
        }
        return fields
    }

    private static func body(_ response: CassettePart) throws(CassetteFault) -> [UInt8] {
        if let text = try response.optionalMember("body") { return Array(try text.string().utf8) }
        guard let encoded = try response.optionalMember("bodyBase64") else { return [] }
        guard let bytes = Base64.decode(try encoded.string()) else { throw encoded.fault("Base64") }
        return bytes
    }
}

/// A JSON value in a cassette file. Error messages contain the path of the value.
private struct CassettePart {
    let view: JSONView
    let path: String
    let text: [UInt8]

    func member(_ name: String) throws(CassetteFault) -> CassettePart {
        guard let part = try optionalMember(name) else { throw fault("an object with \"\(name)\"") }
        return part
    }

    /// Returns a member of this value; nil if the member is missing or null.
    func optionalMember(_ name: String) throws(CassetteFault) -> CassettePart? {
        guard view.kind == .object else { throw fault("an object") }
        guard let member = view[name], !member.isNull else { return nil }
        return CassettePart(view: member, path: path.isEmpty ? name : "\(path).\(name)", text: text)
    }

    func string() throws(CassetteFault) -> String {
        guard let string = view.string else { throw fault("a string") }
        return string
    }

    func fault(_ expected: String) -> CassetteFault {
        let reason = path.isEmpty ? "expected \(expected)" : "\"\(path)\": expected \(expected)"
        return CassetteFault(message: JSONFault(reason, at: view.offset).description(in: text))
    }
}
