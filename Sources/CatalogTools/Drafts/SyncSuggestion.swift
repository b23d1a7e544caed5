import JSON

/// Suggests the key `sync` for a drafted list. The suggestion is a comment, because the name of a parameter does not
/// prove which items the parameter selects.
///
/// A list gets a suggestion if it has a parameter such as `updated_after`, and its items have a field such as
/// `updated_at`.
struct SyncSuggestion {
    /// The names of parameters that usually request the items changed since an update time or sequence number; the
    /// clearest names first. Names are compared without case and punctuation.
    private static let parameters = [
        "updatedsince", "updatedatsince", "lastupdatedsince", "modifiedsince", "lastmodifiedsince", "changedsince",
        "changessince", "updatedafter", "updatedatafter", "lastupdatedafter", "modifiedafter", "modifiedatafter",
        "lastmodifiedafter", "changedafter", "updatedgte", "updatedatgte", "lastupdatedgte", "modifiedgte",
        "modifiedatgte", "lastmodifiedgte", "updatedmin", "updatedatmin", "modifiedmin", "lastmodifiedmin",
        "minupdatedat", "minlastmodified", "updatedfrom", "updatedatfrom", "modifiedfrom", "lastmodifiedfrom", "since",
    ]
    /// The names of fields that usually contain the update time or sequence number of an item; the best names first. A
    /// field in UTC is better than one in the time zone of the API.
    private static let fields = [
        "updatedgmt", "dateupdatedgmt", "modifiedgmt", "datemodifiedgmt", "updatedat", "updated", "lastupdatedat",
        "lastupdated", "lastupdate", "updateddate", "updatedtime", "updatetime", "updatedon", "dateupdated",
        "modifiedat", "modified", "lastmodifiedat", "lastmodified", "lastmodifieddate", "lastmodifieddatetime",
        "lastmodifiedtime", "modifieddate", "modifieddatetime", "modifiedtime", "modifiedon", "datemodified",
        "changedat", "changed", "lastchangedat", "lastchanged",
    ]
    /// Word stems in the names of parameters and fields. For the parameter `modified_since`, the field `modified_at` is
    /// preferred to `updated_at`, because it has the same stem.
    private static let stems = ["updat", "modif", "chang"]
    private static let maxListed = 5

    /// Returns the comment that suggests `sync` for a list. Nil if no parameter of the list seems to request changes,
    /// or if no field of the items seems to contain an update time or sequence number.
    static func comment(on draft: ResourceDraft) -> DraftLine? {
        guard let list = draft.list.map(DraftObject.init), list.text("of") == nil else { return nil }
        let filters = list.object("filters").lines.compactMap(Filter.init)
        var best: (rank: Int, parameter: Parameter, field: DraftField)?
        for parameter in parameters(of: list, filters) {
            guard let rank = rank(parameter.name), best.map({ rank < $0.rank }) ?? true,
                let field = field(for: parameter, in: draft.fields)
            else { continue }
            best = (rank, parameter, field)
        }
        guard let (_, parameter, field) = best else { return nil }
        let sync = self.sync(parameter.name, field, filters)
        var text =
            "if '\(parameter.name)' requests only the items that have changed since a time or number, 'larder sync'"
        text += " can use it: "
        if parameter.isConstant { text += "remove '\(parameter.name)' from 'query', and " }
        let standard = filters.filter(\.hasDefault).map { "'\($0.name)'" }
        if !standard.isEmpty {
            let more = standard.count > maxListed ? ", ..." : ""
            text += "remove 'default' of \(standard.prefix(maxListed).joined(separator: ", "))\(more), and "
        }
        return .comment(text + "add \(DraftPrinter.line(of: [sync]))")
    }

    /// A request parameter of a list.
    private struct Parameter {
        let name: String
        /// The type of the parameter: `date`, `integer`, `number` or `string`.
        let type: String
        /// Whether the draft sends the parameter with a constant value in each request.
        var isConstant = false
    }

    /// A filter of a drafted list.
    private struct Filter {
        let name: String
        let parameter: String
        /// The name of the filter's type; nil for an array and an enumeration.
        let type: String?
        let isRequired: Bool
        let hasDefault: Bool
        /// Whether a `POST` sends the filter in its query instead of its body.
        let isMoved: Bool

