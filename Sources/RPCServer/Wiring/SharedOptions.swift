import Catalog
import DataSources
import Redis
import System

/// What options and environment say of the shared level of the cache.
///
/// An option comes before its variable. A variable that is empty counts as not set: hosts of MCP pass on such ones.
package enum SharedOptions {
    /// What a namespace's name must be.
    package static let namespaceExpected = "of 1 to 64 letters, digits, '-', '_' and '.'"

    private static let urlVariable = "LARDER_SHARED"
    private static let modeVariable = "LARDER_SHARED_MODE"
    private static let namespaceVariable = "LARDER_SHARED_NAMESPACE"
    private static let passwordVariable = "LARDER_SHARED_PASSWORD"
    private static let secretVariable = "LARDER_SHARED_SECRET"

    /// The server that is named, and how it is used; without secrets but those in the URL itself.
    package struct Named {
        package let url: RedisURL
        /// The URL as it was written.
        let text: String
        /// The option or the variable that names it.
        package let origin: String
        let mode: SharedMode
        let namespace: String

        /// The URL as it was written, without a password in it.
        var textWithoutPassword: String {
            guard url.password != nil, let start = text.firstRange(of: "://")?.upperBound else { return text }
            let authority = text[start...].prefix { $0 != "/" && $0 != "?" }
            guard let at = authority.lastIndex(of: "@") else { return text }
            let user = authority[..<at].prefix { $0 != ":" }
            let shown = user.isEmpty ? String(text[text.index(after: at)...]) : String(user) + String(text[at...])
            return String(text[..<start]) + shown
        }
    }

    /// What the shared level is made of; nil where none is used.
    ///
    /// - Throws: `StartupError` that says what is missing or wrong, and what to do.
    package static func settings(
        _ options: Options, _ environment: Environment
    ) throws(StartupError) -> SharedSettings? {
        guard let named = try named(options, environment) else { return nil }
        let secrets = environment.secrets
        var url = named.url
        if let password = try secret(passwordVariable, environment, secrets) {
            guard url.password == nil else {
                throw refusal("\(named.origin) has a password, and \(password.origin) too: take it out of the URL")
            }
            url.password = password.text
        }
        guard let secret = try secret(secretVariable, environment, secrets) else {
            throw refusal(
                "\(named.origin) needs a secret: set \(secretVariable), or \(secretVariable)_FILE to the name of a file"
                    + " that holds it, to the same text on all machines that share; 'openssl rand -hex 32' makes one")
        }
        let shortest = SharedSettings.shortestSecret
        guard secret.text.utf8.count >= shortest else {
            throw refusal(
                "the secret of \(secret.origin) has less than \(shortest) bytes; 'openssl rand -hex 32' makes one")
        }
        return SharedSettings(
            url: url, mode: named.mode, namespace: named.namespace, secret: Array(secret.text.utf8),
            secrets: [url.password, secret.text].compactMap { $0 })
    }

    /// What is named; nil where no shared level is used: none is named, or nobody but files may be asked.
    package static func named(_ options: Options, _ environment: Environment) throws(StartupError) -> Named? {
        guard !options.isOffline, options.replay == nil else { return nil }
        let origin = options.shared == nil ? urlVariable : "--shared"
        let given: String? = if let option = options.shared { option } else { try variable(urlVariable, environment) }
        guard let text = given, !text.isEmpty else { return nil }
        let url: RedisURL
        do throws(RedisURLFault) {
            url = try RedisURL(text)
        } catch {
            throw refusal("\(origin): \(error.message)")
        }
        return Named(
            url: url, text: text, origin: origin, mode: try mode(options, environment),
            namespace: try namespace(options, environment))
    }

    private static func mode(_ options: Options, _ environment: Environment) throws(StartupError) -> SharedMode {
        if let mode = options.sharedMode { return mode }
        guard let text = try variable(modeVariable, environment) else { return .read }
        guard let mode = SharedMode(rawValue: text) else {
            let known = SharedMode.allCases.map(\.rawValue).joined(separator: " or ")
            throw refusal("\(modeVariable) must be \(known), not '\(text.prefix(100))'")
        }
        return mode
    }

    private static func namespace(_ options: Options, _ environment: Environment) throws(StartupError) -> String {
        if let name = options.sharedNamespace { return name }
        guard let name = try variable(namespaceVariable, environment) else { return "default" }
        guard SharedSettings.isNamespace(name) else {
            throw refusal("\(namespaceVariable) must be a name \(namespaceExpected), not '\(name.prefix(100))'")
        }
        return name
    }

    /// A secret and the variable that it is from; nil where neither it nor the one that names its file is set.
    private static func secret(
        _ name: String, _ environment: Environment, _ secrets: SecretSource
    ) throws(StartupError) -> (text: String, origin: String)? {
        let file = name + "_FILE"
        let value = try variable(name, environment)
        guard let path = try variable(file, environment) else { return value.map { (text: $0, origin: name) } }
        guard value == nil else { throw refusal("\(name) and \(file) are both set: keep one of them") }
        do throws(SecretFault) {
            let text = try secrets.file(path)
            if text.isEmpty { throw SecretFault.isEmpty }
            return (text, file)
        } catch {
            let why =
                switch error {
                case .isMissing: "there is no such file"
                case .isEmpty: "the file is empty"
                case .cannotBeRead(let why): why
                case .isNotUTF8: "the file is not UTF-8"
                }
            throw refusal("\(file): \(why)")
        }
    }

    /// A variable's text; nil where it is not set, or empty.
    private static func variable(_ name: String, _ environment: Environment) throws(StartupError) -> String? {
        guard let bytes = environment.bytes(name), !bytes.isEmpty else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw refusal("\(name) is not UTF-8") }
        return text
    }

    private static func refusal(_ message: String) -> StartupError {
        StartupError(exitCode: ExitCode.usage, lines: ["larder: \(message)"])
    }
}

/// How a host of MCP is told of the shared level that is used here.
extension SharedOptions {
    /// The options that name it; those that stand on the command line are among them.
    package static func words(_ named: Named) -> [String] {
        [
            "--shared", named.textWithoutPassword, "--shared-mode", named.mode.rawValue, "--shared-namespace",
            named.namespace,
        ]
    }

    /// The variables for its secrets, which are to be set where the host starts Larder.
    package static func variables(_ named: Named, _ environment: Environment) -> [String] {
        func isSet(_ name: String) -> Bool { environment.bytes(name).map { !$0.isEmpty } ?? false }
        func name(_ variable: String) -> String {
            isSet(variable + "_FILE") && !isSet(variable) ? variable + "_FILE" : variable
        }
        let password = name(passwordVariable)
        let hasPassword = named.url.password != nil || isSet(password)
        return (hasPassword ? [password] : []) + [name(secretVariable)]
    }
}
