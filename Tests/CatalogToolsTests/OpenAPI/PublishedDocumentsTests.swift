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
        let catalog = try DraftText.value(text)
        var lines = try CatalogImport.draft(bytes, choosing: CatalogImportChoice(isTable: true))
            .split(separator: "\n").map(String.init)
        guard case .object(let apis)? = catalog["apis"], case .object(let resources)? = catalog["resources"] else {
            return
        }
        for api in apis.members { lines.append("\(api.key): \(api.value.text)") }
        for resource in resources.members {
            let rest = resource.value["rest"]
            lines.append("\(resource.key): id \(resource.value["id"]?.text ?? "")")
            if let get = rest?["get"] { lines.append("  get \(get.text)") }
            for key in ["path", "items", "pagination", "complete"] {
                if let value = rest?["list"]?[key] { lines.append("  list.\(key) \(value.text)") }
            }
        }
        try GoldenFile.expect(lines, in: "openapi/published/\(name).txt")
    }
}
