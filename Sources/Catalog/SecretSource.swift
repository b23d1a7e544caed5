import Model
import System

/// The source of the values for `${env:NAME}`, `${file:PATH}` and `${var:NAME}` in a catalog.
public struct SecretSource: Sendable {
    private let variable: @Sendable (String) -> [UInt8]?
    private let contents: @Sendable (String) throws(FileError) -> [UInt8]?
    /// The values of catalog variables from the command line (`--var`).
    private let given: [String: String]
    /// Whether the source returns `***` for every secret and never reads a secret.
    private var isMasked = false

    /// Creates a source of secrets and variables from functions that return bytes.
    ///
    /// - Parameters:
    ///   - variable: returns the value of an environment variable; nil if it is not set.
    ///   - contents: returns the content of a file; nil if there is no such file.
    ///   - given: values for variables of the catalog, by name. They take precedence over `LARDER_VAR_NAME`.
    public init(
        variable: @escaping @Sendable (String) -> [UInt8]?,
        contents: @escaping @Sendable (String) throws(FileError) -> [UInt8]?, given: [String: String] = [:]
    ) {
        self.variable = variable
        self.contents = contents
        self.given = given
    }

    /// Creates a source of secrets and variables from functions that return strings. Only tests use this initializer.
    public init(
        environment: @escaping @Sendable (String) -> String?, file: @escaping @Sendable (String) -> String?
    ) {
        self.init(variable: { environment($0).map { Array($0.utf8) } }, contents: { file($0).map { Array($0.utf8) } })
    }

    /// A source without values: no environment variable is set, and no file exists.
    public static let empty = SecretSource(variable: { _ in nil }, contents: { _ in nil })

    /// A copy of the source that returns `***` for every secret. Catalog variables keep their values, because they are
    /// not secrets.
    var masked: SecretSource {
        var source = self
        source.isMasked = true
        return source
    }

    /// Returns the value of an environment variable.
    ///
    /// - Throws: `SecretFault` if the variable is not set or is not UTF-8.
    public func environment(_ name: String) throws(SecretFault) -> String {
        isMasked ? Redactor.mark : try value(of: name)
    }

    private func value(of name: String) throws(SecretFault) -> String {
        guard let value = variable(name) else { throw .isMissing }
        return try Self.text(value)
    }

    /// Returns the value of a catalog variable: from the command line, or else from the environment variable
    /// `LARDER_VAR_NAME`. The value is not secret.
    ///
    /// - Throws: `SecretFault` if the variable has no value or is not UTF-8.
    public func variable(_ name: String) throws(SecretFault) -> String {
        if let value = given[name] { return value }
        return try value(of: "LARDER_VAR_" + name)
    }

    /// Returns the content of a file as a string, without the line break at its end.
    ///
    /// - Throws: `SecretFault` if the file is missing, cannot be read or is not UTF-8.
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

    /// Decodes a secret as UTF-8. Repairing invalid UTF-8 would change the secret, and the redactor would not find the
    /// original in responses. Invalid UTF-8 is therefore an error.
    private static func text(_ bytes: [UInt8]) throws(SecretFault) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .isNotUTF8 }
        return text
    }
}

/// The reason why the value of a secret or variable cannot be used.
public enum SecretFault: Error, Equatable, Sendable {
    /// The variable is not set, or the file does not exist.
    case isMissing
    /// The variable or the file is empty.
    case isEmpty
    /// The file cannot be read. The associated string contains the file's name and the reason.
    case cannotBeRead(String)
    /// The value is not UTF-8.
    case isNotUTF8

    /// Returns the message about a secret that cannot be read, such as `the environment variable 'KEY' is not set`.
    ///
    /// - Parameters:
    ///   - holder: the variable or file, with its name: `the environment variable 'KEY'`.
    ///   - missing: the words after `holder` if there is no value: `is not set` for a variable.
    func message(_ holder: String, missing: String) -> String {
        switch self {
        case .isMissing: "\(holder) \(missing)"
        case .isEmpty: "\(holder) is empty"
        case .cannotBeRead(let why): why
        case .isNotUTF8: "\(holder) is not UTF-8"
        }
    }
}
