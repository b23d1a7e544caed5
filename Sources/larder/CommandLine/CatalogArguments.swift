import CatalogTools
import RPCServer
import System

/// Checks the arguments of `larder catalog` and `larder add`.
extension CommandLineParser {
    /// Checks the arguments of a subcommand of `larder catalog`. Returns the subcommand with its arguments.
    func catalog(_ action: CatalogAction) throws(UsageError) -> Command {
        let rest = Array(words[2...])
        let (range, expected) = action.words
        guard range.contains(rest.count) else {
            throw UsageError(message: "'larder \(words[0]) \(words[1])' takes \(expected)")
        }
        let others = given.map(\.name).filter { ["--offline", "--replay", "--record"].contains($0) }
        let locations = action == .infer || action == .document ? rest.map { DocumentLocation($0) } : []
        let hasURL = locations.contains { if case .url = $0 { true } else { false } }
        if rest.count == 2, !options.graphQLTypes.isEmpty {
            throw UsageError(
                message:
                    "--graphql cannot be used with two arguments, because it reads the schema of an endpoint; name only"
                    + " the endpoint"
            )
        }
        if locations == [.standardInput, .standardInput] {
            throw UsageError(
                message: "only one of the arguments LIST and ITEM can be '-': standard input can be read only once")
        }
        if hasURL, let name = others.first {
            let reason = "it must send a request; name a file, or leave out \(name)"
            throw UsageError(
                message: "'larder \(words[0]) \(words[1])' does not accept \(name) with a URL, because \(reason)")
        }
        return .catalog(action, rest, action == .document ? try importing(options) : options)
    }

    /// Returns the options for `catalog import`. For this command, `--fields` is `none` or `all`, and selects the
    /// fields that the draft contains.
    func importing(_ options: CommandOptions) throws(UsageError) -> CommandOptions {
        guard let names = options.people.fields else { return options }
        var options = options
        let fields = names.count == 1 ? CatalogImportChoice.Fields(rawValue: names[0]) : nil
        guard let fields else { throw UsageError(message: "to import a document, --fields must be 'none' or 'all'") }
        options.choice.fields = fields
        options.people.fields = nil
        return options
    }
}
