import JSON
import System

/// A name in a resource's scope, which identifies a parent of the items, such as the repository of an issue. The name
/// is a parameter of every method and a part of every cache key.
public struct ScopeDefinition: Equatable, Sendable {
    public let name: String
    public let type: ParameterType
    /// The default value; nil if the parameter is required.
    public let standard: JSONValue?
}
