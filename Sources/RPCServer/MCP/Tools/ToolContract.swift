import JSON
import Protocol

/// A tool of the Model Context Protocol: its description for a model and its implementation.
protocol ToolContract: Sendable {
    var name: String { get }
    var title: String { get }
    /// The purpose of the tool, in a few short sentences.
    var description: String { get }
    var arguments: [ToolArgument] { get }
    /// The schema of a successful answer. Clients compare each answer with it.
    var outputSchema: JSONSchema { get }
    var hints: ToolHints { get }

    /// Begins a call on the thread that reads the input: returns the answer at once, or the work that produces it.
    func begin(_ arguments: ToolArguments) throws(RPCError) -> ToolStep
}
