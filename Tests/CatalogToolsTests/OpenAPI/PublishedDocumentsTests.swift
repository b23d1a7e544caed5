import CatalogTools
import JSON
import TestSupport
import Testing

/// Compares drafts of trimmed public documents with golden files.
@Suite(.limited) struct PublishedDocumentsTests {
    private static let names = [
        "asana", "box", "discord", "harvest_app", "kratos", "lob", "mastodon", "netlify", "okta",
        "paypal_subscriptions", "pokeapi", "redmine", "slack", "spotify", "square", "twilio", "xero_projects",
    ]

    @Test(arguments: names)
    func draftedResourcesOfPublishedDocumentsMatchTheRecording(name: String) throws {
        let bytes = try Fixture.read("openapi/published/\(name).json")
        let text = try CatalogImport.draft(bytes)
        #expect(DraftText.faults(in: text) == [])
        let table = try CatalogImport.draft(bytes, choosing: CatalogImportChoice(isTable: true))
        let lines = (table + text).split(separator: "\n").map(String.init)
        try GoldenFile.expect(lines, in: "openapi/published/\(name).txt")
    }
}
