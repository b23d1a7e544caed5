import JSON
import System

/// Reads a catalog file. It goes on after a fault, so that a person sees all of them at once.
public struct CatalogDecoder {
    private let bytes: [UInt8]
    private let secrets: SecretSource
    private var found = FaultList()
    /// Every secret text that the catalog has named so far.
    private var named: [String] = []
    private var known: Set<String> = []
    /// Where those of them come from that no redactor looks for.
    private var unsearched: [String] = []

    /// The catalog in a text of JSON with comments.
    ///
    /// - Throws: `CatalogFaults` with everything that is wrong; nothing is loaded then.
    public static func decode(_ bytes: [UInt8], secrets: SecretSource) throws(CatalogFaults) -> Catalog {
        var decoder = CatalogDecoder(bytes: bytes, secrets: secrets)
        let catalog = decoder.decode()
        guard let catalog, decoder.found.isEmpty else { throw decoder.found.faults(in: bytes) }
        return catalog
    }

    private init(bytes: [UInt8], secrets: SecretSource) {
        self.bytes = bytes
        self.secrets = secrets
    }

    private mutating func decode() -> Catalog? {
        do throws(JSONFault) {
            let document = try JSONDocument(passingMark: bytes, as: .jsonc)
            return document.withRoot { decode($0) }
        } catch {
            found.add({ error.reason }, at: error.offset)
            return nil
        }
    }

    private mutating func decode(_ root: JSONView) -> Catalog? {
        guard let object = object(root, "the catalog", keys: ["larder", "apis", "resources", "$schema"]) else {
            return nil
        }
        if let version = required("larder", in: object), version.integer != 1 {
            fault("'larder' must be 1, the version of the format", at: version)
        }
        let declared = namedObjects("apis", in: object)
        let apis = declared.compactMap { decodeAPI($0, $1) }
        let names = APINames(declared.compactMap { $0.name.string })
        let resources = namedObjects("resources", in: object).compactMap { decodeResource($0, $1, apis: names) }
        return Catalog(apis: apis, resources: resources, secrets: named, unsearched: unsearched)
    }

    /// Notes a fault at a value.
    mutating func fault(_ message: @autoclosure () -> String, at view: JSONView) {
        found.add(message, at: view.offset)
    }
}

/// The names of the APIs that a catalog has.
struct APINames {
    private let inOrder: [String]
    private let all: Set<String>

    init(_ names: [String]) {
        inOrder = names
        all = Set(names)
    }

    var isEmpty: Bool { all.isEmpty }

    func contain(_ name: String) -> Bool { all.contains(name) }

    /// The names as a message has them, the first of many.
    var listed: String {
        let told = inOrder.prefix(20).map { "'\($0)'" }.joined(separator: ", ")
        return inOrder.count > 20 ? "\(told), and \(inOrder.count - 20) more" : told
    }
}

/// An object of the catalog while it is read.
struct CatalogObject {
    let view: JSONView
    /// What it is, for messages: "the API 'github'".
    let what: String

    subscript(key: String) -> JSONView? { view[key] }
}

/// The parts that every section of a catalog is read with.
extension CatalogDecoder {
    /// An object whose keys are all known; nil, with a fault, for another value.
    mutating func object(_ view: JSONView, _ what: String, keys: [String]) -> CatalogObject? {
        guard view.kind == .object else {
            fault("\(what) must be an object", at: view)
            return nil
        }
        var seen: Set<String> = []
        for member in view.members {
            let key = member.key.string ?? ""
            if !keys.contains(key) {
                fault(Self.unknown(key, in: what, keys), at: member.key)
            }
            if !seen.insert(key).inserted { fault("'\(key)' stands twice in \(what)", at: member.key) }
        }
        return CatalogObject(view: view, what: what)
    }

    private static func unknown(_ key: String, in what: String, _ keys: [String]) -> String {
        let hint = Spelling.nearest(to: key, in: keys).map { "; did you mean '\($0)'?" } ?? ""
        return "\(what) has no key '\(key)'\(hint)"
    }

    /// The members of an object with names of the author's choice; a fault where the object is missing or has none.
    mutating func namedObjects(_ key: String, in object: CatalogObject) -> [(name: JSONView, value: JSONView)] {
        guard let view = required(key, in: object) else { return [] }
        guard view.kind == .object else {
            fault("'\(key)' must be an object", at: view)
            return []
        }
        var seen: Set<String> = []
        var out: [(name: JSONView, value: JSONView)] = []
        for member in view.members {
            if seen.insert(member.key.string ?? "").inserted {
                out.append((member.key, member.value))
            } else {
                fault("'\(member.key.string ?? "")' stands twice in '\(key)'", at: member.key)
            }
        }
        if out.isEmpty { fault("'\(key)' is empty", at: view) }
        return out
    }

