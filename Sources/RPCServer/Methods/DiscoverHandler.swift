import DataSources
import JSON
import Protocol

/// `rpc.discover`: all methods with their params, results and errors, as an OpenRPC document.
struct DiscoverHandler: Handler {
    let others: [String: any Handler]
    let resources: [ResourceDefinition]

    /// The name that OpenRPC gives it.
    static let method = "rpc.discover"

    var description: MethodDescription {
        MethodDescription(
            tag: .server, summary: "This document.", details: "An OpenRPC document: https://spec.open-rpc.org",
            result: .object.described("An OpenRPC document."))
    }

    /// The document is made when it is asked for, and off the reader's thread.
    func begin(_ params: NoParams, result: inout JSONWriter) throws(RPCError) -> Step {
        .work(
            Work {
                let methods = others.merging([Self.method: self]) { $1 }
                return ValueResult(OpenRPCDocument(methods: methods, resources: resources).json)
            })
    }
}
