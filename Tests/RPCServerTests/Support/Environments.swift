@testable import RPCServer

extension Environment {
    /// An environment of these variables, of a user whom the system does not know.
    init(_ variable: @escaping @Sendable (String) -> String?) {
        self.init(bytes: { variable($0).map { Array($0.utf8) } }, homeOfUser: { nil })
    }
}
