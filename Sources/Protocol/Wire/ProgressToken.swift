import JSON

/// Under what a client hears of a request's progress: a string or an integer of its own choice (LSP, `ProgressToken`).
public struct ProgressToken: Equatable, Sendable {
    public let json: [UInt8]

    init?(_ view: JSONView) {
        guard view.kind == .string || view.integer != nil else { return nil }
        var writer = JSONWriter()
        writer.value(view)
        json = writer.bytes
    }
}
