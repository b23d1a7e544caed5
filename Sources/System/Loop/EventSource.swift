/// A source of events that an event loop waits for in addition to its jobs. The loop calls all members except `wake` on
/// its thread.
package protocol EventSource: AnyObject {
    /// The number of milliseconds after which the loop must call `turn` again; nil if the source has no pending work.
    var maxWait: Milliseconds? { get }

    /// Handles the events that are currently available.
    func turn()

    /// Waits until an event occurs or `wake` is called, but at most for the given number of milliseconds.
    func wait(milliseconds: Milliseconds)

    /// Ends the current `wait`; if no `wait` is running, the next one returns at once. Any thread may call this
    /// function while the loop uses the source.
    func wake()
}
