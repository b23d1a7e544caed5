/// How a level of the cache is, in one word, as `cache/stats` tells it.
public enum LevelState: String, CaseIterable, Sendable {
    /// It works.
    case ok
    /// Its file was damaged, was set aside, and begun anew.
    case rebuilt
    /// Writes cannot be done now, and wait.
    case failing
    /// Its file cannot be used.
    case unavailable
    /// It was not asked for.
    case off
}
