/// The kind of values that an option accepts. The kind determines the completions for the value.
enum OptionValues: Equatable {
    case files, folders
    /// The name of a shipped catalog, or the path of a catalog.
    case catalogs
    /// `API=URL` for an API of the catalog.
    case apis
    /// `NAME=VALUE` for a variable of the catalog.
    case variables
    /// `NAME=VALUE` for an id, a scope value or a filter.
    case inputs
    /// Names of a resource's fields, separated by commas.
    case fields
    /// One of the associated values.
    case few([String])
    /// Free text without completions.
    case any
}

extension OptionDefinition {
    /// The kind of values that this option accepts. For most options, the placeholder in the help determines the kind.
    var values: OptionValues {
        switch (name, argument) {
        case ("--catalog", _): .catalogs
        case ("--var", _): .variables
        case ("--with", _): .inputs
        case ("--host", _): .few(MCPHost.names)
        case ("--fields", _), ("--sort", _): .fields
        case (_, "API=URL"): .apis
        case (_, "FILE"): .files
        case (_, "DIR"): .folders
        case (_, let words?) where words.utf8.contains(UInt8(ascii: "|")):
            .few(words.split(separator: "|").map(String.init))
        default: .any
        }
    }
}
