import Model
import System

/// Where `${env:NAME}`, `${file:PATH}` and `${var:NAME}` find their values.
public struct SecretSource: Sendable {
    private let variable: @Sendable (String) -> [UInt8]?
    private let contents: @Sendable (String) throws(FileError) -> [UInt8]?
    /// What variables of the catalog were given by name.
    private let given: [String: String]
    /// Whether secrets are not read, and a mark stands for each.
    private var isMasked = false

    /// A source of bytes.
    ///
    /// - Parameters:
    ///   - variable: the value of an environment variable; nil where it is not set.
    ///   - contents: what is in a file; nil where there is none.
    ///   - given: the values of variables of the catalog that were named for this run.
    public init(
        variable: @escaping @Sendable (String) -> [UInt8]?,
        contents: @escaping @Sendable (String) throws(FileError) -> [UInt8]?, given: [String: String] = [:]
    ) {
        self.variable = variable
        self.contents = contents
        self.given = given
    }

    /// A source of texts, for tests.
    public init(
        environment: @escaping @Sendable (String) -> String?, file: @escaping @Sendable (String) -> String?
    ) {
        self.init(variable: { environment($0).map { Array($0.utf8) } }, contents: { file($0).map { Array($0.utf8) } })
    }

    /// Nothing is set.
    public static let empty = SecretSource(variable: { _ in nil }, contents: { _ in nil })

    /// The same with a mark in the place of each secret; variables of the catalog are no secrets.
    var masked: SecretSource {
        var source = self
        source.isMasked = true
        return source
    }

    /// The value of an environment variable.
    public func environment(_ name: String) throws(SecretFault) -> String {
        isMasked ? Redactor.mark : try value(of: name)
    }

    private func value(of name: String) throws(SecretFault) -> String {
        guard let value = variable(name) else { throw .isMissing }
        return try Self.text(value)
    }

    /// The value of a variable of the catalog: the one that was given, else that of `LARDER_VAR_NAME`. It is no secret.
    public func variable(_ name: String) throws(SecretFault) -> String {
        if let value = given[name] { return value }
        return try value(of: "LARDER_VAR_" + name)
    }

    /// The text of a file without the newline at its end.
    public func file(_ path: String) throws(SecretFault) -> String {
        if isMasked { return Redactor.mark }
        guard var value = try read(path) else { throw .isMissing }
        if value.last == UInt8(ascii: "\n") {
            value.removeLast()
            if value.last == UInt8(ascii: "\r") { value.removeLast() }
        }
        return try Self.text(value)
    }

    private func read(_ path: String) throws(SecretFault) -> [UInt8]? {
        do throws(FileError) { return try contents(path) } catch { throw .cannotBeRead(error.message) }
    }

    /// Repaired it would be another secret, which is sent and not found in what comes back.
    private static func text(_ bytes: [UInt8]) throws(SecretFault) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .isNotUTF8 }
        return text
    }
}

/// Why there is no secret.
public enum SecretFault: Error, Equatable, Sendable {
    /// The variable is not set, or there is no such file.
    case isMissing
    /// There is nothing in it, as in a variable that a script left empty.
    case isEmpty
    /// The file is not one that can be read; with its name and the reason.
    case cannotBeRead(String)
    /// It is no text.
    case isNotUTF8

    /// What is wrong with what holds the secret.
    ///
    /// - Parameters:
    ///   - holder: what it is, with its name.
    ///   - missing: what is said of one that is not there.
    func message(_ holder: String, missing: String) -> String {
        switch self {
        case .isMissing: "\(holder) \(missing)"
        case .isEmpty: "\(holder) is empty"
        case .cannotBeRead(let why): why
        case .isNotUTF8: "\(holder) is not UTF-8"
        }
    }
}
