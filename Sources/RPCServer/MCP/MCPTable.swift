import DataSources
import Protocol
import Repositories
import System

extension MCPRouter {
    /// The methods over a catalog's.
    ///
    /// - Parameters:
    ///   - table: those of the native dialect, which do the work.
    ///   - clock: tells how old an answer is.
    convenience init(
        _ table: [String: any Handler], _ repositories: [any ResourceRepositoryContract], _ errors: RPCErrorMapper,
        clock: any ClockContract
    ) {
        self.init(making: { Self.table(table, repositories, errors, clock: clock) })
    }

    private static func table(
        _ table: [String: any Handler], _ repositories: [any ResourceRepositoryContract], _ errors: RPCErrorMapper,
        clock: any ClockContract
    ) -> [String: any MCPMethodContract] {
        let resources = repositories.map(\.resource)
        let methods = ResourceMethods(resources: resources, handlers: table)
        let answer = ToolAnswer(clock: clock)
        let tools = ToolTable(methods, answer)
        let instructions = ResourceGuide(resources: resources).instructions
        let watched = RepositoryTable(repositories: repositories)
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
            "resources/read": ResourceReadMethod(methods: methods, answer: answer),
            "resources/subscribe": SubscribeMethod(repositories: watched, begins: true),
            "resources/unsubscribe": SubscribeMethod(repositories: watched, begins: false),
            "subscriptions/listen": ListenMethod(repositories: watched),
            "completion/complete": CompletionMethod(repositories: watched, errors: errors),
        ]
    }
}
