/// Where `${env:NAME}` and `${file:PATH}` find their values.
public struct SecretSource: Sendable {
    /// The value of an environment variable; nil where it is not set.
    public let environment: @Sendable (String) -> String?
    /// The text of a file without the newline at its end; nil where it cannot be read.
    public let file: @Sendable (String) -> String?

    /// A source of its own, for tests.
    public init(
        environment: @escaping @Sendable (String) -> String?, file: @escaping @Sendable (String) -> String?
    ) {
        self.environment = environment
        self.file = file
    }

    /// Nothing is set.
    public static let empty = SecretSource(environment: { _ in nil }, file: { _ in nil })
}
