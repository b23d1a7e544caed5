import Catalog
import JSON
import Model

/// Lists the servers that receive secrets of a catalog, and the secrets for each server.
public struct SecretDestinations {
    private let apis: [String: APIDefinition]
    private let prefix: String
    private var order: [String] = []
    private var names: [String: [String]] = [:]
    private var known: [String: Set<String>] = [:]

    /// Returns the servers that receive the secrets of a catalog and its included files. Each secret appears as its
    /// reference (`${env:NAME}` or `${file:PATH}`) or as the command that prints it.
    ///
    /// - Parameters:
    ///   - bytes: the text of the catalog.
    ///   - secrets: the source of variables for the paths of included files.
    ///   - includes: the source of included files.
    ///   - catalog: the decoded catalog, with the URLs that are used for its APIs.
    ///   - prefix: the prefix of the API names if `catalog` combines several catalogs; otherwise empty.
    /// - Returns: a line for each server, such as `api.zoo.test gets ${env:ZOO_TOKEN}`. No line contains a secret.
    public static func lines(
        of bytes: [UInt8], secrets: SecretSource, includes: IncludeSource, _ catalog: Catalog, prefix: String = ""
    ) -> [String] {
        var destinations = SecretDestinations(catalog, prefix: prefix)
        let files = IncludeReader.files(CatalogReader(bytes, secrets: secrets, toleratesMissing: true), includes)
        for file in files { file.document.withRoot { destinations.read($0) } }
        let redactor = Redactor(secrets: catalog.secrets)
        return destinations.order.map { host in
            redactor.redact("\(host) gets \((destinations.names[host] ?? []).joined(separator: ", "))")
        }
    }

    private init(_ catalog: Catalog, prefix: String) {
        self.prefix = prefix
        apis = Dictionary(catalog.apis.map { ($0.name, $0) }) { first, _ in first }
    }

    private mutating func read(_ root: JSONView) {
        for member in root["apis"]?.members.map({ $0 }) ?? [] {
            guard let api = apis[prefix + (member.key.string ?? "")] else { continue }
            for part in member.value.members {
                if part.key.isString("proxy") {
                    add(part.value, "the proxy of the API '\(api.name)'")
                } else if part.key.isString("auth"), let oauth = part.value["oauth2"] {
                    add(oauth, Self.tokenHost(of: api))
                } else if !part.key.isString("tls") {
                    add(part.value, Self.host(of: api.effectiveBaseURL))
                }
            }
        }
        for member in root["resources"]?.members.map({ $0 }) ?? [] {
            guard let api = member.value["api"]?.string.flatMap({ apis[prefix + $0] }) else { continue }
            add(member.value, Self.host(of: api.effectiveBaseURL))
        }
    }

    private static func tokenHost(of api: APIDefinition) -> String {
        guard case .oauth2(let settings)? = api.auth else { return host(of: api.effectiveBaseURL) }
        return host(of: settings.tokenURL)
    }

    /// Returns the host and port of a URL. If the connection is not encrypted, the result starts with `http://`.
    private static func host(of url: String) -> String {
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        let authority = rest.prefix { !"/?#".contains($0) }
        return BaseURL.isPrivate(url) ? String(authority) : "http://\(authority)"
    }

    /// Collects the secret references, such as `${env:TOKEN}`, from all strings in a value.
    private mutating func add(_ view: JSONView, _ host: String) {
        switch view.kind {
        case .string:
            for name in CatalogReader.secrets(namedIn: view.string ?? "") { add(name, host) }
        case .array: for element in view.elements { add(element, host) }
        case .object:
            for member in view.members {
                if member.key.isString("command"), let program = member.value.elements.first(where: { _ in true }) {
                    add("the output of the command '\(program.string ?? "")'", host)
                } else {
                    add(member.value, host)
                }
            }
        case .null, .true, .false, .number: break
        }
    }

    private mutating func add(_ name: String, _ host: String) {
        if names[host] == nil { order.append(host) }
        if known[host, default: []].insert(name).inserted { names[host, default: []].append(name) }
    }
}
