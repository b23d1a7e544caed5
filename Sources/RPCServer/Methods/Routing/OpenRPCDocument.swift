import Catalog
import DataSources
import JSON
import Protocol

/// The result of `rpc.discover`: an OpenRPC 1.3 document. Each handler contributes the description of its method.
struct OpenRPCDocument {
    let methods: [String: any Handler]
    let resources: [ResourceDefinition]

    var json: JSONValue {
        [
            "openrpc": "1.3.2",
            "info": [
                "title": "Larder", "version": .string(Version.current),
                "description": .string(
                    """
                    Cached data from REST and GraphQL APIs. Each line on stdin and stdout is one JSON-RPC 2.0 message. \
                    A parameter or filter that is null counts as absent. Integers are written without fraction and \
                    exponent. Any request may have a `workDoneToken`.
                    """),
                "license": ["name": "MIT"],
            ],
            "methods": .array(methods.sorted { $0.key < $1.key }.map { Self.method($0.key, $0.value) }),
            "components": [
                "schemas": .object(JSONObject(schemas.map { ($0.name, $0.schema.json) })),
                "errors": .object(JSONObject(RPCError.Code.native.map { (Self.name(of: $0), Self.error($0)) })),
            ],
            "x-larder-resources": .object(
                JSONObject(resources.map { ($0.name, ["idField": $0.idField.map { .string($0) } ?? .null]) })),
        ]
    }

    private var schemas: [(name: String, schema: JSONSchema)] {
        var out = [(RPCError.schemaName, RPCError.schema)]
        for resource in resources {
            out.append((resource.itemSchemaName, JSONSchema(itemOf: resource, isPartial: false)))
            if resource.showsPartialItems {
                out.append((resource.listItemSchemaName, JSONSchema(itemOf: resource, isPartial: true)))
            }
        }
        return out
    }

    private static func method(_ name: String, _ handler: any Handler) -> JSONValue {
        let description = handler.description
        var method = JSONObject([
            ("name", .string(name)), ("tags", [["name": .string(description.tag.name)]]),
            ("summary", .string(description.summary)),
        ])
        if !description.details.isEmpty { method["description"] = .string(description.details) }
        method["paramStructure"] = "by-name"
        method["params"] = .array(handler.parameters.map { Self.parameter($0) })
        if let result = description.result {
            method["result"] = ["name": "result", "schema": result.json]
            method["errors"] = .array(
                errors(of: handler, description).map { ["$ref": .string("#/components/errors/\(Self.name(of: $0))")] })
        }
        return .object(method)
    }

    private static func errors(of handler: any Handler, _ description: MethodDescription) -> [RPCError.Code] {
        MethodDescription.commonErrors + (handler.mayAskAPI ? RPCError.Code.ofCalls : []) + description.errors
    }

    private static func parameter(_ parameter: ParameterDescription) -> JSONValue {
        [
            "name": .string(parameter.name), "summary": .string(parameter.purpose),
            "description": .string("It must be \(parameter.expected)."), "required": .bool(parameter.isRequired),
            "schema": parameter.schema.json,
        ]
    }

    private static func name(of code: RPCError.Code) -> String { "\(code)" }

    private static func error(_ code: RPCError.Code) -> JSONValue {
        var error = JSONObject([("code", .integer(code.rawValue)), ("message", .string(code.meaning))])
        if RPCError.Code.own.contains(code) { error["data"] = code.kind.map { ["kind": .string($0)] } }
        return .object(error)
    }
}

extension ResourceDefinition {
    /// The schema name of the resource's items, such as `item.book`. The prefix `item.` prevents conflicts with the
    /// names of schemas that do not describe items.
    var itemSchemaName: String { "item.\(name)" }

    /// The schema name of the items in the resource's list: `listItem.book` if the items may lack fields, otherwise
    /// `item.book`.
    var listItemSchemaName: String { showsPartialItems ? "listItem.\(name)" : itemSchemaName }

    /// Whether the list returns only some fields of each item.
    fileprivate var showsPartialItems: Bool { list?.isComplete == false && list?.isHydrated != true }
}
