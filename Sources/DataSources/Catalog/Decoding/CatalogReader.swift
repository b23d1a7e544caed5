import JSON
import System

/// What all decoders of one catalog share: the faults that they found, and the secrets that the catalog names. They go on
/// after a fault, so that a person sees all of them at once.
final class CatalogReader {
    private let source: SecretSource
    private(set) var faults = FaultList()
    /// Every secret text that the catalog has named so far.
    private(set) var secrets: [String] = []
    private var known: Set<String> = []
    /// Where those of them come from that no redactor looks for.
    private(set) var unsearched: [String] = []

    init(secrets source: SecretSource) { self.source = source }

    /// Notes a fault at a value.
    func fault(_ message: @autoclosure () -> String, at view: JSONView) { faults.add(message, at: view.offset) }

    /// Notes a fault at a place in the text.
    func fault(_ message: @autoclosure () -> String, atOffset offset: Int) { faults.add(message, at: offset) }

    /// An object whose keys are all known; nil, with a fault, for another value.
    ///
    /// - Parameter what: what it is, for messages: "the API 'github'".
    func object(_ view: JSONView, _ what: String, keys: [String]) -> CatalogObject? {
        guard view.kind == .object else {
            fault("\(what) must be an object", at: view)
            return nil
        }
        for member in members(of: view, in: what) where !keys.contains(member.name) {
            fault(Self.unknown(member.name, in: what, keys), at: member.key)
        }
        return CatalogObject(view: view, what: what, reader: self)
    }

    /// The members of an object; a fault at each name that stands there already.
    func members(of view: JSONView, in what: String) -> [CatalogMember] {
        var seen: Set<String> = []
        return view.members.map { member in
            let name = member.key.string ?? ""
            let isFirst = seen.insert(name).inserted
            if !isFirst { fault("'\(name)' stands twice in \(what)", at: member.key) }
            return CatalogMember(name: name, key: member.key, value: member.value, isFirst: isFirst)
        }
    }

    private static func unknown(_ key: String, in what: String, _ keys: [String]) -> String {
        let hint = Spelling.nearest(to: key, in: keys).map { "; did you mean '\($0)'?" } ?? ""
        return "\(what) has no key '\(key)'\(hint)"
    }

    /// A string with `${env:NAME}` and `${file:PATH}` replaced; what replaces them is noted as secret.
    func expanded(_ view: JSONView, _ key: String) -> String? {
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

    private func secret(_ reference: String, at view: JSONView) -> String? {
        let parts = reference.split(separator: ":", maxSplits: 1).map(String.init)
        switch (parts.first, parts.count) {
        case ("env", 2):
            let variable = "the environment variable '\(parts[1])'"
            do throws(SecretFault) {
                return note(try source.environment(parts[1]), from: variable)
            } catch {
                fault(error.message(variable, missing: "is not set"), at: view)
            }
        case ("file", 2):
            let file = "the file '\(parts[1])'"
            do throws(SecretFault) {
                return note(try source.file(parts[1]), from: file)
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
    func note(_ secret: String, from origin: String? = nil) -> String {
        guard !secret.isEmpty, known.insert(secret).inserted else { return secret }
        secrets.append(secret)
        if let origin, !Redactor.looksFor(secret) { unsearched.append(origin) }
        return secret
    }
}

/// A member of an object of the catalog.
struct CatalogMember {
    let name: String
    let key: JSONView
    let value: JSONView
    /// Whether no other member of that name stands before it.
    let isFirst: Bool
}
