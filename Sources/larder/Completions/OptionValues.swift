/// The kind of values that an option accepts. The kind determines the completions for the value.
enum OptionValues: Equatable {
    case files, folders
    /// The name of a shipped catalog, or the path of a catalog.
    case catalogs
    /// A value `API=URL`: the new base URL of an API in the catalog.
    case apis
    /// A value `NAME=VALUE`: the value of a catalog variable.
    case variables
    /// A value `NAME=VALUE`: an id, a scope value or a filter.
    case inputs
    /// Names of a resource's fields, separated by commas.
    case fields
    /// A value from a fixed list.
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
