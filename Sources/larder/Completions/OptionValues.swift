/// What an option's value may be, for completions.
enum OptionValues: Equatable {
    case files, folders
    /// The name of a catalog that comes with Larder, or a file.
    case catalogs
    /// An API of the catalog, and where it is reached.
    case apis
    /// A variable of the catalog, and its value.
    case variables
    /// What an operation asks for: an id, a part of a scope, a filter.
    case inputs
    /// Fields of a resource's items, with commas between them.
    case fields
    /// One of these.
    case few([String])
    /// What only its user knows.
    case any
}

extension OptionDefinition {
    /// What its value may be: what stands for it in the help says that.
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
