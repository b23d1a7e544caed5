import System
import TestSupport

@testable import DataSources

/// Who reads the stream of changes when a test says so.
struct ChangeListener: Sendable {
    let space: SharedSpace
    let server: RedisServerDouble
    let reader: SharedReader
    let resources = SharedResources()
    private let changes: SharedChanges
    private let heard = Watched<[ForeignChange]>([])

    /// - Parameter index: what the file knows; nil where there is none.
    init(
        _ data: RedisData, clock: any ClockContract, mode: SharedMode = .readwrite, index: SharedIndexDouble?
    ) throws {
        resources.declare([SharedMachine.resource])
        server = RedisServerDouble(data)
        let settings = try SharedMachine.settings(mode)
        space = SharedSpace(
            settings, server: server, condition: SharedCondition(settings.url, clock: clock), resources: resources,
            clock: clock)
        reader = SharedReader(space: space)
        changes = SharedChanges(space, index: index, timer: TimerMock())
        changes.tell { [heard] change in heard.change { $0.append(change) } }
    }

    /// Looks, and returns what it is told since the last time.
    func hear() async -> [ForeignChange] {
        await changes.lookAtAll()
        return heard.change { heard in
            defer { heard = [] }
            return heard
        }
    }
}
