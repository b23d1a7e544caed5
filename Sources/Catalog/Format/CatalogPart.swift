import JSON
import System

/// The definition of one kind of object in a catalog, such as a resource: its keys and the types of their values.
///
/// Decoders reject keys that the definition does not list. Larder generates the JSON Schema and the output of `larder
/// catalog show` from these definitions.
struct CatalogPart: Sendable {
    /// The name of the object definition in the JSON Schema of catalogs.
    let name: String
    let summary: String
    let keys: [CatalogKey]
    /// Groups of keys. The object needs at least one key of each group.
    var oneOf: [[String]] = []
    /// Whether the object must have exactly one of its keys.
    var isChoice = false

    var names: [String] { keys.map(\.name) }
}

/// The definition of one key in a catalog object.
struct CatalogKey: Sendable {
    let name: String
    let type: CatalogType
    let summary: String
    var isRequired = false
    /// The default value. Nil if the key has no default, or if the default cannot be written as JSON.
    var standard: JSONValue?
    /// The `style` that the object must have to contain this key; nil if every object may contain the key.
    var style: String?
    /// Computes a default value that depends on the other keys of the object; nil if there is no such default. The
    /// function returns nil if the other keys determine no default value.
    var derived: (@Sendable (_ given: JSONObject) -> JSONValue?)?

    init(
        _ name: String, _ type: CatalogType, _ summary: String, isRequired: Bool = false, standard: JSONValue? = nil,
        style: String? = nil, derived: (@Sendable (_ given: JSONObject) -> JSONValue?)? = nil
    ) {
        self.name = name
        self.type = type
        self.summary = summary
        self.isRequired = isRequired
        self.standard = standard
        self.style = style
        self.derived = derived
    }
}

/// The type of a value in a catalog.
indirect enum CatalogType: Sendable {
    /// A string in which `${...}` references are replaced. A number is accepted and read as a string.
    case text
    /// A secret string in which `${...}` references are replaced. Its value is never shown.
    case secret
    /// A string in which `${...}` is not replaced.
    case plain
    /// One of several fixed strings.
    case word([String])
    case integer(ClosedRange<Int>)
    case version
    case flag
    /// A string, a number or a boolean.
    case scalar
    case duration(isPositive: Bool)
    case size
    /// A selector: a dotted path such as `meta.pages`, or an array such as `["meta", "pages"]`.
    case selector
    /// A selector of a value in the response: a path in the body, or the name of a header field.
    case answerSelector
    case part(CatalogPart)
    /// An object that follows one of several definitions. The value of `style` selects the definition.
    case style([CatalogPart])
    /// An object that may be abbreviated. A bare value `v` means `{key: v}`, where `key` is the first associated value.
    /// If `array` is set, a bare array `a` means `{array: a}` instead.
    case short(String, CatalogPart, array: String? = nil)
    /// An object whose keys are names chosen by the author of the catalog, such as `apis`.
    case named(CatalogType)
    case list(CatalogType)
    case either([CatalogType])
    /// The declaration of an item's fields.
    case fields
    /// The declaration of a field's type.
    case fieldType
    /// The declaration of the type of a filter or scope parameter.
    case parameterType
    /// Any JSON value. `${...}` references in its strings are replaced.
    case any

    /// The type of a credential: a secret, or a command that prints the secret.
    static let token = CatalogType.either([.secret, .part(.command)])

    /// Returns the type of a value that may differ between operations: one value, or an object with a value for each
    /// operation.
    static func perOperation(_ type: CatalogType, named name: String) -> CatalogType {
        .either([
            type,
            .part(
                CatalogPart(
                    name: name, summary: "Separate values for the operations.",
                    keys: OperationName.allCases.map { CatalogKey($0.rawValue, type, "For \($0.rawValue).") })),
        ])
    }

    /// The object definitions that the type refers to directly.
    var parts: [CatalogPart] {
        switch self {
        case .part(let part), .short(_, let part, _): [part]
        case .style(let parts): parts
        case .named(let type), .list(let type): type.parts
        case .either(let types): types.flatMap(\.parts)
        case .answerSelector: [.answerHeader]
        case .fields: [.field]
        default: []
        }
    }
}

extension CatalogPart {
    /// The definition of the top level of a catalog file.
    static let catalog = CatalogPart(
        name: "catalog", summary: "A catalog of APIs and their resources.",
        keys: [
            // Required in the main catalog file, but not here, because the part also describes included files.
            CatalogKey("larder", .version, "The version of the catalog format; optional in included files."),
            CatalogKey(
                "include", .list(.text),
                "Files with more APIs and resources, or names of shipped catalogs; relative paths start at this folder."
            ),
            CatalogKey("apis", .named(.part(.api)), "The APIs by name."),
            CatalogKey("resources", .named(.part(.resource)), "The resources by name."),
            CatalogKey("$schema", .any, "The JSON Schema of the format, for editors."),
        ], oneOf: [["apis", "resources", "include"]])

    /// All object definitions without duplicates, starting with the definition of a catalog file. Each definition is
    /// followed by the definitions that its keys use.
    static let all: [CatalogPart] = {
        var found: [CatalogPart] = []
        func add(_ part: CatalogPart) {
            guard !found.contains(where: { $0.name == part.name }) else { return }
            found.append(part)
            for key in part.keys { key.type.parts.forEach(add) }
        }
        add(.catalog)
        return found
    }()
}
