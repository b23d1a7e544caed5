import Catalog

/// Builds the text of small catalogs and decodes it.
package enum CatalogText {
    /// Secrets in the variables `KEY`, `USER`, `PASS`, `LINES` and `EMPTY`, and in the file `/run/key`.
    package static let secrets = SecretSource(
        environment: { ["KEY": "k3y", "USER": "rick", "PASS": "p@ss w/rd", "LINES": "a\nb", "EMPTY": ""][$0] },
        file: { $0 == "/run/key" ? "file-key" : nil })

    /// Returns a catalog on one line with the API `a` and the resource `thing`. All arguments are JSON texts.
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

    /// Decodes a text and returns its faults as `line:column: message`; empty for a valid catalog.
    package static func faults(_ text: String) -> [String] {
        do throws(CatalogFaults) {
            _ = try decode(text)
            return []
        } catch {
            return error.faults.map { "\($0.position.line):\($0.position.column): \($0.message)" }
        }
    }
}
