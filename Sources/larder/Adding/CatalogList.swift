import Catalog
import JSON
import Model
import RPCServer
import System

/// `larder catalogs`: lists the shipped catalogs and the user's own catalogs.
enum CatalogList {
    /// Returns the catalogs in the selected format. In the table format, a note below the table names the command that
    /// lists the resources of a catalog.
    static func text(_ environment: Environment, _ view: TerminalView) -> String {
        let own = (try? UserCatalogs(environment)).map { catalogs in
            catalogs.names.map { row($0, "yours", (try? InputFile.read(catalogs.path(of: $0))) ?? []) }
        }
        let rows = (own ?? []) + ShippedCatalog.all.map { row($0.name, "shipped", $0.text) }
        if view.format != .table { return view.text(rows) }
        return WrappingTable.text(
            rows, fields: ["catalog", "origin", "resources", "hosts", "fault"],
            note: "larder resources --catalog NAME lists the resources of one", view)
    }

    private static func row(_ name: String, _ origin: String, _ bytes: [UInt8]) -> JSONValue {
        var row = JSONObject([("catalog", .string(name)), ("origin", .string(origin))])
        do throws(CatalogFaults) {
            let catalog = try CatalogDecoder.decode(bytes, secrets: .empty, toleratesMissing: true)
            row["resources"] = .integer(catalog.resources.count)
            var hosts: [String] = []
            for api in catalog.apis {
                let host = URLReference(api.effectiveBaseURL)?.authority ?? ""
                if !host.isEmpty, !hosts.contains(host) { hosts.append(host) }
            }
            row["hosts"] = .array(hosts.map { .string($0) })
        } catch {
            row["fault"] = .string(error.lines(file: name).first ?? "invalid")
        }
        return .object(row)
    }
}
