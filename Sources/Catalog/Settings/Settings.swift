/// The user's settings: defaults for command-line options, from the file `config.jsonc`.
public struct Settings: Equatable, Sendable {
    /// The catalogs to use if neither `--catalog` nor `LARDER_CATALOG` is given, as names or paths. Empty if the
    /// settings file names no catalog.
    public var catalogs: [String] = []
    /// The default value of the option `--color`; nil if the settings file contains none.
    public var color: String?
    /// For each resource, the fields that its tables show as columns. The key is the resource, such as `issue` or
    /// `github/issue`.
    public var columns: [String: [String]] = [:]

    /// Creates settings without any value.
    public init() {}
}
