import Catalog
import DataSources
import JSON
import Protocol
import RPCServer
import System

/// The reason why `get`, `list`, `search` or `prefetch` failed: an error message and a hint.
struct TerminalFailure: Error, Equatable {
    let message: String
    /// A suggested fix for the user; nil if there is none.
    let hint: String?

    init(_ message: String, hint: String? = nil) {
        self.message = message
        self.hint = hint
    }

    /// Converts an error reply to a failure.
    ///
    /// - Parameters:
    ///   - error: the error object of the reply; nil if there was no reply.
    ///   - params: the command that failed, with its resource.
    ///   - sent: the parameters of the failed request. The hint may repeat them.
    init(_ error: JSONValue?, _ params: TerminalParams, _ sent: JSONObject) {
        let text = error?["message"]?.string ?? "no reply"
        let kind = error?["data"]?["kind"]?.string
        // The kind `notCached` already states that the data is not cached.
        let known = "not cached: "
        // On the command line, a filter has its name alone: `state=open`.
        let prefix = "'filter."
        let shown = text.hasPrefix(prefix) ? "'" + text.dropFirst(prefix.count) : text
        let reason = shown.hasPrefix(known) ? String(shown.dropFirst(known.count)) : shown
        self.init(
            kind.map { "\($0): \(reason)" } ?? shown,
            hint: Self.hint(text, kind, error?["code"], error?["data"]?["retryAfter"], params, sent))
    }

    /// The error message and the hint as lines for stderr, with escaped control characters.
    var lines: String {
        "larder: \(VisibleText.line(message))\n" + (hint.map { "  \(VisibleText.line($0))\n" } ?? "")
    }

    private static func hint(
        _ error: String, _ kind: String?, _ code: JSONValue?, _ retryAfter: JSONValue?, _ params: TerminalParams,
        _ sent: JSONObject
    ) -> String? {
        func line(_ words: String) -> String { CommandHint.line(words, params.catalogs) }
        let later = retryAfter.map { "try again in \($0.text) s" } ?? "try again later"
        switch kind.flatMap({ kind in RPCError.Code.own.first { $0.kind == kind } }) {
        case .notFound?: return missingHint(params, sent)
        // The error message already contains the advice.
        case .notCached?, .notReplayed?, .tooLarge?: return nil
        case .unauthorized?:
            return "\(line("doctor")) reports missing secrets; \(line("check --live")) shows the API's answer"
        case .rateLimited?, .serverError?, .busy?: return error.contains("try again") ? nil : later
        case .network?:
            return "\(line("doctor")) checks whether the API is reachable; --offline shows cached data"
        case .timeout?: return "\(later); 'timeout' in the catalog sets the limit"
        case .decodingFailed?, .invalidResponse?:
            return "\(line("check --live")) shows how the answer differs from the catalog"
        default:
            // The error message about `fields` already lists the valid fields.
            if error.hasPrefix("'fields'") {
                return params.fieldsFile.map { "correct the columns in \($0), or select fields with --fields" }
            }
            guard code == .integer(RPCError.Code.invalidParams.rawValue) else { return nil }
            return error.hasPrefix("'filter.") && error.contains("' must be ")
                ? "\(line("help \(params.resource.name)")) describes the filters" : params.form
        }
    }

    /// Returns the hint for an item, a page or a parent that does not exist.
    private static func missingHint(_ params: TerminalParams, _ sent: JSONObject) -> String {
        let name = params.resource.name
        func line(_ words: [String]) -> String { CommandHint.line(words.joined(separator: " "), params.catalogs) }
        func given(_ names: [String]) -> [String] { names.flatMap { CommandHint.words($0, sent[$0]) } }
        let parents = given(params.resource.scope.map(\.name))
        if params.command == .get {
            if params.resource.list != nil { return "\(line(["list", name] + parents)) shows the available items" }
            let checked = (given(["id"]) + parents).joined(separator: ", ")
            return "check \(checked); \(line(["help", name])) shows an example"
        }
        let filters = sent["filter"].map { filter in
            params.resource.list?.filters.flatMap { CommandHint.words($0.name, filter[$0.name]) } ?? []
        }
        let used = parents + (filters ?? [])
        if sent["page"] != nil { return "\(line(["list", name] + used)) shows the first page" }
        if used.isEmpty { return "\(line(["check", "--live"])) tests the paths in the catalog" }
        return "check \(used.joined(separator: ", ")); \(line(["help", name])) describes the resource"
    }
}

extension TerminalRequest {
    /// Returns the definition of the resource that the command line names.
    ///
    /// - Parameter catalogs: the catalogs that the command line selects.
    /// - Throws: `TerminalFailure` if the resource is unknown or does not support the command.
    func resource(
        in resources: [ResourceDefinition], _ catalogs: [FilePath]
    ) throws(TerminalFailure) -> ResourceDefinition {
        let name = self.resource
        let names = resources.map(\.name)
        guard let resource = resources.first(where: { $0.name == name }) else {
            let near = Suggestion.nearest(to: name, in: names).map { "; did you mean '\(prefix)\($0)'?" } ?? ""
            throw TerminalFailure(
                "unknown resource '\(prefix)\(name.prefix(100))'\(near)",
                hint: "the catalog declares \(names.sorted().map { "'\($0)'" }.joined(separator: ", "))")
        }
        let can = TerminalCommand.allCases.filter(resource.supports)
        if can.contains(command) { return resource }
        throw TerminalFailure(
            "'\(name)' does not support '\(command.name.rawValue)'",
            hint: "available: "
                + can.map { CommandHint.line("\($0.name.rawValue) \(name)", catalogs) }.joined(separator: ", "))
    }
}

/// Creates the command lines that hints in error messages suggest. Users can copy these command lines to a shell.
enum CommandHint {
    /// Returns a `larder` command line with quotes for the shell.
    ///
    /// - Parameter catalogs: the catalogs of the current command line. The returned command line selects the same
    ///   catalogs.
    static func line(_ words: String, _ catalogs: [FilePath]) -> String {
        "larder \(words)" + catalogs.map { " --catalog \(quoted($0.description))" }.joined()
    }

    /// Returns the arguments that pass a parameter to a command: `name=value` for each value. Returns no arguments if
    /// `value` is nil.
    static func words(_ name: String, _ value: JSONValue?) -> [String] {
        switch value {
        case nil: []
        case .array(let values)?: values.flatMap { words(name, $0) }
        case let value?: ["\(name)=\(quoted(value.plainText))"]
        }
    }

    /// Returns a word that a shell reads as the given string. Adds quotes if the shell would otherwise change the
    /// string.
    static func quoted(_ path: String) -> String {
        let isPlain =
            !path.isEmpty
            && path.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"),
                    UInt8(ascii: "-"), 0x80...:
                    true
                default: false
                }
            }
        let quoted = path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
        return isPlain ? path : "'\(quoted)'"
    }
}

extension JSONValue {
    /// The content of a string; nil if the JSON value is not a string.
    var string: String? { if case .string(let text) = self { text } else { nil } }
    /// The value of an integer; nil if the JSON value is not an integer.
    var int: Int? { if case .number(let text) = self { Int(text) } else { nil } }
    /// The elements of an array; empty if the JSON value is not an array.
    var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
}
