import Catalog

/// Catalogs to decode, built from small parts.
package enum CatalogText {
    /// Finds `KEY`, `USER` and `PASS`, and the file `/run/key`.
    package static let secrets = SecretSource(
        environment: { ["KEY": "k3y", "USER": "rick", "PASS": "p@ss w/rd", "LINES": "a\nb", "EMPTY": ""][$0] },
        file: { $0 == "/run/key" ? "file-key" : nil })

    /// A catalog of one API `a` and one resource `thing`, without a line break; parts are JSON.
    package static func make(
        api: String = #"{"baseURL": "https://a.test"}"#, id: String = "\"integer\"", fields: String? = nil,
        rest: String = #"{"get": {"path": "/things/{id}"}}"#, cache: String? = nil
    ) -> String {
        let fields = fields.map { #""fields": \#($0), "# } ?? ""
        let cache = cache.map { #", "cache": \#($0)"# } ?? ""
        return #"{"larder": 1, "apis": {"a": \#(api)}, "resources": {"thing": {"api": "a", "id": \#(id), "#
            + #"\#(fields)"rest": \#(rest)\#(cache)}}}"#
    }

    package static func decode(_ text: String) throws(CatalogFaults) -> Catalog {
        try CatalogDecoder.decode(Array(text.utf8), secrets: secrets)
    }

    /// The faults of a text as `line:column: message`; none where it is a catalog.
    package static func faults(_ text: String) -> [String] {
        do throws(CatalogFaults) {
            _ = try decode(text)
            return []
        } catch {
            return error.faults.map { "\($0.position.line):\($0.position.column): \($0.message)" }
        }
    }
}
