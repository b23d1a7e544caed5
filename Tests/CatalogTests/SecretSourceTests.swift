import Catalog
import Mocks
import TestSupport
import Testing

@Suite(.limited) struct SecretSourceTests {
    private static let source = SecretSource(
        variable: { ["OK": Array("é".utf8), "ODD": [0x63, 0xE9], "EMPTY": []][$0] },
        contents: { ["/ok": Array("é\r\n".utf8), "/odd": [0xFF, 0xFE, 0x0A]][$0] })

    @Test func secretSourceReturnsTheValueOfASecret() throws {
        #expect(try Self.source.environment("OK") == "é")
        #expect(try Self.source.environment("EMPTY") == "")
        #expect(try Self.source.file("/ok") == "é")
    }

    @Test func secretWithInvalidUTF8IsRefused() {
        #expect(throws: SecretFault.isNotUTF8) { try Self.source.environment("ODD") }
        #expect(throws: SecretFault.isNotUTF8) { try Self.source.file("/odd") }
    }

    @Test func missingSecretIsReported() {
        #expect(throws: SecretFault.isMissing) { try Self.source.environment("NO") }
        #expect(throws: SecretFault.isMissing) { try Self.source.file("/no") }
    }

    @Test func errorForASecretDoesNotContainTheSecret() {
        let text = CatalogText.make(api: #"{"baseURL": "https://a.test", "auth": {"bearer": "${env:ODD}"}}"#)
        #expect {
            try CatalogDecoder.decode(Array(text.utf8), secrets: Self.source)
        } throws: { error in
            let faults = (error as? CatalogFaults)?.faults.map(\.message)
            return faults == ["the environment variable 'ODD' is not UTF-8"]
        }
    }
}
