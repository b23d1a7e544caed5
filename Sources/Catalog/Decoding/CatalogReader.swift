import JSON
import Model
import System

/// Reads values from a catalog for its decoders. Collects the errors, secrets and variables that the decoders find.
package final class CatalogReader {
    private let source: SecretSource
    /// The catalog files read so far.
    package internal(set) var files: CatalogFiles
    /// The index of the file that is being decoded. New errors get a location in this file.
    var file = 0
    /// The folder of each file; the key is the index of the file. Relative paths in a file are resolved against its
    /// folder.
    var folders: [Int: FilePath] = [:]
    package private(set) var faults = FaultList()
    /// The secrets found in the catalog so far.
    package private(set) var secrets: [String] = []
    private var knownSecrets: Set<String> = []
    /// The origins of secrets that the redactor cannot search for, such as `the environment variable 'KEY'`.
    private(set) var unredactedOrigins: [String] = []

    /// The missing secrets and variables that were recorded since the last call of `takeMissing`. Empty if missing
    /// values are reported as errors.
    private var missingValues: [Missing] = []
    private var toleratesMissing: Bool
    /// The names of the APIs whose base URL the caller replaces. Missing secrets and variables in these base URLs are
    /// not errors.
    private let movedAPIs: Set<String>

    /// A missing secret or variable.
    struct Missing {
        let message: String
        /// The location of the reference to the secret or variable, as a location number (see `CatalogFiles`).
        let place: Int
    }

    /// The string that is used instead of a missing secret or variable. Requests never contain this string.
    private static let placeholder = "missing"

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - bytes: the text of the main catalog file, for the locations of errors.
    ///   - source: the source of secrets and variables.
    ///   - toleratesMissing: whether a missing secret or variable is recorded for its API instead of reported as an
    ///     error.
    ///   - movedAPIs: the names of the APIs whose base URL the caller replaces. Missing secrets and variables in these
    ///     base URLs are not errors.
    package init(
        _ bytes: [UInt8] = [], secrets source: SecretSource, toleratesMissing: Bool = false,
        movedAPIs: Set<String> = []
    ) {
        files = CatalogFiles(bytes)
        self.source = source
        self.toleratesMissing = toleratesMissing
        self.movedAPIs = movedAPIs
    }

    /// Reads the base URL of an API. If the caller replaces this URL, a missing secret or variable is not an error.
    func readingBaseURL(of api: String, _ read: () -> String?) -> String? {
        let toleratedBefore = toleratesMissing
        defer { toleratesMissing = toleratedBefore }
        if movedAPIs.contains(api) { toleratesMissing = true }
        return read()
    }

    /// The number of missing secrets and variables found so far.
    private(set) var missingCount = 0

    /// Returns the missing secrets and variables that were recorded since the previous call.
    func takeMissing() -> [Missing] {
        defer { missingValues = [] }
        return missingValues
    }

    /// The `sync` object that is being decoded, and the `list` object from which it inherits missing keys. Nil while no
    /// `sync` is decoded.
    var inheritance: (sync: JSONView, list: JSONView)?

    /// The names, in lower case, of the response header fields that the catalog reads.
    private(set) var answerHeaders: Set<String> = []

    /// The names of the catalog's variables.
    private(set) var variables: Set<String> = []

    /// Returns the selector of a response header field, and records the field's name in `answerHeaders`.
    func answerHeader(_ name: String) -> AnswerSelector {
        answerHeaders.insert(name.lowercased())
        return .header(name)
    }

    /// Reports an error at the location of a catalog value.
    func fault(_ message: @autoclosure () -> String, at view: JSONView) { faults.add(message, at: place(of: view)) }

    /// Reports an error at a byte offset in the file that is being decoded.
    func fault(_ message: @autoclosure () -> String, atOffset offset: Int) {
        faults.add(message, at: CatalogFiles.number(ofOffset: offset, inFile: file))
    }

    /// Reports an error for an invalid string. If missing values are tolerated and the string refers to a secret,
    /// records the secret as missing instead. Only the API that uses this secret is then disabled.
    ///
    /// - Parameter message: the error message. It describes the valid strings.
    /// - Returns: a placeholder if a missing secret was recorded; nil if an error was reported.
    func malformed(_ message: String, at view: JSONView) -> String? {
        let secrets = Self.secrets(namedIn: view.string ?? "")
        guard !secrets.isEmpty else {
            fault(message, at: view)
            return nil
        }
        let full = "\(message); fix the value of \(secrets.joined(separator: " and "))"
        guard toleratesMissing else {
            fault(full, at: view)
            return nil
        }
        return recordMissing(full, at: view)
    }

    /// Whether a value of the catalog refers to a secret.
    func holdsSecret(_ view: JSONView) -> Bool { !Self.secrets(namedIn: view.string ?? "").isEmpty }

    /// Returns the references to secrets in a string, such as `${env:NAME}` and `${file:PATH}`.
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

    /// Returns the location number of a value (see `CatalogFiles`).
    func place(of view: JSONView) -> Int { CatalogFiles.number(ofOffset: view.offset, inFile: file) }

    /// Returns a value as an object. Reports an error for each key that the given `CatalogPart` does not list. If the
    /// value is not an object, reports an error and returns nil.
    ///
    /// - Parameter what: the description of the object in error messages, such as `the API 'github'`.
    func object(_ view: JSONView, _ what: String, _ part: CatalogPart) -> CatalogObject? {
        object(view, what, keys: part.names)
    }

    /// Returns a value as an object. Reports an error for each key that is not in `keys`. If the value is not an
    /// object, reports an error and returns nil.
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

    /// Returns the members of an object. Reports an error for each member name that occurs twice.
    func members(of view: JSONView, in what: String) -> [CatalogMember] {
        var seen: Set<String> = []
        return view.members.map { member in
            let name = member.key.string ?? ""
            let isFirst = seen.insert(name).inserted
            if !isFirst { fault("'\(name)' occurs twice in \(what); remove one of them", at: member.key) }
            return CatalogMember(name: name, key: member.key, value: member.value, isFirst: isFirst)
        }
    }

    private static func unknown(_ key: String, in what: String, _ keys: [String]) -> String {
        let hint = Spelling.nearest(to: key, in: keys).map { "; did you mean '\($0)'?" } ?? ""
        return "\(what) has no key '\(key)'\(hint)"
    }

    /// Returns a string with its `${env:NAME}`, `${file:PATH}` and `${var:NAME}` references replaced. Records the
    /// values of `env` and `file` as secrets. A number is returned as a string.
    package func expanded(_ view: JSONView, _ key: String) -> String? {
        guard let text = view.string ?? view.number else {
            fault("'\(key)' must be a string", at: view)
            return nil
        }
        guard text.contains("${") else { return text }
        // Nil after the first missing value. Reading continues, so that all missing values are reported at once.
        var out: String? = ""
        var rest = text[...]
        while let open = rest.firstRange(of: "${") {
            out?.append(contentsOf: rest[..<open.lowerBound])
            rest = rest[open.upperBound...]
            guard let close = rest.firstIndex(of: "}") else {
                fault("'${' in '\(key)' is not closed; add '}'", at: view)
                return nil
            }
            if let value = value(of: String(rest[..<close]), at: view) { out?.append(value) } else { out = nil }
            rest = rest[rest.index(after: close)...]
        }
        out?.append(contentsOf: rest)
        return out
    }

    /// Returns a string with its references replaced. Reports an error if the string refers to a secret, because
    /// clients see the string and cache keys contain it.
    func expandedWithoutSecrets(_ view: JSONView, _ key: String) -> String? {
        if let text = view.string, ["${env:", "${file:"].contains(where: { text.firstRange(of: $0) != nil }) {
            fault(
                "'\(key)' must not contain a secret: the value is shown and stored; put the secret into 'query'",
                at: view)
            return nil
        }
        return expanded(view, key)
    }

    private func value(of reference: String, at view: JSONView) -> String? {
        guard !reference.contains("${") else {
            fault(
                "'${\(reference)}' contains another '${': the default of a variable must be plain text; remove the"
                    + " inner '${'",
                at: view)
            return nil
        }
        let parts = reference.split(separator: ":", maxSplits: 1).map(String.init)
        switch (parts.first, parts.count) {
        case ("env", 2):
            return found("the environment variable '\(parts[1])'", missing: "is not set", at: view) {
                (holder) throws(SecretFault) in note(try nonEmpty(source.environment(parts[1])), from: holder)
            }
        case ("file", 2):
            let path = (folders[file] ?? "").place(of: parts[1]).description
            return found("the file '\(path)'", missing: "does not exist", at: view) {
                (holder) throws(SecretFault) in note(try nonEmpty(source.file(path)), from: holder)
            }
        case ("var", 2): return variable(parts[1], at: view)
        default:
            fault("'${\(reference)}' must be '${env:NAME}', '${file:PATH}' or '${var:NAME}'", at: view)
            return nil
        }
    }

    /// Returns the value of a secret. If missing values are tolerated, throws `SecretFault.isEmpty` for an empty value.
    private func nonEmpty(_ text: String) throws(SecretFault) -> String {
        if toleratesMissing, text.isEmpty { throw .isEmpty }
        return text
    }

    /// Returns the value of a variable reference. The reference is written as `NAME` or `NAME:-DEFAULT`.
    private func variable(_ reference: String, at view: JSONView) -> String? {
        let mark = reference.firstRange(of: ":-")
        let name = String(mark.map { reference[..<$0.lowerBound] } ?? reference[...])
        guard name.first?.isNumber == false, name.utf8.allSatisfy({ Self.isNameByte($0) }) else {
            fault("'\(name)' is not a valid variable name; use letters, digits and '_', with no digit first", at: view)
            return nil
        }
        variables.insert(name)
        return found(
            "the variable '\(name)'", missing: "has no value; use --var \(name)=... or set LARDER_VAR_\(name)", at: view
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

    /// Calls `read`, which returns the value of a secret or variable. Records a missing value if missing values are
    /// tolerated; otherwise reports an error.
    private func found(
        _ holder: String, missing: String, at view: JSONView, _ read: (String) throws(SecretFault) -> String
    ) -> String? {
        do throws(SecretFault) {
            return try read(holder)
        } catch {
            let message = error.message(holder, missing: missing)
            guard toleratesMissing else {
                fault(message, at: view)
                return nil
            }
            return recordMissing(message, at: view)
        }
    }

    /// Records a missing secret or variable. Returns the placeholder that is used instead of the missing value.
    private func recordMissing(_ message: String, at view: JSONView) -> String {
        missingCount += 1
        // The maximum number of missing values that one error message lists.
        if missingValues.count < FaultList.maxCount {
            missingValues.append(Missing(message: message, place: place(of: view)))
        }
        return Self.placeholder
    }

    /// Records a string as a secret. If the redactor cannot search for the secret, also records `origin`, such as `the
    /// environment variable 'KEY'`.
    @discardableResult
    func note(_ secret: String, from origin: String? = nil) -> String {
        guard !secret.isEmpty, knownSecrets.insert(secret).inserted else { return secret }
        secrets.append(secret)
        if let origin, !Redactor.isSearchable(secret) { unredactedOrigins.append(origin) }
        return secret
    }
}

/// A member of a JSON object in the catalog.
struct CatalogMember {
    let name: String
    let key: JSONView
    let value: JSONView
    /// Whether no earlier member of the object has the same name.
    let isFirst: Bool
}
