import JSON
import System

/// The choices for an import: the part of the document to draft, the fields to include, and the form of the result.
public struct CatalogImportChoice: Equatable, Sendable {
    /// The fields to include in a draft.
    public enum Fields: String, CaseIterable, Sendable {
        /// No fields. Larder then returns items as the API sends them.
        case none
        /// All fields, including those of nested objects.
        case all
    }

    /// The resources, tags and path prefixes that select a part of the document; empty for the whole document.
    public var only: [String] = []
    /// The fields to include. If nil, only drafts with few resources include nested fields.
    public var fields: Fields?
    /// Whether the result is a table of the resources instead of a catalog.
    public var isTable = false
    /// Whether the table is printed as JSON instead of text.
    public var isJSON = false

    public init(only: [String] = [], fields: Fields? = nil, isTable: Bool = false) {
        (self.only, self.fields, self.isTable) = (only, fields, isTable)
    }

    /// The number of resources above which a draft leaves out nested fields by default.
    static let maxDetailed = 40

    /// Returns the chosen resources.
    ///
    /// - Throws: `CatalogDraftError` if one of the chosen names matches nothing in the document.
    func applied(to drafts: OpenAPIResources.Drafts) throws(CatalogDraftError) -> OpenAPIResources.Drafts {
        var drafts = drafts
        for choice in only where !drafts.resources.contains(where: { Self.matches($0, choice) }) {
            let names = drafts.resources.map(\.name)
            let hint = Spelling.nearest(to: choice, in: names).map { "did you mean '\($0)'?" }
            throw CatalogDraftError(
                "the document has no resource, tag or path '\(VisibleText.line(choice, limit: 100))';"
                    + " \(hint ?? "list them with --list")")
        }
        if !only.isEmpty {
            drafts.resources.removeAll { draft in !only.contains { Self.matches(draft, $0) } }
            let paths = only.filter { $0.hasPrefix("/") }
            drafts.left.removeAll { left in !paths.contains { Self.isBelow(left.path, $0) } }
        }
        drafts.isCompact = fields == nil && drafts.resources.count > Self.maxDetailed
        for index in drafts.resources.indices {
            if fields == CatalogImportChoice.Fields.none {
                drafts.resources[index].fields = []
            } else if drafts.isCompact {
                drafts.resources[index].compact()
            }
        }
        return drafts
    }

    private static func matches(_ draft: ResourceDraft, _ choice: String) -> Bool {
        if choice.hasPrefix("/") { return draft.paths.contains { isBelow($0, choice) } }
        return draft.name == choice || draft.tags.contains { $0.lowercased() == choice.lowercased() }
    }

    private static func isBelow(_ path: String, _ prefix: String) -> Bool {
        let prefix = prefix.hasSuffix("/") ? String(prefix.dropLast()) : prefix
        return path == prefix || path.hasPrefix(prefix + "/")
    }
}

extension ResourceDraft {
    /// Shortens the declaration of each field to one line.
    mutating func compact() {
        fieldsNote = nil
        fields = fields.map { DraftField(name: $0.name, type: $0.type.compact) }
    }
}

extension DraftType {
    /// The maximum total length of an enumeration's values.
    private static let maxLength = 70

    /// A short form of the type, so that the declaration of a field fits on one line. Objects appear without their
    /// fields, and comments are left out.
    fileprivate var compact: DraftType {
        let shape: Shape =
            switch shape {
            case .object: .any
            case .array(let element): .array(element.compact)
            case .map(let value): .map(value.compact)
            case .enumeration(let values) where values.reduce(0, { $0 + $1.count + 4 }) > Self.maxLength: .string
            default: shape
            }
        return DraftType(shape, isOptional: isOptional)
    }
}
