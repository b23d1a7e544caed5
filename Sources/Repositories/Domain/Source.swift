/// Where an answer came from, nearest first.
public enum Source: Int, Comparable, CaseIterable, Sendable {
    case memory, persistence, remote

    /// The order of distance.
    public static func < (left: Source, right: Source) -> Bool { left.rawValue < right.rawValue }
}
