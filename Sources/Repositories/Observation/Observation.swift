/// What an observer is told: what the thing has become.
public enum Observation: Sendable {
    case item(Answer<[UInt8]>)
    case page(Answer<Page>)
    /// It is not there any more.
    case gone
}
