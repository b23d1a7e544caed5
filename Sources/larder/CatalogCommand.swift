import Catalog
import DataSources
import JSON
import Model
import RPCServer
import System

/// `larder catalog SUBCOMMAND`: converts catalogs to other formats and creates draft catalogs. Only `infer` and
/// `import` can make requests. A catalog can declare commands that print secrets, but no subcommand runs them.
enum CatalogCommand {
    /// Runs a subcommand of `larder catalog`. Returns its output and the exit code.
    ///
    /// - Parameter words: the arguments after the subcommand.
    /// - Throws: `StartupError` if a catalog or document cannot be read, or a draft catalog cannot be created.
    static func run(
        _ action: CatalogAction, _ words: [String], _ options: CommandOptions, _ environment: Environment
    ) throws(StartupError) -> (text: String, code: Int32) {
        switch action {
        case .infer: return (try DraftCommand.infer(words, options, environment), ExitCode.success)
        case .document: return (try DraftCommand.document(words[0], options, environment), ExitCode.success)
        case .schema: return (IndentedJSON.text(CatalogSchema.document), ExitCode.success)
        case .show:
            let sources = try CatalogSource.all(words.first, options, environment)
            let values = sources.map { source in
                (
                    source.name ?? "",
                    EffectiveCatalog.value(of: source.bytes, source.secrets, includes: source.includes)
                )
            }
            let value = values.count == 1 ? values[0].1 : .object(JSONObject(values))
            let redactor = Redactor(secrets: sources.catalog.secrets)
            return (redactor.redact(IndentedJSON.text(value)), ExitCode.success)
        case .types:
            let sources = try CatalogSource.all(words.first, options, environment)
            return (TypeScriptTypes.text(sources.catalog, origin: sources.origin), ExitCode.success)
        }
    }
}

/// A subcommand of `larder catalog`.
enum CatalogAction {
    /// Prints a catalog together with all default values.
    case show
    /// Creates a draft catalog from an API's response.
    case infer
    /// Creates a draft catalog from an OpenAPI or Swagger document.
    case document
    /// Prints the JSON Schema of catalogs.
    case schema
    /// Prints the TypeScript types of a catalog's resources.
    case types

    /// The allowed number of arguments of the subcommand, and a description of the arguments for an error message.
    var words: (range: ClosedRange<Int>, expected: String) {
        switch self {
        case .infer: (1...2, "a URL, file or '-' for standard input; for a list and one of its items, two of them")
        case .document:
            (1...1, "one URL, file or '-' for standard input: an OpenAPI or Swagger document in JSON or YAML")
        case .show, .types: (0...1, "at most one file")
        case .schema: (0...0, "no file: the schema is the same for all catalogs")
        }
    }
}

/// Formats JSON with one member per line. A short value stays on one line.
enum IndentedJSON {
    /// Returns a value as indented JSON, with a newline at the end.
    ///
    /// - Parameter width: the maximum length of a line that contains a whole object or array, in bytes including the
    ///   indent.
    static func text(_ value: JSONValue, width: Int = 100) -> String { text(value, indent: "", width) + "\n" }

    private static func text(_ value: JSONValue, indent: String, _ width: Int) -> String {
        let inner = indent + "  "
        switch value {
        case .array(let elements) where !elements.isEmpty:
            let short = value.text
            if short.utf8.count + indent.utf8.count <= width { return short }
            return lines(elements.map { text($0, indent: inner, width) }, "[", "]", indent)
        case .object(let object) where !object.members.isEmpty:
            let short = value.text
            if short.utf8.count + indent.utf8.count <= width { return short }
            let members = object.members.map { member in
                "\(JSONValue.string(member.key).text): \(text(member.value, indent: inner, width))"
            }
            return lines(members, "{", "}", indent)
        default: return value.text
        }
    }

    private static func lines(_ parts: [String], _ open: String, _ close: String, _ indent: String) -> String {
        "\(open)\n" + parts.map { "\(indent)  \($0)" }.joined(separator: ",\n") + "\n\(indent)\(close)"
    }
}
