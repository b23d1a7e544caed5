import JSON
import System

/// A part of the catalog format: an object, its keys, and the types of their values. It is the only list of keys:
/// decoders refuse other keys, and the JSON Schema and `larder catalog show` are generated from it.
struct CatalogPart: Sendable {
    /// The name of the part in the JSON Schema.
    let name: String
    let summary: String
    let keys: [CatalogKey]
    /// Groups of keys. At least one key of each group is required.
    var oneOf: [[String]] = []
    /// Whether exactly one of the keys is required.
    var isChoice = false

    /// The names of the keys.
    var names: [String] { keys.map(\.name) }
}

/// A key of a part of the catalog format.
struct CatalogKey: Sendable {
    let name: String
    let type: CatalogType
    let summary: String
    var isRequired = false
    /// The default value; nil if there is none, or if it cannot be written as JSON.
    var standard: JSONValue?

    init(
        _ name: String, _ type: CatalogType, _ summary: String, isRequired: Bool = false, standard: JSONValue? = nil
    ) {
        self.name = name
        self.type = type
        self.summary = summary
        self.isRequired = isRequired
        self.standard = standard
    }
}

/// The type of a value in the catalog.
indirect enum CatalogType: Sendable {
    /// A text in which `${...}` is expanded. A number is accepted as its text.
    case text
    /// A text in which `${...}` is expanded, and which is never shown.
    case secret
    /// A text in which `${...}` is not expanded.
    case plain
    /// One of these texts.
    case word([String])
    case integer(ClosedRange<Int>)
    case version
    case flag
    /// A string, a number or a boolean.
    case scalar
    case duration(isPositive: Bool)
    case size
    /// A dotted path, or an array of its steps.
    case selector
    /// A selector into the body of a response, or the name of a header field.
    case answerSelector
    case part(CatalogPart)
    /// One of these parts, which differ in their `style`.
    case style([CatalogPart])
    /// A part, or in the short form only the value of this key.
    case short(String, CatalogPart)
    /// An object whose keys are names that the catalog's author chooses.
    case named(CatalogType)
    case list(CatalogType)
    case either([CatalogType])
    /// The fields of an item.
    case fields
    /// The type of a field.
    case fieldType
    /// The type of a filter or a scope.
    case parameterType
    /// Any JSON value. `${...}` is expanded in its texts.
    case any

    /// A secret, or a command that prints it.
    static let token = CatalogType.either([.secret, .part(.command)])

    /// Returns a type that accepts a value, or an object with separate values for the operations.
    static func perOperation(_ type: CatalogType, named name: String) -> CatalogType {
        .either([
            type,
            .part(
                CatalogPart(
                    name: name, summary: "Separate values for the operations.",
                    keys: OperationName.allCases.map { CatalogKey($0.rawValue, type, "For \($0.rawValue).") })),
        ])
    }

    /// The parts of the format that the type refers to.
    var parts: [CatalogPart] {
        switch self {
        case .part(let part), .short(_, let part): [part]
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
    /// The top level of a catalog file.
    static let catalog = CatalogPart(
        name: "catalog", summary: "A catalog of APIs and their resources.",
        keys: [
            // Required in the main catalog file, but not here, because the part also describes included files.
            CatalogKey("larder", .version, "The version of the catalog format; optional in included files."),
            CatalogKey(
                "include", .list(.text),
                "Files with more APIs and resources; relative paths start at the folder of this file."),
            CatalogKey("apis", .named(.part(.api)), "The APIs by name."),
            CatalogKey("resources", .named(.part(.resource)), "The resources by name."),
            CatalogKey("$schema", .any, "The JSON Schema of the format, for editors."),
        ], oneOf: [["apis", "resources", "include"]])

    /// All parts of the format, each once. The catalog is first, and each part precedes the parts that it introduces.
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
