/// The kind of an option's values, for completions.
enum OptionValues: Equatable {
    case files, folders
    /// The name of a shipped catalog, or a file.
    case catalogs
    /// `API=URL` for an API of the catalog.
    case apis
    /// `NAME=VALUE` for a variable of the catalog.
    case variables
    /// `NAME=VALUE` for an id, a part of a scope or a filter.
    case inputs
    /// Fields of a resource's items, separated by commas.
    case fields
    /// One of the listed values.
    case few([String])
    /// Free text that cannot be completed.
    case any
}

extension OptionDefinition {
    /// The kind of the values. The placeholder in the help determines it for most options.
    var values: OptionValues {
        switch (name, argument) {
        case ("--catalog", _): .catalogs
        case ("--var", _): .variables
        case ("--with", _): .inputs
        case ("--host", _): .few(MCPHost.names)
        case ("--fields", _): .fields
        case (_, "API=URL"): .apis
        case (_, "FILE"): .files
        case (_, "DIR"): .folders
        case (_, let words?) where words.utf8.contains(UInt8(ascii: "|")):
            .few(words.split(separator: "|").map(String.init))
        default: .any
        }
    }
}
