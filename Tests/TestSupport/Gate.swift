import DataSources
import System

/// Holds tasks and threads back until it is opened. Once open it stays open.
public final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var tasks: [Int: CheckedContinuation<Bool, Never>] = [:]
        var nextTask = 0
    }

    private let state = Lock(State())
    private let threads = ThreadBlock()

    /// A closed gate.
    public init() {}

    /// Lets all pass, now and later.
    public func open() {
        let tasks = state.withLock { state in
            state.isOpen = true
            defer { state.tasks = [:] }
            return state.tasks.values
        }
        threads.release()
        for task in tasks { task.resume(returning: true) }
    }

    /// Waits until the gate is open or the task is cancelled.
    ///
    /// - Throws: `CancellationError`.
    public func wait() async throws(CancellationError) {
        let id = state.withLock { state in
            state.nextTask += 1
            return state.nextTask
        }
        let passed = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let early: Bool? = state.withLock { state in
                    if state.isOpen { return true }
                    if Task.isCancelled { return false }
                    state.tasks[id] = continuation
                    return nil
                }
                if let early { continuation.resume(returning: early) }
            }
        } onCancel: {
            state.withLock { $0.tasks.removeValue(forKey: id) }?.resume(returning: false)
        }
        if !passed { throw CancellationError() }
    }

    /// Blocks the calling thread until the gate is open. Not for tasks.
    public func block() { threads.wait() }
}

/// A condition that threads wait for.
///
/// The pointers are set once and used only with the functions for them, which are made for many threads: hence
/// unchecked.
private final class ThreadBlock: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var isReleased = false

    init() {
        mutex.initialize(to: pthread_mutex_t())
        condition.initialize(to: pthread_cond_t())
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    func release() {
        pthread_mutex_lock(mutex)
        isReleased = true
        pthread_cond_broadcast(condition)
        pthread_mutex_unlock(mutex)
    }

    func wait() {
        pthread_mutex_lock(mutex)
        while !isReleased { pthread_cond_wait(condition, mutex) }
        pthread_mutex_unlock(mutex)
    }
}
