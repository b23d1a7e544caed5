import JSON
import System

/// A part of the catalog's format: an object, the keys that it may have, and what they take. Decoders refuse what is
/// not in it, and JSON Schema and `larder catalog show` are made of it: there is no other list of keys.
struct CatalogPart: Sendable {
    /// Its name in the JSON Schema.
    let name: String
    let summary: String
    let keys: [CatalogKey]
    /// Groups of keys, of each of which one must be there.
    var oneOf: [[String]] = []
    /// Whether it has exactly one of its keys.
    var isChoice = false

    /// The names of its keys.
    var names: [String] { keys.map(\.name) }
}

/// A key of a part of the catalog.
struct CatalogKey: Sendable {
    let name: String
    let type: CatalogType
    let summary: String
    var isRequired = false
    /// What stands for it where it is not given; nil where nothing does, or nothing that could be written.
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

/// What a value of the catalog may be.
indirect enum CatalogType: Sendable {
    /// A text in which `${...}` is filled in; a number is one too.
    case text
    /// The same, which nobody may see.
    case secret
    /// A text as it is.
    case plain
    /// One of these texts.
    case word([String])
    case integer(ClosedRange<Int>)
    case version
    case flag
    /// A text, a number, or true or false.
    case scalar
    case duration(isPositive: Bool)
    case size
    /// A dotted path, or its steps.
    case selector
    /// The same, or a header field.
    case answerSelector
    case part(CatalogPart)
    /// One of these parts, which their `style` tells apart.
    case style([CatalogPart])
    /// The part, or the value of that key of it alone.
    case short(String, CatalogPart)
    /// An object with names of the author's choice.
    case named(CatalogType)
    case list(CatalogType)
    case either([CatalogType])
    /// The fields of an item.
    case fields
    /// What a field must be.
    case fieldType
    /// What a filter or a name of the scope takes.
    case parameterType
    /// Any value; `${...}` is filled in in the texts in it.
    case any

    /// A secret, or a command that says it.
    static let token = CatalogType.either([.secret, .part(.command)])

    /// The type with another one for single operations.
    static func perOperation(_ type: CatalogType, named name: String) -> CatalogType {
        .either([
            type,
            .part(
                CatalogPart(
                    name: name, summary: "Where the operations differ.",
                    keys: OperationName.allCases.map { CatalogKey($0.rawValue, type, "For \($0.rawValue).") })),
        ])
    }

    /// The parts that are named in it.
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
    /// The catalog itself.
    static let catalog = CatalogPart(
        name: "catalog", summary: "A catalog: APIs, and the resources that they serve.",
        keys: [
            // Required of a catalog itself; what is said here is also said of the files that it includes.
            CatalogKey("larder", .version, "The version of the format; an included file may leave it out."),
            CatalogKey("include", .list(.text), "Files beside this one that have more APIs and resources."),
            CatalogKey("apis", .named(.part(.api)), "The APIs by name."),
            CatalogKey("resources", .named(.part(.resource)), "The resources by name."),
            CatalogKey("$schema", .any, "The JSON Schema of the format, for editors."),
        ], oneOf: [["apis", "resources", "include"]])

    /// All parts of the format, each once: the catalog first, and what a part is made of behind it.
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
