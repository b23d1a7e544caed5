/// The cache policies that a call may ask for.
public enum CachePolicyParam: String, CaseIterable, Sendable {
    case localFirst, remoteFirst, none, localOnly

    static let names = allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
}
