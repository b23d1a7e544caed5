/// What a loop waits for besides its jobs. All of it is called on the loop's thread, but for `wake`.
package protocol EventSource: AnyObject {
    /// For how many milliseconds it may be left alone; nil where nothing is under way, so that the loop need not wait
    /// here for it.
    var patience: Int? { get }

    /// Does what can be done now.
    func turn()

    /// Waits for an event, for `wake`, or for so many milliseconds.
    func wait(milliseconds: Int)

    /// Ends a `wait` that is under way, or the next one. Called on any thread, while the source is attached.
    func wake()
}