        init?(_ line: DraftLine) {
            guard case .member(let name, let value, _) = line else { return nil }
            self.name = name
            guard case .object(let lines) = value else {
                guard case .json(.string(let parameter)) = value else { return nil }
                (self.parameter, type, isRequired, hasDefault, isMoved) = (parameter, "string", false, false, false)
                return
            }
            let object = DraftObject(lines)
            parameter = object.text("param") ?? name
            type = object["type"] == nil ? "string" : object.text("type")
            isRequired = object["required"] != nil
            hasDefault = object["default"] != nil
            isMoved = object["in"] != nil
        }
    }

    /// Returns the parameters with which `sync` could request the changes of a list: optional filters without a
    /// default, and constants in the query.
    private static func parameters(of list: DraftObject, _ filters: [Filter]) -> [Parameter] {
        let optional = filters.filter { !$0.isRequired && !$0.hasDefault && !$0.isMoved }
        let sent = optional.compactMap { filter in filter.type.map { Parameter(name: filter.parameter, type: $0) } }
        let constants = list.object("query").lines.compactMap { line -> Parameter? in
            guard case .member(let name, .json(.string(let value)), _) = line, !value.contains("{") else { return nil }
            let type = Int(value) != nil ? "integer" : DateText(value, assumingUTC: true) != nil ? "date" : "string"
            return Parameter(name: name, type: type, isConstant: true)
        }
        return (sent + constants).filter { !$0.name.contains("${") }
    }

    /// Returns the index of a parameter's name in `parameters`; nil if `parameters` does not contain the name. A
    /// smaller index means a clearer name.
    private static func rank(_ name: String) -> Int? {
        // The variable `filter.updatedAfter` and the parameter `filter[updatedAfter]` contain the name at their end.
        let names = [name, name.split { ".[]".contains($0) }.dropFirst().joined()].map(DraftNames.normalized)
        return parameters.firstIndex { names.contains($0) }
    }

    /// Returns the field of an item that most likely contains its update time or sequence number. Considers only fields
    /// whose values can be sent in the given request parameter. Nil if there is no such field.
    private static func field(for parameter: Parameter, in fields: [DraftField]) -> DraftField? {
        let usable = fields.filter { field in
            !field.name.contains("${") && kind(of: field).map { $0.fits(parameter.type) } == true
        }
        func first(_ fits: (String) -> Bool) -> DraftField? {
            for name in Self.fields where fits(name) {
                if let found = usable.first(where: { DraftNames.normalized($0.name) == name }) { return found }
            }
            return nil
        }
        let plain = DraftNames.normalized(parameter.name)
        let stem = stems.first { plain.contains($0) }
        return stem.flatMap { stem in first { $0.contains(stem) } } ?? first { _ in true }
    }

    /// The type of a field that contains an update time or sequence number.
    private enum Kind {
        case date
        case integer
        case unit(String)

        /// Whether a request parameter with the given type can send the values of a field of this kind.
        func fits(_ type: String) -> Bool {
            switch self {
            case .date: ["date", "string", "any"].contains(type)
            case .integer, .unit: ["integer", "number", "string", "any"].contains(type)
            }
        }
    }

    private static func kind(of field: DraftField) -> Kind? {
        switch field.type.shape {
        case .date(nil), .localDate: .date
        case .date(let unit?): .unit(unit)
        case .integer: .integer
        default: nil
        }
    }

    private static func sync(_ parameter: String, _ field: DraftField, _ filters: [Filter]) -> DraftLine {
        var lines: [DraftLine] = [
            .text("style", "since"), .text("param", parameter), .member("from", .selector([field.name])),
        ]
        switch kind(of: field) {
        case .integer?: lines.append(.text("type", "integer"))
        case .unit(let unit)?: lines.append(.text("unit", unit))
        case .date?, nil: break
        }
        // Every request sends these filters, so that a sync needs their names.
        let required = filters.filter { $0.isRequired && !$0.hasDefault }.map { DraftValue.text($0.name) }
        if !required.isEmpty { lines.append(.member("filters", .array(required))) }
        return .member("sync", .object(lines))
    }
}
