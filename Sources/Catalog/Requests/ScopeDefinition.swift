import JSON
import System

/// One of the parents of a resource: a parameter of each of its methods, and a part of each of its keys.
public struct ScopeDefinition: Equatable, Sendable {
    /// The parameter's name.
    public let name: String
    /// What its value must be.
    public let type: ParameterType
    /// What stands for a value that is not given; nil where it must be.
    public let standard: JSONValue?
}
