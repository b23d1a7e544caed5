import JSON
import Protocol

/// A tool of the Model Context Protocol: what a model is told of it, and what it does.
protocol ToolContract: Sendable {
    var name: String { get }
    var title: String { get }
    /// What it is for, in a few short sentences.
    var description: String { get }
    var arguments: [ToolArgument] { get }
    var hints: ToolHints { get }

    /// Called on the reader's thread: either answers at once or returns the work for the answer.
    func begin(_ arguments: ToolArguments) throws(RPCError) -> ToolStep
}
