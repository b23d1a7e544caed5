import Catalog
import JSON
import RPCServer
import System

/// The tables that a query can read, with the resources that they show.
struct SQLTables {
    private let resources: [String: ResourceDefinition]
    /// The catalogs that the command line selects.
    private let catalogs: [FilePath]

    /// Creates the tables of some resources.
    ///
    /// - Parameter resources: the resources; the keys are the names of their tables.
    init(_ resources: [String: ResourceDefinition], _ catalogs: [FilePath]) {
        (self.resources, self.catalogs) = (resources, catalogs)
    }

    /// Creates the tables of all resources in the catalog that a process serves.
    init(_ process: Process, _ catalogs: [FilePath]) {
        let serving = process.serving.current
        let names = serving.queries?.schema.names ?? [:]
        let resources = serving.resources.values.map { $0.repository.resource }
        self.init(
            Dictionary(resources.map { (names[$0.name] ?? $0.name, $0) }) { first, _ in first }, catalogs)
    }

    var names: [String] { resources.keys.sorted() }

    /// Returns a `larder` command line that selects the same catalogs as the current command line.
    func line(_ words: String) -> String { CommandHint.line(words, catalogs) }

    /// Returns the command that makes the local copy of a table. Returns nil if the table's resource has no list.
    func sync(table: String) -> String? {
        guard let resource = resources[table], resource.list != nil else { return nil }
        return sync(resource, JSONObject())
    }

    /// Returns the command that makes a local copy.
    ///
    /// - Parameter call: a member of `data.calls` in the error `notSynced`.
    func sync(call: JSONValue) -> String? {
        guard let method = call["method"]?.string, case .object(let params)? = call["params"] else { return nil }
        return resource(ofSync: method).map { sync($0, params) }
    }

    /// Returns the resource that a method such as `issue/sync` updates.
    func resource(ofSync method: String) -> ResourceDefinition? {
        resources.values.first { TerminalCommand.sync.method(of: $0.name) == method }
    }

    private func sync(_ resource: ResourceDefinition, _ params: JSONObject) -> String {
        let scope = resource.scope.flatMap { part -> [String] in
            let words = CommandHint.words(part.name, params[part.name])
            return words.isEmpty && part.standard == nil ? ["\(part.name)=VALUE"] : words
        }
        return line((["sync", resource.name] + scope).joined(separator: " "))
    }
}
