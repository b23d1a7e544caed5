/// A source of events that a loop waits for besides its jobs. All members except `wake` are called on the loop's
/// thread.
package protocol EventSource: AnyObject {
    /// The number of milliseconds after which `turn` must be called again; nil if nothing is under way, so that the
    /// loop need not wait for the source.
    var maxWait: Milliseconds? { get }

    /// Handles the events that are available now.
    func turn()

    /// Waits for an event, for `wake`, or for a number of milliseconds.
    func wait(milliseconds: Milliseconds)

    /// Ends the current or the next `wait`. Called on any thread while the source is attached.
    func wake()
}
