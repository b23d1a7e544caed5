import Catalog
import DataSources
import Redis
import System

/// The settings of the shared cache level from the command line and the environment.
///
/// An option has precedence over the environment variable for the same setting. Larder ignores an empty variable,
/// because MCP hosts pass empty variables.
package enum SharedOptions {
    /// The description of a valid namespace, for error messages.
    package static let namespaceExpected = "of 1 to 64 letters, digits, '-', '_' and '.'"

    private static let urlVariable = "LARDER_SHARED"
    private static let modeVariable = "LARDER_SHARED_MODE"
    private static let namespaceVariable = "LARDER_SHARED_NAMESPACE"
    private static let passwordVariable = "LARDER_SHARED_PASSWORD"
    private static let secretVariable = "LARDER_SHARED_SECRET"

    /// The URL of the Redis server, and the mode (read-only or not) and the namespace of the shared cache level. Only
    /// the URL can contain secrets.
    package struct Named {
        package let url: RedisURL
        /// The URL of the Redis server, as the user wrote it.
        let text: String
        /// The name of the option or variable that contains the URL.
        package let origin: String
        let mode: SharedMode
        let namespace: String

        /// The URL of the Redis server, as the user wrote it, but without the password.
        var textWithoutPassword: String {
            guard url.password != nil, let start = text.firstRange(of: "://")?.upperBound else { return text }
            let authority = text[start...].prefix { $0 != "/" && $0 != "?" }
            guard let at = authority.lastIndex(of: "@") else { return text }
            let user = authority[..<at].prefix { $0 != ":" }
            let shown = user.isEmpty ? String(text[text.index(after: at)...]) : String(user) + String(text[at...])
            return String(text[..<start]) + shown
        }
    }

    /// Returns the settings of the shared cache level; nil if this level is off.
    ///
    /// - Throws: `StartupError` with the name of the missing or invalid setting, and with the fix.
    package static func settings(
        _ options: Options, _ environment: Environment
    ) throws(StartupError) -> SharedSettings? {
        guard let named = try named(options, environment) else { return nil }
        let secrets = environment.secrets
        var url = named.url
        if let password = try secret(passwordVariable, environment, secrets) {
            guard url.password == nil else {
                throw refusal(
                    "\(named.origin) and \(password.origin) both set a password: remove the password from the URL")
            }
            url.password = password.text
        }
        guard let secret = try secret(secretVariable, environment, secrets) else {
            throw refusal(
                "\(named.origin) needs a secret: set \(secretVariable), or \(secretVariable)_FILE to a file's path,"
                    + " to the same value on all machines; 'openssl rand -hex 32' generates one")
        }
        let shortest = SharedSettings.minSecretSize
        guard secret.text.utf8.count >= shortest else {
            throw refusal(
                "the secret in \(secret.origin) is too short: at least \(shortest) bytes are required;"
                    + " 'openssl rand -hex 32' generates one")
        }
        return SharedSettings(
            url: url, mode: named.mode, namespace: named.namespace, secret: Array(secret.text.utf8),
            secrets: [url.password, secret.text].compactMap { $0 })
    }

    /// Returns the configured Redis server. Nil if no setting names a server, or if the process makes no network
    /// requests.
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

    /// Reads a secret from an environment variable, or from the file that the variable with the suffix `_FILE` names.
    /// Returns the secret and the name of the variable; nil if neither variable is set.
    private static func secret(
        _ name: String, _ environment: Environment, _ secrets: SecretSource
    ) throws(StartupError) -> (text: String, origin: String)? {
        let file = name + "_FILE"
        let value = try variable(name, environment)
        guard let path = try variable(file, environment) else { return value.map { (text: $0, origin: name) } }
        guard value == nil else { throw refusal("\(name) and \(file) are both set: unset one of them") }
        do throws(SecretFault) {
            let text = try secrets.file(path)
            if text.isEmpty { throw SecretFault.isEmpty }
            return (text, file)
        } catch {
            let reason =
                switch error {
                case .isMissing: "the file does not exist"
                case .isEmpty: "the file is empty"
                case .cannotBeRead(let reason): reason
                case .isNotUTF8: "the file is not UTF-8"
                }
            throw refusal("\(file): \(reason)")
        }
    }

    /// Returns the value of an environment variable; nil if the variable is unset or empty.
    private static func variable(_ name: String, _ environment: Environment) throws(StartupError) -> String? {
        guard let bytes = environment.bytes(name), !bytes.isEmpty else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw refusal("\(name) is not UTF-8") }
        return text
    }

    private static func refusal(_ message: String) -> StartupError {
        StartupError(exitCode: ExitCode.usage, lines: ["larder: \(message)"])
    }
}

/// The options and environment variables with which `larder mcp config` passes the settings of the shared level to an
/// MCP host.
extension SharedOptions {
    /// Returns the command-line options that turn on the shared cache level with the current settings.
    package static func words(_ named: Named) -> [String] {
        [
            "--shared", named.textWithoutPassword, "--shared-mode", named.mode.rawValue, "--shared-namespace",
            named.namespace,
        ]
    }

    /// Returns the names of the environment variables for the secrets of the shared cache level. The user must set
    /// these variables for the MCP host.
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
