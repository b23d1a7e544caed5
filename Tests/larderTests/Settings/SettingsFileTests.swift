import DataSources
import System
import TestSupport
import Testing

@testable import RPCServer
@testable import larder

@Suite(.limited) struct SettingsFileTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        try #require(mkdir(folder.file("larder"), 0o700) == 0)
    }

    private func settings() -> SettingsFile? {
        let path = folder.path
        return SettingsFile(
            Environment(bytes: { $0 == "XDG_CONFIG_HOME" ? Array(path.utf8) : nil }, homeOfUser: { nil }))
    }

    @Test func settingsFileIsOptional() { #expect(settings() == nil) }

    @Test func pathOfACatalogIsRelativeToTheSettingsFile() throws {
        let text = #"{"catalog": ["github", "./pets.jsonc", "my/pets.jsonc", "/pets/pets.jsonc"]}"#
        try folder.write(Array(text.utf8), to: "larder/config.jsonc")
        var options = CommandOptions()
        options.people.colour = .always
        try #require(settings()).apply(to: &options)
        let own = folder.file("larder") as String
        let paths = ["github", "\(own)/./pets.jsonc", "\(own)/my/pets.jsonc", "/pets/pets.jsonc"]
        #expect(options.process.defaultCatalogs.map(\.description) == paths)
        #expect(options.people.colour == .always && options.people.settings?.description == "\(own)/config.jsonc")
    }

    @Test func settingsReplaceTheDefaultsOfOptions() throws {
        try folder.write(Array(#"{"color": "never", "columns": {"issue": ["id"]}}"#.utf8), to: "larder/config.jsonc")
        var options = CommandOptions()
        try #require(settings()).apply(to: &options)
        #expect(options.people.colour == .never && options.people.columns == ["issue": ["id"]])
        #expect(options.process.defaultCatalogs == [])
    }

    @Test func commandsThatNeedNoSettingsIgnoreFaultsInTheSettings() {
        let options = CommandOptions()
        for command in [Command.help, .topic("list"), .show(""), .version, .complete([]), .check("a.jsonc", options)] {
            #expect(!command.usesSettings, "\(command)")
        }
        for command in [Command.check(nil, options), .serve(options), .cache(.stats, resource: nil, options)] {
            #expect(command.usesSettings, "\(command)")
        }
    }
}
