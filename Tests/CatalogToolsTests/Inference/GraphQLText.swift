import CatalogTools
import HTTP
import JSON
import Mocks
import Testing

/// GraphQL schemas for tests, and the drafts from them.
enum GraphQLText {
    /// Returns an introspection reference for a type such as `[ID!]!`.
    static func reference(_ text: Substring, _ kinds: [String: String]) -> String {
        if text.hasSuffix("!") {
            return #"{"kind": "NON_NULL", "name": null, "ofType": \#(reference(text.dropLast(), kinds))}"#
        }
        if text.hasPrefix("[") {
            return #"{"kind": "LIST", "name": null, "ofType": \#(reference(text.dropFirst().dropLast(), kinds))}"#
        }
        return #"{"kind": "\#(kinds[String(text)] ?? "SCALAR")", "name": "\#(text)", "ofType": null}"#
    }

    /// Returns an introspection answer for lines such as `type Cat: id ID!; friends(first Int) [Cat]`,
    /// `union Found: Cats, PythonError` and `interface Animal Cat Dog: id ID!`.
    static func schema(_ lines: [String]) -> String {
        let words = [
            "type": "OBJECT", "enum": "ENUM", "input": "INPUT_OBJECT", "union": "UNION", "interface": "INTERFACE",
        ]
        var kinds: [String: String] = [:]
        for line in lines {
            let head = line.split(separator: ":")[0].split(separator: " ")
            kinds[String(head[1])] = words[String(head[0])]
        }
        func inputs(_ text: Substring) -> String {
            text.split(separator: ",").map { part in
                let words = part.split(separator: " ")
                return #"{"name": "\#(words[0])", "defaultValue": null, "type": \#(reference(words[1], kinds))}"#
            }.joined(separator: ",")
        }
        let types = lines.map { line -> String in
            let parts = line.split(separator: ":", maxSplits: 1)
            let head = parts[0].split(separator: " ")
            let (kind, name) = (words[String(head[0])] ?? "", head[1])
            switch kind {
            case "ENUM":
                let values = parts[1].split(separator: ",").map { #"{"name": "\#($0.split(separator: " ")[0])"}"# }
                return #"{"kind": "ENUM", "name": "\#(name)", "enumValues": [\#(values.joined(separator: ","))]}"#
            case "INPUT_OBJECT":
                return #"{"kind": "INPUT_OBJECT", "name": "\#(name)", "inputFields": [\#(inputs(parts[1]))]}"#
            case "UNION":
                let members = parts[1].split(separator: ",").map { #"{"name": "\#($0.split(separator: " ")[0])"}"# }
                return #"{"kind": "UNION", "name": "\#(name)", "possibleTypes": [\#(members.joined(separator: ","))]}"#
            default:
                let fields = parts[1].split(separator: ";").map { field -> String in
                    let open = field.firstIndex(of: "("), close = field.firstIndex(of: ")")
                    let arguments = open.flatMap { open in close.map { field[field.index(after: open)..<$0] } } ?? ""
                    let name = field.prefix { $0 != "(" }.split(separator: " ")[0]
                    let type = field.split(separator: " ").last ?? ""
                    return #"{"name": "\#(name)", "args": [\#(inputs(arguments))], "type": \#(reference(type, kinds))}"#
                }
                let head = parts[0].split(separator: " ").dropFirst(2)
                let members = head.map { #"{"name": "\#($0)"}"# }.joined(separator: ",")
                return
                    #"{"kind": "\#(kind)", "name": "\#(name)", "possibleTypes": [\#(members)], "fields": [\#(fields.joined(separator: ","))]}"#
            }
        }
        let scalars = ["ID", "String", "Int", "Float", "Boolean", "DateTime"].map {
            #"{"kind": "SCALAR", "name": "\#($0)"}"#
        }
        return
            #"{"data": {"__schema": {"queryType": {"name": "Query"}, "types": [\#((types + scalars).joined(separator: ","))]}}}"#
    }

    static func text(_ lines: [String], _ choice: GraphQLChoice) async throws -> String {
        try await text(answer: schema(lines), choice)
    }

    /// Returns the draft from the answer to the introspection query.
    static func text(answer: String, _ choice: GraphQLChoice) async throws -> String {
        let client = HTTPClientMock(.success(HTTPResponse(status: 200, body: Array(answer.utf8))))
        let text = try await CatalogInference(client: client, explain: explained, secrets: .empty)
            .draft("https://api.zoo.test/graphql", graphQL: choice)
        #expect(client.requests.first?.method == .post)
        return text
    }

    /// Returns the resource that is drafted from a type.
    static func resource(_ lines: [String], _ type: String) async throws -> JSONValue {
        let text = try await text(lines, .types([type]))
        #expect(DraftText.faults(in: text) == [])
        guard case .object(let resources)? = try DraftText.value(text)["resources"] else { return .null }
        return try #require(resources.members.first?.value)
    }
}
