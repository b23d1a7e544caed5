import Catalog
import DataSources
import JSON
import Protocol
import System

/// `rpc.discover`: returns an OpenRPC document of all methods.
struct DiscoverHandler: Handler {
    let others: [String: any Handler]
    let resources: [ResourceDefinition]
    /// The OpenRPC document, stored because building it is slow; nil before the first `rpc.discover` request.
    private let document = Lock<[UInt8]?>(nil)

    init(others: [String: any Handler], resources: [ResourceDefinition]) {
        self.others = others
        self.resources = resources
    }

    /// The method name `rpc.discover`, which the OpenRPC specification defines.
    static let method = "rpc.discover"

    var description: MethodDescription {
        MethodDescription(
            tag: .server, summary: "Returns this document.", details: "An OpenRPC document: https://spec.open-rpc.org",
            result: .object.described("An OpenRPC document."))
    }

    /// Writes the OpenRPC document if it is stored. Otherwise, returns work that builds, stores and writes it.
    func begin(
        _ params: NoParams, in session: Session, result: inout JSONWriter
    ) throws(RPCError) -> Step {
        if let json = document.withLock({ $0 }) {
            result.splice(json)
            return .answered
        }
        return .work(
            Work {
                let methods = others.merging([Self.method: self]) { $1 }
                var writer = JSONWriter()
                ValueResult(OpenRPCDocument(methods: methods, resources: resources).json).write(to: &writer)
                let json = writer.bytes
                document.withLock { $0 = json }
                return WrittenResult(json: json)
            })
    }
}
