import JSON

/// The TypeScript types of a catalog's resources: their items, and what their methods take.
package enum TypeScriptTypes {
    /// The text of a module.
    package static func text(_ catalog: Catalog, origin: String) -> String {
        var names: Set<String> = ["Resources", "JSONValue", "Array"]
        let declared = catalog.resources.map { ($0, unique(name(of: $0.name), among: &names)) }
        let table = declared.map { resource, name in
            "  \(key(resource.name)): { \(row(resource, name)) };"
        }
        let header = """
            // What `larder catalog types` makes of \(origin.filter { !$0.isNewline }).

            export type JSONValue = null | boolean | number | string | JSONValue[] | { [key: string]: JSONValue };

            """
        let interfaces = declared.flatMap { resource, name in declarations(resource, name, lists: true) }
        return header + "\n" + interfaces.joined(separator: "\n\n") + """


            /** Each resource: its items, those of its lists, and what its methods take. */
            export interface Resources {
            \(table.joined(separator: "\n"))
            }

            """
    }

    /// The types of one resource: its items, and what its scope and its filters take.
    package static func text(of resource: ResourceDefinition) -> String {
        declarations(resource, name(of: resource.name), lists: false).map { $0 + "\n" }.joined()
    }

    private static func row(_ resource: ResourceDefinition, _ name: String) -> String {
        let list = resource.list
        let shown = list.map { list in
            if list.isOfIDs, !list.isHydrated { return "{ id: \(id(resource)) }" }
            return listsParts(resource) ? "\(name)Listed" : name
        }
        return [
            "item: \(name)", "listed: \(shown ?? "never")", "id: \(id(resource))",
            "scope: \(resource.scope.isEmpty ? "{}" : "\(name)Scope")",
            "filter: \(list?.filters.isEmpty == false ? "\(name)Filter" : "{}")",
            "page: \(list.map { page($0) } ?? "never")",
        ].joined(separator: "; ")
    }

    /// Whether a list may leave out declared fields of its items, and of the records in them.
    private static func listsParts(_ resource: ResourceDefinition) -> Bool {
        guard let list = resource.list, resource.fields != nil else { return false }
        return !list.isComplete && !list.isHydrated && !list.isOfIDs
    }

    private static func id(_ resource: ResourceDefinition) -> String {
        resource.id == .integer ? "number" : "string"
    }

    private static func page(_ list: ListDefinition) -> String {
        if case .number = list.pageForm { "number" } else { "number | string | null" }
    }

    /// - Parameter lists: whether what its list shows of an item has a type too.
    private static func declarations(_ resource: ResourceDefinition, _ name: String, lists: Bool) -> [String] {
        var out: [String] = []
        let about = "/** An item of the resource `\(resource.name)`. */\n"
        if let fields = resource.fields {
            out.append(about + "export interface \(name) " + object(fields, resource, .whole))
            if lists, listsParts(resource) {
                out.append(
                    "/** What a list shows of such an item: any field may be absent. */\n"
                        + "export interface \(name)Listed " + object(fields, resource, .part))
            }
        } else {
            out.append(about + "export type \(name) = { [key: string]: JSONValue };")
        }
        if !resource.scope.isEmpty {
            out.append(
                "export interface \(name)Scope {\n"
                    + resource.scope.map { member($0.name, $0.type, isOptional: $0.standard != nil) }.joined() + "}")
        }
        if let filters = resource.list?.filters, !filters.isEmpty {
            out.append(
                "export interface \(name)Filter {\n"
                    + filters.map { member($0.name, $0.type, isOptional: !$0.isRequired) }.joined() + "}")
        }
        return out
    }

    private static func member(_ name: String, _ type: ParameterType, isOptional: Bool) -> String {
        "  \(key(name))\(isOptional ? "?" : ""): \(self.type(type));\n"
    }

    /// How much of an item there is.
    private enum Extent: String {
        case whole = ""
        case part = "?"
    }

    private static func object(
        _ fields: [FieldDefinition], _ resource: ResourceDefinition?, _ extent: Extent, indent: String = ""
    ) -> String {
        let members = fields.map { field in
            let isID = field.name == "id" && resource?.isIDDerived == false
            let type = (isID ? resource.map(id) : nil) ?? self.type(field.type, extent, indent: indent + "  ")
            return "\(indent)  \(key(field.name))\(extent.rawValue): \(type);\n"
        }
        return "{\n\(members.joined())\(indent)}"
    }

    private static func type(_ type: FieldType, _ extent: Extent, indent: String) -> String {
        let text: String =
            switch type.shape {
            case .string, .date: "string"
            case .integer, .number: "number"
            case .boolean: "boolean"
            case .any: "JSONValue"
            case .object(let fields): object(fields, nil, extent, indent: indent)
            case .array(let element): "Array<\(self.type(element, extent, indent: indent))>"
            case .map(let value): "{ [key: string]: \(self.type(value, extent, indent: indent)) }"
            case .enumeration(let values, let otherwise):
                union(values + (otherwise.map { values.contains($0) ? [] : [$0] } ?? []))
            }
        return type.isOptional ? "\(text) | null" : text
    }

    private static func type(_ type: ParameterType) -> String {
        switch type {
        case .string, .date(nil): "string"
        case .integer, .number: "number"
        case .boolean: "boolean"
        case .any: "JSONValue"
        case .date: "number | string"
        case .enumeration(let values): union(values)
        case .array(let element): "Array<\(self.type(element))>"
        }
    }

    private static func union(_ values: [String]) -> String {
        values.map { JSONValue.string($0).text }.joined(separator: " | ")
    }

    /// A name as a property has it: in quotes where it is no identifier.
    private static func key(_ name: String) -> String {
        let isIdentifier = name.first?.isNumber == false && name.utf8.allSatisfy { isWord($0) }
        return isIdentifier ? name : JSONValue.string(name).text
    }

    /// A resource's name as a type's: `pull-request` becomes `PullRequest`.
    private static func name(of resource: String) -> String {
        resource.split { !$0.isLetter && !$0.isNumber }.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    private static func unique(_ name: String, among names: inout Set<String>) -> String {
        var own = name
        var number = 2
        func derived(of own: String) -> [String] { [own, "\(own)Listed", "\(own)Scope", "\(own)Filter"] }
        while !names.isDisjoint(with: derived(of: own)) {
            own = "\(name)\(number)"
            number += 1
        }
        names.formUnion(derived(of: own))
        return own
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
