import Catalog
import TestSupport
import Testing

/// What version 0.1 kept of the built-in catalog's resources is still found.
@Suite(.limited) struct BuiltInCatalogTests {
    /// The declaration that entries are kept under differs from the text only where that takes more.
    @Test func onlyWhatTakesMoreHasChanged() throws {
        let kept = try BuiltInCatalog.decode().resources.map { String(decoding: $0.declaration, as: UTF8.self) }
        let declared = try CatalogDecoder.decode(Array(BuiltInCatalog.text.utf8), secrets: .empty).resources.map {
            String(decoding: $0.declaration, as: UTF8.self)
                .replacing(#","otherwise":"unknown"}"#, with: "").replacing(#"{"type":["#, with: "[")
                .replacing(#"?":"#, with: #"":"#)
        }
        #expect(kept == declared)
    }
}
