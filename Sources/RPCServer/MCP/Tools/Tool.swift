import JSON
import Protocol

/// An argument of an MCP tool, with its name, JSON form and schema.
struct ToolArgument: Sendable {
    let name: String
    let form: ArgumentForm
    let schema: JSONSchema
    var isRequired = false
}

/// Hints for an MCP client about the safety of a tool (`ToolAnnotations`).
struct ToolHints: Sendable {
    let isReadOnly: Bool
    /// Whether the tool may call an API.
    let isOpenWorld: Bool
}

/// The outcome of starting a tool call: an answer, or the work that produces the answer.
enum ToolStep {
    case answered(ToolAnswer)
    case work(@Sendable (Scope) async throws(RPCError) -> ToolAnswer)
}

extension ToolContract {
    /// Writes the description of the tool as an element of `tools/list`. The order of the members never changes, so
    /// that the model's prompt cache stays valid.
    ///
    /// - Parameter hasOutputSchema: whether the client's protocol version defines `outputSchema`.
    func write(to writer: inout JSONWriter, _ names: ToolNames, hasOutputSchema: Bool) {
        writer.beginObject()
        writer.key("name")
        writer.string(names.name(name))
        writer.key("title")
        writer.string(title)
        writer.key("description")
        writer.string(names.text(description))
        writer.key("inputSchema")
        writer.value(
            JSONSchema.openObject(
                arguments.map { argument in
                    let schema = argument.schema.mappingDescription { names.text($0) }
                    return argument.isRequired ? .required(argument.name, schema) : .optional(argument.name, schema)
                }
            ).json)
        if hasOutputSchema {
            writer.key("outputSchema")
            writer.value(outputSchema.json)
        }
        writer.key("annotations")
        writer.beginObject()
        writer.key("readOnlyHint")
        writer.bool(hints.isReadOnly)
        // Hosts may repeat each tool call, because no tool destroys data and a second call has no further effect.
        writer.key("destructiveHint")
        writer.bool(false)
        writer.key("idempotentHint")
        writer.bool(true)
        writer.key("openWorldHint")
        writer.bool(hints.isOpenWorld)
        writer.endObject()
        writer.endObject()
    }
}
