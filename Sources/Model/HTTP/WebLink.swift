/// One link in a header field `Link` (RFC 8288, section 3).
package struct WebLink: Equatable {
    /// The target of the link: an absolute or relative URL.
    package let url: String
    /// The parameters of the link, such as `rel`. Their names are in lower case.
    let parameters: [Parameter]

    struct Parameter: Equatable {
        let name: String
        let value: String
    }

    /// The value of the first parameter with the given name. Later parameters with the same name are ignored (RFC 8288,
    /// section 3.3).
    package subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// The relation types of the link, such as `next`, in lower case. Empty if the link has an `anchor`: such a link
    /// describes a different resource.
    package var relations: [String] {
        self["anchor"] == nil ? (self["rel"] ?? "").lowercased().split(separator: " ").map(String.init) : []
    }

    /// Parses all links in the value of a header field `Link`. Parsing stops at the first part that is not a link.
    package static func read(_ field: String) -> [WebLink] {
        var rest = field[...]
        var links: [WebLink] = []
        while true {
            rest = rest.drop { isBlank($0) || $0 == "," }
            guard rest.first == "<", let end = rest.firstIndex(of: ">") else { return links }
            let url = String(rest[rest.index(after: rest.startIndex)..<end])
            rest = rest[rest.index(after: end)...]
            var parameters: [Parameter] = []
            while let parameter = nextParameter(in: &rest) { parameters.append(parameter) }
            links.append(WebLink(url: url, parameters: parameters))
        }
    }

    /// Parses the parameter after the next semicolon; nil if there is none.
    private static func nextParameter(in rest: inout Substring) -> Parameter? {
        rest = rest.drop(while: isBlank)
        guard rest.first == ";" else { return nil }
        rest = rest.drop { isBlank($0) || $0 == ";" }
        let name = rest.prefix { !isBlank($0) && !"=;,".contains($0) }.lowercased()
        rest = rest.dropFirst(name.count).drop(while: isBlank)
        guard rest.first == "=" else { return Parameter(name: name, value: "") }
        rest = rest.dropFirst().drop(while: isBlank)
        return Parameter(name: name, value: rest.first == "\"" ? quoted(in: &rest) : token(in: &rest))
    }

    private static func token(in rest: inout Substring) -> String {
        let token = rest.prefix { !isBlank($0) && $0 != ";" && $0 != "," }
        rest = rest[token.endIndex...]
        return String(token)
    }

    private static func quoted(in rest: inout Substring) -> String {
        var value = ""
        rest = rest.dropFirst()
        while let character = rest.popFirst(), character != "\"" {
            if character == "\\", let escaped = rest.popFirst() {
                value.append(escaped)
            } else {
                value.append(character)
            }
        }
        return value
    }

    private static func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }
}
