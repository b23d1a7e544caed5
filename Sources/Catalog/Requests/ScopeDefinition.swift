import JSON
import System

/// A parameter that identifies a parent of the resource's items, such as a repository. It is a parameter of each method
/// and a part of each cache key.
public struct ScopeDefinition: Equatable, Sendable {
    public let name: String
    public let type: ParameterType
    /// The default value; nil if the parameter is required.
    public let standard: JSONValue?
}
