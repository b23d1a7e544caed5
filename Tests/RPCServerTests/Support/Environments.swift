@testable import RPCServer

extension Environment {
    /// Creates an environment with the given variables and without a home folder in the user database.
    init(_ variable: @escaping @Sendable (String) -> String?) {
        self.init(bytes: { variable($0).map { Array($0.utf8) } }, homeOfUser: { nil })
    }
}
