import Catalog
import DataSources
import JSON
import Protocol
import RPCServer
import System

/// Why a person does not get what was asked for: one line, and what to do about it.
struct PeopleFailure: Error, Equatable {
    let message: String
    /// nil where there is nothing to do.
    let hint: String?

    init(_ message: String, hint: String? = nil) {
        self.message = message
        self.hint = hint
    }

    /// Of the error of a reply.
    ///
    /// - Parameter params: what was asked for.
    init(_ error: JSONValue?, _ params: PeopleParams) {
        let text = error?["message"]?.string ?? "there is no reply"
        let kind = error?["data"]?["kind"]?.string
        self.init(
            kind.map { "\($0): \(text)" } ?? text,
            hint: Self.hint(text, kind, error?["code"], error?["data"]?["retryAfter"], params))
    }

    /// As stderr has it; nothing in it is more than text.
    var lines: String {
        "larder: \(VisibleText.line(message))\n" + (hint.map { "  \(VisibleText.line($0))\n" } ?? "")
    }

    private static func hint(
        _ error: String, _ kind: String?, _ code: JSONValue?, _ retryAfter: JSONValue?, _ params: PeopleParams
    ) -> String? {
        func line(_ words: String) -> String { PeopleHint.line(words, params.catalog) }
        let later = retryAfter.map { "try again in \($0.text) s" } ?? "try again later"
        switch kind.flatMap({ kind in RPCError.Code.own.first { $0.kind == kind } }) {
        case .notFound?:
            guard params.command == .get, params.resource.list != nil else { return nil }
            return "\(line("list \(params.resource.name)")) shows what there is"
        case .notCached?: return "without --offline and cachePolicy=localOnly, the API is asked"
        case .unauthorized?:
            return "\(line("doctor")) says which secrets are missing, \(line("check --live")) what the API says to them"
        case .rateLimited?, .serverError?, .busy?: return later
        case .network?:
            return "\(line("doctor")) says whether the API is reached; --offline shows what is kept"
        case .timeout?: return "\(later); the catalog's 'timeout' says how long it is waited"
        case .decodingFailed?, .invalidResponse?:
            return "\(line("check --live")) says what the API sends and the catalog does not expect"
        case .tooLarge?: return "the catalog's 'maxBodySize' says how much an answer may have"
        default:
            // That one lists the fields itself.
            if error.hasPrefix("'fields'") { return nil }
            return code == .integer(RPCError.Code.invalidParams.rawValue) ? params.form : nil
        }
    }

}

extension PeopleRequest {
    /// The resource that it is about.
    ///
    /// - Throws: `PeopleFailure` where there is no such resource, or it cannot do that.
    func resource(in resources: [ResourceDefinition]) throws(PeopleFailure) -> ResourceDefinition {
        let name = self.resource
        let names = resources.map(\.name)
        guard let resource = resources.first(where: { $0.name == name }) else {
            let near = Suggestion.nearest(to: name, in: names).map { "; did you mean '\($0)'?" } ?? ""
            throw PeopleFailure(
                "there is no resource '\(name.prefix(100))'\(near)",
                hint: "the catalog has \(names.sorted().map { "'\($0)'" }.joined(separator: ", "))")
        }
        let can = PeopleCommand.allCases.filter { command in
            switch command {
            case .get: resource.canGet
            case .list, .prefetch: resource.list != nil
            case .search: true
            }
        }
        if can.contains(command) { return resource }
        throw PeopleFailure(
            "'\(name)' has no '\(command.name.rawValue)'",
            hint: "there is: \(can.map { "larder \($0.name.rawValue) \(name)" }.joined(separator: ", "))")
    }
}

/// A command line that a person is told of, to be typed as it stands.
enum PeopleHint {
    /// - Parameter catalog: the one that this command line names; without it, another one would answer.
    static func line(_ words: String, _ catalog: FilePath?) -> String {
        guard let catalog else { return "larder \(words)" }
        let path = catalog.description
        let isPlain = path.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "-"), 0x80...:
                true
            default: false
            }
        }
        let quoted = path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
        return "larder \(words) --catalog \(isPlain ? path : "'\(quoted)'")"
    }
}

extension JSONValue {
    /// A string's text; nil for anything else.
    var string: String? { if case .string(let text) = self { text } else { nil } }
    /// A whole number's value; nil for anything else.
    var int: Int? { if case .number(let text) = self { Int(text) } else { nil } }
    /// An array's elements; of anything else none.
    var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
}
