import DataSources
import JSON
import Model
import System

/// What an observer knows its thing to be: what it has told last, or what there was when it began. An observer that
/// goes on in the place of another is given what that one knew, and tells what is different from it.
public final class KnownContents: Sendable {
    private struct State {
        var contents: JSONTexts?
        /// Whether somebody has looked.
        var isKnown = false
        /// Where the thing is kept.
        var place: ResourceKey?
        /// Whether the thing is to be kept elsewhere by now, and has not been seen there.
        var isMoved = false
    }

    private let state = Lock(State())

    /// Nothing is known yet.
    public init() {}

    /// Says where the thing is kept from now on.
    func begin(in place: ResourceKey) {
        state.withLock { state in
            if let former = state.place, former != place { state.isMoved = true }
            state.place = place
        }
    }

    /// Takes what the thing is now; nil where it is not kept. Returns whether that is a change.
    func take(_ contents: JSONTexts?) -> Bool {
        state.withLock { state in
            // Where nothing of it has ever been kept, it is not gone either.
            if contents == nil, state.isKnown, state.isMoved { return false }
            defer { (state.contents, state.isKnown, state.isMoved) = (contents, true, false) }
            return state.isKnown && state.contents != contents
        }
    }
}
