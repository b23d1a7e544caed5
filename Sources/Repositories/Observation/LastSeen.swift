import DataSources
import JSON
import Model
import System

/// The content of an item or page that an observer reported last, or found when it started.
///
/// An observer that replaces another one takes over this content and reports the differences from it.
public final class LastSeen: Sendable {
    private struct State {
        var contents: JSONTexts?
        /// Whether the content was read at least once.
        var isKnown = false
        /// The resource key under which the content is cached.
        var key: ResourceKey?
        /// Whether the key has changed and nothing was found under the new key yet.
        var isMoved = false
    }

    private let state = Lock(State())

    public init() {}

    /// Sets the resource key under which the content is cached from now on.
    func begin(in key: ResourceKey) {
        state.withLock { state in
            if let former = state.key, former != key { state.isMoved = true }
            state.key = key
        }
    }

    /// Stores the current content; nil if it is not cached. Returns whether the content has changed since the last
    /// call.
    func take(_ contents: JSONTexts?) -> Bool {
        state.withLock { state in
            // Under a new key, missing content does not mean a removal: nothing was ever cached under this key.
            if contents == nil, state.isKnown, state.isMoved { return false }
            defer { (state.contents, state.isKnown, state.isMoved) = (contents, true, false) }
            return state.isKnown && state.contents != contents
        }
    }
}
