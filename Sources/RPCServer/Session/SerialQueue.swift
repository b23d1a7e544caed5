import DataSources
import JSON
import Protocol
import Synchronization
import System

/// A queue for the work of requests that change state, such as the cache. The queue runs one piece of work at a time,
/// in the order of the `add` calls.
final class SerialQueue: Sendable {
    private struct State {
        var last: Task<Void, Never>?
        var barrier: Task<Void, Never>?
        /// The number of unfinished tasks for which reads of the cache must wait.
        var barriers = 0
    }

    private let state = Lock(State())
    /// Whether cache reads must wait for queued work. Most reads check only this value, without a lock.
    private let hasBarrier = Atomic<Bool>(false)

    /// The last queued task for which cache reads must wait; nil if there is no such task.
    var barrier: Task<Void, Never>? {
        hasBarrier.load(ordering: .acquiring) ? state.withLock { $0.barrier } : nil
    }

    /// Runs the work after all earlier work in the queue.
    ///
    /// - Parameter isBarrier: whether cache reads must wait for this work.
    func add(isBarrier: Bool = false, _ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        state.withLock { state in
            let previous = state.last
            let task = Task(executorPreference: EventLoop.shared) {
                await previous?.value
                await work()
                if isBarrier { self.endBarrier() }
            }
            state.last = task
            guard isBarrier else { return task }
            state.barrier = task
            state.barriers += 1
            hasBarrier.store(true, ordering: .releasing)
            return task
        }
    }

    private func endBarrier() {
        state.withLock { state in
            state.barriers -= 1
            guard state.barriers == 0 else { return }
            state.barrier = nil
            hasBarrier.store(false, ordering: .releasing)
        }
    }
}

extension Work {
    /// Creates work that waits until the task `other` has finished, and then handles a request.
    ///
    /// - Parameter params: the request's params as JSON; nil if there are none.
    init(of handler: any MethodContract, _ params: [UInt8]?, in session: Session, after other: Task<Void, Never>) {
        self.init(speaking: { scope async throws(RPCError) in
            await other.value
            if Task.isCancelled { throw RPCError(.requestCancelled, "the request was cancelled") }
            var result = JSONWriter()
            switch try Self.begin(handler, params, in: session, result: &result) {
            case .answered: return WrittenResult(json: result.bytes)
            case .work(let work): return try await work.run(scope)
            }
        })
    }

    private static func begin(
        _ handler: any MethodContract, _ params: [UInt8]?, in session: Session, result: inout JSONWriter
    ) throws(RPCError) -> Step {
        guard let params else { return try handler.begin(ParamsReader(nil), in: session, result: &result) }
        let document: JSONDocument
        do throws(JSONFault) {
            document = try JSONDocument(params)
        } catch {
            throw RPCError(
                .internalError, "cannot parse 'params': \(error.reason); report this as a bug in Larder")
        }
        return try document.withRoot { (root) throws(RPCError) in
            try handler.begin(ParamsReader(root), in: session, result: &result)
        }
    }
}

/// A result that is already encoded as JSON.
struct WrittenResult: RPCResult {
    let json: [UInt8]

    func write(to writer: inout JSONWriter) { writer.splice(json) }
}
