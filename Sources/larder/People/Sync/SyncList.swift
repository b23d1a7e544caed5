import JSON
import Model
import RPCServer
import System

/// The local copies of lists as a table (`larder cache syncs`).
struct SyncList {
    private let rows: [JSONValue]

    /// Reads the local copies from the cache. If the cache cannot be read, reports the error on stderr and returns nil.
    init?(_ process: Process) {
        let (result, error) = InProcessClient(process.serving).ask("cache/syncs", .null)
        guard let syncs = result?["syncs"]?.elements else {
            ErrorStream.fail("larder: \(error?["message"]?.string ?? "no reply")\n")
            return nil
        }
        let now = process.clock.now()
        rows = syncs.map { sync in
            let syncedAt = sync["syncedAt"]?.string.flatMap { DateText($0)?.milliseconds }
            let age = syncedAt.map { OriginText.age(now.milliseconds - $0) } ?? "never"
            return [
                "list": .string(SyncText.name(of: sync)), "items": sync["items"] ?? .null,
                "synced": .string(age),
                "complete": sync["complete"] ?? .null,
            ]
        }
    }

    func text(_ view: TerminalView) -> String {
        if rows.isEmpty { return view.paint.aside("no local copies; start with: larder sync RESOURCE") + "\n" }
        return WrappingTable.text(rows, fields: ["list", "items", "synced", "complete"], note: "", view)
    }
}
