import Catalog
import DataSources
import JSON
import Protocol
import System

/// `rpc.discover`: all methods with their params, results and errors, as an OpenRPC document.
struct DiscoverHandler: Handler {
    let others: [String: any Handler]
    let resources: [ResourceDefinition]
    /// The document, once it was asked for: it does not change, and to make it takes a thousand times a memory hit.
    private let document = Lock<[UInt8]?>(nil)

    init(others: [String: any Handler], resources: [ResourceDefinition]) {
        self.others = others
        self.resources = resources
    }

    /// The name that OpenRPC gives it.
    static let method = "rpc.discover"

    var description: MethodDescription {
        MethodDescription(
            tag: .server, summary: "This document.", details: "An OpenRPC document: https://spec.open-rpc.org",
            result: .object.described("An OpenRPC document."))
    }

    /// The document is made when it is asked for first, and off the reader's thread.
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
