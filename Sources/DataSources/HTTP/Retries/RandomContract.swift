/// Draws numbers. Tests stand one of their own in its place.
public protocol RandomContract: Sendable {
    /// A number from 0 to a limit, which is 0 or more; each is as likely as the others.
    func number(upTo limit: Int) -> Int
}
