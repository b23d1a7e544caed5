import DataSources
import JSON
import Model
import System

/// The last known content of an observed item or page.
///
/// An observer that replaces an earlier observer reports only differences from this content.
public final class LastSeen: Sendable {
    private struct State {
        var contents: JSONTexts?
        /// Whether the observer has read the content at least once.
        var isKnown = false
        /// The resource key under which the content is cached.
        var key: ResourceKey?
        /// Whether the resource key has changed, and no content was found under the new key yet.
        var isMoved = false
    }

    private let state = Lock(State())

    public init() {}

    /// Sets the resource key for later reads of the observed content.
    func begin(in key: ResourceKey) {
        state.withLock { state in
            if let former = state.key, former != key { state.isMoved = true }
            state.key = key
        }
    }

    /// Stores the current content of the observed item or page. Returns whether the content has changed; false at the
    /// first call.
    ///
    /// - Parameter contents: the current content; nil if nothing is cached.
    func take(_ contents: JSONTexts?) -> Bool {
        state.withLock { state in
            // A new key had no content before, so missing content is not a removal.
            if contents == nil, state.isKnown, state.isMoved { return false }
            defer { (state.contents, state.isKnown, state.isMoved) = (contents, true, false) }
            return state.isKnown && state.contents != contents
        }
    }
}
