import DataSources
import JSON

/// The TypeScript types of a catalog's resources: their items, and what their methods take.
enum TypeScriptTypes {
    /// The text of a module.
    static func text(_ catalog: Catalog, origin: String) -> String {
        var names: Set<String> = ["Resources", "JSONValue", "Array", "Partial"]
        let declared = catalog.resources.map { ($0, unique(name(of: $0.name), among: &names)) }
        let table = declared.map { resource, name in
            "  \(key(resource.name)): { \(row(resource, name)) };"
        }
        let header = """
            // What `larder catalog types` makes of \(origin.filter { !$0.isNewline }).

            export type JSONValue = null | boolean | number | string | JSONValue[] | { [key: string]: JSONValue };

            """
        let interfaces = declared.flatMap { resource, name in declarations(resource, name) }
        return header + "\n" + interfaces.joined(separator: "\n\n") + """


            /** Each resource: its items, those of its lists, and what its methods take. */
            export interface Resources {
            \(table.joined(separator: "\n"))
            }

            """
    }

    /// The types of one resource: its items, and what its scope and its filters take.
    static func text(of resource: ResourceDefinition) -> String {
        declarations(resource, name(of: resource.name)).map { $0 + "\n" }.joined()
    }

    private static func row(_ resource: ResourceDefinition, _ name: String) -> String {
        let list = resource.list
        let shown = list.map { $0.isOfIDs && !$0.isHydrated ? "{ id: \(id(resource)) }" : listed(name, $0) }
        return [
            "item: \(name)", "listed: \(shown ?? "never")", "id: \(id(resource))",
            "scope: \(resource.scope.isEmpty ? "{}" : "\(name)Scope")",
            "filter: \(list?.filters.isEmpty == false ? "\(name)Filter" : "{}")",
            "page: \(list.map { page($0) } ?? "never")",
        ].joined(separator: "; ")
    }

    private static func listed(_ name: String, _ list: ListDefinition) -> String {
        list.isComplete || list.isHydrated ? name : "Partial<\(name)>"
    }

    private static func id(_ resource: ResourceDefinition) -> String {
        resource.id == .integer ? "number" : "string"
    }

    private static func page(_ list: ListDefinition) -> String {
        if case .number = list.pageForm { "number" } else { "number | string | null" }
    }

    private static func declarations(_ resource: ResourceDefinition, _ name: String) -> [String] {
        var out: [String] = []
        let about = "/** An item of the resource `\(resource.name)`. */\n"
        if let fields = resource.fields {
            out.append(about + "export interface \(name) " + object(fields, resource, indent: ""))
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

    private static func object(_ fields: [FieldDefinition], _ resource: ResourceDefinition?, indent: String) -> String {
        let members = fields.map { field in
            let isID = field.name == "id" && resource?.isIDDerived == false
            let type = isID ? resource.map(id) : nil
            return "\(indent)  \(key(field.name)): \(type ?? self.type(field.type, indent: indent + "  "));\n"
        }
        return "{\n\(members.joined())\(indent)}"
    }

    private static func type(_ type: FieldType, indent: String) -> String {
        let text: String =
            switch type.shape {
            case .string, .date: "string"
            case .integer, .number: "number"
            case .boolean: "boolean"
            case .any: "JSONValue"
            case .object(let fields): object(fields, nil, indent: indent)
            case .array(let element): "Array<\(self.type(element, indent: indent))>"
            case .map(let value): "{ [key: string]: \(self.type(value, indent: indent)) }"
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
        while !names.isDisjoint(with: [own, "\(own)Scope", "\(own)Filter"]) {
            own = "\(name)\(number)"
            number += 1
        }
        names.formUnion([own, "\(own)Scope", "\(own)Filter"])
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
