import JSON
import Protocol

/// A tool of the Model Context Protocol: its description for a model and its implementation.
protocol ToolContract: Sendable {
    var name: String { get }
    var title: String { get }
    /// The purpose of the tool, in a few short sentences.
    var description: String { get }
    var arguments: [ToolArgument] { get }
    /// The JSON Schema of a successful answer. Clients validate each answer against this schema.
    var outputSchema: JSONSchema { get }
    var hints: ToolHints { get }

    /// Starts a tool call on the thread that reads the input. Returns the answer, or the work that produces the answer.
    func begin(_ arguments: ToolArguments) throws(RPCError) -> ToolStep
}