    /// A value that must be there.
    mutating func required(_ key: String, in object: CatalogObject) -> JSONView? {
        if let view = object[key] { return view }
        fault("\(object.what) needs '\(key)'", at: object.view)
        return nil
    }

    /// A value read by `read`; a fault that says what was expected where it cannot be.
    mutating func value<Value>(
        _ key: String, in object: CatalogObject, _ expected: String, _ read: (JSONView) -> Value?
    ) -> Value? {
        guard let view = object[key] else { return nil }
        if let value = read(view) { return value }
        fault("'\(key)' must be \(expected)", at: view)
        return nil
    }

    /// A text in which secrets may stand.
    mutating func text(_ key: String, in object: CatalogObject) -> String? {
        object[key].flatMap { expanded($0, key) }
    }

    /// A text that must be there, and in which secrets may stand.
    mutating func requiredText(_ key: String, in object: CatalogObject) -> String? {
        required(key, in: object).flatMap { expanded($0, key) }
    }

    mutating func selector(_ key: String, in object: CatalogObject) -> JSONSelector? {
        value(key, in: object, "a selector such as \"info.pages\"") { $0.string.flatMap { JSONSelector($0) } }
    }

    mutating func flag(_ key: String, in object: CatalogObject) -> Bool? {
        value(key, in: object, "true or false") { $0.bool }
    }

    /// An object of texts: headers, constant parameters, filters.
    mutating func texts(_ key: String, in object: CatalogObject) -> [(name: String, value: String, key: JSONView)] {
        guard let view = object[key] else { return [] }
        guard view.kind == .object else {
            fault("'\(key)' must be an object of strings", at: view)
            return []
        }
        var seen: Set<String> = []
        var out: [(name: String, value: String, key: JSONView)] = []
        for member in view.members {
            let name = member.key.string ?? ""
            if !seen.insert(name).inserted { fault("'\(name)' stands twice in '\(key)'", at: member.key) }
            guard let value = expanded(member.value, name) else { continue }
            out.append((name, value, member.key))
        }
        return out
    }

    /// A string with `${env:NAME}` and `${file:PATH}` replaced; what replaces them is noted as secret.
    mutating func expanded(_ view: JSONView, _ key: String) -> String? {
        guard let text = view.string else {
            fault("'\(key)' must be a string", at: view)
            return nil
        }
        guard text.contains("${") else { return text }
        // nil once something is missing: the rest is read all the same, so that all that is missing is named at once.
        var out: String? = ""
        var rest = text[...]
        while let open = rest.firstRange(of: "${") {
            out?.append(contentsOf: rest[..<open.lowerBound])
            rest = rest[open.upperBound...]
            guard let close = rest.firstIndex(of: "}") else {
                fault("'${' in '\(key)' has no '}'", at: view)
                return nil
            }
            if let secret = secret(String(rest[..<close]), at: view) { out?.append(secret) } else { out = nil }
            rest = rest[rest.index(after: close)...]
        }
        out?.append(contentsOf: rest)
        return out
    }

    private mutating func secret(_ reference: String, at view: JSONView) -> String? {
        let parts = reference.split(separator: ":", maxSplits: 1).map(String.init)
        switch (parts.first, parts.count) {
        case ("env", 2):
            let variable = "the environment variable '\(parts[1])'"
            do throws(SecretFault) {
                return note(try secrets.environment(parts[1]), from: variable)
            } catch {
                fault(error.message(variable, missing: "is not set"), at: view)
            }
        case ("file", 2):
            let file = "the file '\(parts[1])'"
            do throws(SecretFault) {
                return note(try secrets.file(parts[1]), from: file)
            } catch {
                fault(error.message(file, missing: "is not there"), at: view)
            }
        default:
            fault("'${\(reference)}' must be '${env:NAME}' or '${file:PATH}'", at: view)
        }
        return nil
    }

    /// Notes a text as secret, and where it comes from if it is one that cannot be looked for.
    @discardableResult
    mutating func note(_ secret: String, from origin: String? = nil) -> String {
        guard !secret.isEmpty, known.insert(secret).inserted else { return secret }
        named.append(secret)
        if let origin, !Redactor.looksFor(secret) { unsearched.append(origin) }
        return secret
    }
}
