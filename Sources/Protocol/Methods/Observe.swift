import JSON
import Model

/// The params of `RESOURCE/observe`: `{"id", "observer"?}` or `{"page"?, "filter"?, "observer"?}`.
public struct ObserveParams: MethodParams, Equatable, Sendable {
    public static let declared = ParameterList(
        Parameters.id.optional, Parameters.page.optional, Parameters.filter.optional, Parameters.observer.optional)

    /// The id of the item to observe; nil for a page.
    public let id: String?
    /// The token of the page to observe; nil for the first page.
    public let page: PageToken?
    /// The filter of the list whose page the client observes.
    public let filter: FilterParam?
    /// The observer's name; nil if the server must choose a name.
    public let observer: String?

    public init(_ reader: ParamsReader) throws(RPCError) {
        (id, page, filter, observer) = try Self.declared.read(reader)
        if id != nil, page != nil || filter != nil {
            throw RPCError(
                .invalidParams, "'id' cannot be combined with 'page' or 'filter'; pass only 'id' to observe an item")
        }
    }
}

/// The params of `RESOURCE/unobserve`: `{"observer"}`.
public struct UnobserveParams: MethodParams, Equatable, Sendable {
    public static let declared = ParameterList(Parameters.observer.required)

    public let observer: String

    public init(_ reader: ParamsReader) throws(RPCError) {
        observer = try Self.declared.read(reader)
    }
}

/// The result of `RESOURCE/observe` and `RESOURCE/unobserve`: `{"observer"}`.
public struct ObserverResult: RPCResult, Equatable {
    public static let schema = JSONSchema.object([.required("observer", .string(minLength: 1))])

    private let observer: String

    public init(_ observer: String) { self.observer = observer }

    public func write(to writer: inout JSONWriter) { writer.value(["observer": .string(observer)]) }
}
