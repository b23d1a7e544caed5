import RPCServer
import System

/// The options of a command line: the settings of the process, and those of single commands.
@dynamicMemberLookup
struct CommandOptions: Equatable, Sendable {
    /// The settings of the process that does the work.
    var process = Options()
    var isJSON = false
    /// Header fields as they are sent.
    var headers: [String] = []
    /// The type of a schema that is asked about.
    var graphQLType: String?
    /// Whether `check` asks the APIs.
    var isLive = false
    /// What it asks for, by name.
    var given: [String: String] = [:]
    /// Whose configuration is printed.
    var host = MCPHost.generic
    /// What the commands for people show.
    var people = PeopleOptions()

    subscript<Value>(dynamicMember path: any WritableKeyPath<Options, Value> & Sendable) -> Value {
        get { process[keyPath: path] }
        set { process[keyPath: path] = newValue }
    }
}
