import DataSources
import Protocol
import Repositories
import System

extension MCPRouter {
    /// Creates the MCP methods for the resources of a catalog.
    ///
    /// - Parameters:
    ///   - contexts: the context of each resource's handlers, in the order of the catalog.
    ///   - clock: determines the age of answers.
    ///   - toolPrefix: the prefix of the tools' names; nil for none.
    convenience init(
        _ contexts: [ResourceContext], _ errors: RPCErrorMapper, clock: any ClockContract, toolPrefix: String? = nil
    ) {
        self.init(making: { Self.table(contexts, errors, clock: clock, ToolNames(prefix: toolPrefix)) })
    }

    private static func table(
        _ contexts: [ResourceContext], _ errors: RPCErrorMapper, clock: any ClockContract, _ names: ToolNames
    ) -> [String: any MCPMethodContract] {
        let table = ResourceTable(contexts)
        let resources = table.resources
        let tools = ToolTable(table, ToolOutput(clock: clock), names)
        let instructions = ResourceGuide(resources: resources).instructions(names)
        let watched = RepositoryTable(repositories: contexts.map(\.repository))
        return [
            "initialize": MCPInitializeMethod(instructions: instructions),
            "server/discover": MCPDiscoverMethod(instructions: instructions),
            "ping": MCPPingMethod(),
            "notifications/initialized": MCPInitializedMethod(),
            "notifications/cancelled": MCPCancelledMethod(),
            "tools/list": ToolListMethod(table: tools),
            "tools/call": ToolCallMethod(table: tools),
            "resources/list": ResourceListMethod(.resources, resources),
            "resources/templates/list": ResourceListMethod(.templates, resources),
            "resources/read": ResourceReadMethod(table: table, names: names, clock: clock),
            "resources/subscribe": SubscribeMethod(repositories: watched, begins: true),
            "resources/unsubscribe": SubscribeMethod(repositories: watched, begins: false),
            "subscriptions/listen": ListenMethod(repositories: watched),
            "completion/complete": CompletionMethod(repositories: watched, errors: errors),
        ]
    }
}
