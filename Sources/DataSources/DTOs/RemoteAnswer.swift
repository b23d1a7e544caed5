/// What an API says of something that may be known already.
public enum RemoteAnswer<DTO: Sendable>: Sendable {
    /// This is what it is now, and what to ask with next time.
    case changed(DTO, Validators?)
    /// It is as it was when the validators came that were sent (status 304); newer ones where the API sent any.
    case notModified(Validators?)
}

extension RemoteAnswer: Equatable where DTO: Equatable {}
