import JSON
import Model
import System

/// What all decoders of one catalog share: the faults that they found, and the secrets that the catalog names. They go
/// on after a fault, so that a person sees all of them at once.
package final class CatalogReader {
    private let source: SecretSource
    /// The files that are read.
    package internal(set) var files: CatalogFiles
    /// The number of that in which faults are now.
    var file = 0
    /// The folder of each file by its number, where the relative paths in it begin; none for texts of no file.
    var folders: [Int: FilePath] = [:]
    package private(set) var faults = FaultList()
    /// Every secret text that the catalog has named so far.
    package private(set) var secrets: [String] = []
    private var known: Set<String> = []
    /// Where those of them come from that no redactor looks for.
    private(set) var unsearched: [String] = []

    /// What secrets and variables are missing since this was taken last, where that is no fault.
    private var absences: [Absence] = []
    private let toleratesAbsence: Bool

    /// A secret or a variable that is missing.
    struct Absence {
        let message: String
        /// The number of its place: `CatalogFiles`.
        let place: Int
    }

    /// What stands for a text that is missing. It is never sent.
    private static let standIn = "missing"

    /// - Parameters:
    ///   - bytes: the catalog itself, for the places of faults; none where texts of no catalog are filled in.
    ///   - toleratesAbsence: whether a secret or a variable that is missing is no fault, but noted.
    package init(_ bytes: [UInt8] = [], secrets source: SecretSource, toleratesAbsence: Bool = false) {
        files = CatalogFiles(bytes)
        self.source = source
        self.toleratesAbsence = toleratesAbsence
    }

    /// How many secrets and variables have been missing so far.
    private(set) var absenceCount = 0

    /// What was missing since this was called last.
    func takeAbsences() -> [Absence] {
        defer { absences = [] }
        return absences
    }

    /// The header fields of answers that the catalog reads, in lower case.
    private(set) var answerHeaders: Set<String> = []

    /// The names of the variables that the catalog has.
    private(set) var variables: Set<String> = []

    /// A selector of a header field, which is noted.
    func answerHeader(_ name: String) -> AnswerSelector {
        answerHeaders.insert(name.lowercased())
        return .header(name)
    }

    /// Notes a fault at a value.
    func fault(_ message: @autoclosure () -> String, at view: JSONView) { faults.add(message, at: place(of: view)) }

    /// Notes a fault at a place in the text.
    func fault(_ message: @autoclosure () -> String, atOffset offset: Int) {
        faults.add(message, at: CatalogFiles.number(ofOffset: offset, inFile: file))
    }

    /// Notes that a text is not fit for its place. Where one may be missing, a secret that stands in it is as good as
    /// missing: what holds it can be mended without a change of the catalog, and stops no other API.
    ///
    /// - Parameter message: what the text must be.
    /// - Returns: what stands for such a text; nil, with a fault, where it is one of the catalog's own.
    func malformed(_ message: String, at view: JSONView) -> String? {
        let secrets = Self.secrets(namedIn: view.string ?? "")
        guard !secrets.isEmpty else {
            fault(message, at: view)
            return nil
        }
        let told = "\(message): what stands for \(secrets.joined(separator: " and ")) is malformed"
        guard toleratesAbsence else {
            fault(told, at: view)
            return nil
        }
        return absent(told, at: view)
    }

    /// Whether a text has a secret.
    func holdsSecret(_ view: JSONView) -> Bool { !Self.secrets(namedIn: view.string ?? "").isEmpty }

    /// `${env:NAME}` and `${file:PATH}` as a text has them.
    package static func secrets(namedIn text: String) -> [String] {
        var names: [String] = []
        var rest = text[...]
        while let open = rest.firstRange(of: "${") {
            rest = rest[open.upperBound...]
            guard let close = rest.firstIndex(of: "}") else { break }
            let name = rest[..<close]
            if name.hasPrefix("env:") || name.hasPrefix("file:") { names.append("${\(name)}") }
        }
        return names
    }

    /// The number of a value's place.
    func place(of view: JSONView) -> Int { CatalogFiles.number(ofOffset: view.offset, inFile: file) }

    /// An object that is a part of the format; nil, with a fault, for another value.
    ///
    /// - Parameter what: what it is, for messages: "the API 'github'".
    func object(_ view: JSONView, _ what: String, _ part: CatalogPart) -> CatalogObject? {
        object(view, what, keys: part.names)
    }

    /// An object whose keys are all known; nil, with a fault, for another value.
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

    /// A string with `${env:NAME}`, `${file:PATH}` and `${var:NAME}` replaced; what replaces the first two is noted as
    /// secret. A number is taken for its text: what it means is plain.
    package func expanded(_ view: JSONView, _ key: String) -> String? {
        guard let text = view.string ?? view.number else {
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
            if let value = value(of: String(rest[..<close]), at: view) { out?.append(value) } else { out = nil }
            rest = rest[rest.index(after: close)...]
        }
        out?.append(contentsOf: rest)
        return out
    }

    /// The same of a string that is shown, and kept in keys: no secret goes there.
    func shown(_ view: JSONView, _ key: String) -> String? {
        if let text = view.string, ["${env:", "${file:"].contains(where: { text.firstRange(of: $0) != nil }) {
            fault("'\(key)' is shown and kept: no secret may stand there, but one may in 'query'", at: view)
            return nil
        }
        return expanded(view, key)
    }

    private func value(of reference: String, at view: JSONView) -> String? {
        guard !reference.contains("${") else {
            fault("'${\(reference)}' holds another '${': what stands for a variable is a text as it is", at: view)
            return nil
        }
        let parts = reference.split(separator: ":", maxSplits: 1).map(String.init)
        switch (parts.first, parts.count) {
        case ("env", 2):
            return found("the environment variable '\(parts[1])'", missing: "is not set", at: view) {
                (holder) throws(SecretFault) in note(try filled(source.environment(parts[1])), from: holder)
            }
        case ("file", 2):
            let path = (folders[file] ?? "").place(of: parts[1]).description
            return found("the file '\(path)'", missing: "is not there", at: view) {
                (holder) throws(SecretFault) in note(try filled(source.file(path)), from: holder)
            }
        case ("var", 2): return variable(parts[1], at: view)
        default:
            fault("'${\(reference)}' must be '${env:NAME}', '${file:PATH}' or '${var:NAME}'", at: view)
            return nil
        }
    }

    /// A secret; where one may be missing, an empty one is.
    private func filled(_ text: String) throws(SecretFault) -> String {
        if toleratesAbsence, text.isEmpty { throw .isEmpty }
        return text
    }

    /// `NAME`, or `NAME:-what stands for it where it is not given`.
    private func variable(_ reference: String, at view: JSONView) -> String? {
        let mark = reference.firstRange(of: ":-")
        let name = String(mark.map { reference[..<$0.lowerBound] } ?? reference[...])
        guard name.first?.isNumber == false, name.utf8.allSatisfy({ Self.isNameByte($0) }) else {
            fault("the name of a variable is letters, digits and '_', not '\(name)'", at: view)
            return nil
        }
        variables.insert(name)
        return found(
            "the variable '\(name)'", missing: "is not given: --var \(name)=..., or LARDER_VAR_\(name)", at: view
        ) {
            (_) throws(SecretFault) in
            do throws(SecretFault) {
                return try source.variable(name)
            } catch {
                guard case .isMissing = error, let mark else { throw error }
                return String(reference[mark.upperBound...])
            }
        }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// A text that something holds; what is not there is noted, or a fault.
    private func found(
        _ holder: String, missing: String, at view: JSONView, _ read: (String) throws(SecretFault) -> String
    ) -> String? {
        do throws(SecretFault) {
            return try read(holder)
        } catch {
            let message = error.message(holder, missing: missing)
            guard toleratesAbsence else {
                fault(message, at: view)
                return nil
            }
            return absent(message, at: view)
        }
    }

    /// Notes what is missing, and gives what stands for it.
    private func absent(_ message: String, at view: JSONView) -> String {
        absenceCount += 1
        // Nobody reads more of them.
        if absences.count < FaultList.most { absences.append(Absence(message: message, place: place(of: view))) }
        return Self.standIn
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
