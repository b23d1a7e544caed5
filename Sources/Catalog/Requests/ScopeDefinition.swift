import JSON
import System

/// A scope parameter of a resource. It identifies a parent of the items, such as the repository of an issue. Every
/// method of the resource takes the parameter, and every cache key contains its value.
public struct ScopeDefinition: Equatable, Sendable {
    public let name: String
    public let type: ParameterType
    /// The default value; nil if the parameter is required.
    public let standard: JSONValue?
}
