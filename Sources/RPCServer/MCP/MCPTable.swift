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
    ///   - queries: runs SQL statements over the cache; nil to omit the tool `query_cached`.
    ///   - toolPrefix: the prefix of the tools' names; nil for none.
    convenience init(
        _ contexts: [ResourceContext], _ errors: RPCErrorMapper, clock: any ClockContract,
        queries: CatalogQueries? = nil, toolPrefix: String? = nil
    ) {
        self.init(making: { Self.table(contexts, errors, clock: clock, queries, ToolNames(prefix: toolPrefix)) })
    }

    private static func table(
        _ contexts: [ResourceContext], _ errors: RPCErrorMapper, clock: any ClockContract,
        _ queries: CatalogQueries?, _ names: ToolNames
    ) -> [String: any MCPMethodContract] {
        let table = ResourceTable(contexts)
        let resources = table.resources
        let tools = ToolTable(
            table, ToolOutput(clock: clock), names,
            queries: queries.map { QueryHandler(errors: errors, clock: clock, queries: $0) })
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
            "resources/read": ResourceReadMethod(table: table, names: names, clock: clock, queries: queries),
            "resources/subscribe": SubscribeMethod(repositories: watched, begins: true),
            "resources/unsubscribe": SubscribeMethod(repositories: watched, begins: false),
            "subscriptions/listen": ListenMethod(repositories: watched),
            "completion/complete": CompletionMethod(repositories: watched, errors: errors),
        ]
    }
}
