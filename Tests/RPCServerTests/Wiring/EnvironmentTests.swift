import TestSupport
import Testing

@testable import RPCServer

/// The folders of the XDG Base Directory Specification, version 0.8.
@Suite struct EnvironmentTests {
    private static func environment(_ variables: [String: String]) -> Environment {
        Environment { variables[$0] }
    }

    @Test func foldersAreBelowTheHomeByDefault() {
        let environment = Self.environment(["HOME": "/users/ann"])
        #expect(environment.cacheDirectory == "/users/ann/.cache/larder")
        #expect(environment.dataDirectory == "/users/ann/.local/share/larder")
        #expect(environment.configDirectory == "/users/ann/.config/larder")
    }

    @Test func theirVariablesComeFirst() {
        let environment = Self.environment([
            "HOME": "/users/ann", "XDG_CACHE_HOME": "/c", "XDG_DATA_HOME": "/d", "XDG_CONFIG_HOME": "/e",
        ])
        #expect(environment.cacheDirectory == "/c/larder")
        #expect(environment.dataDirectory == "/d/larder")
        #expect(environment.configDirectory == "/e/larder")
    }

    @Test(arguments: ["", "relative/path", "~/x", "."])
    func aPathThatIsNotAbsoluteCountsAsNotSet(path: String) {
        let environment = Self.environment(["HOME": "/users/ann", "XDG_CACHE_HOME": path])
        #expect(environment.cacheDirectory == "/users/ann/.cache/larder")
    }

    @Test func theCacheFileIsInItsFolderOrInTheOneThatIsNamed() {
        let environment = Self.environment(["HOME": "/users/ann"])
        var options = Options()
        #expect(environment.cacheFile(options) == "/users/ann/.cache/larder/cache.sqlite")
        options.cacheDirectory = "here"
        #expect(environment.cacheFile(options) == "here/cache.sqlite")
    }

    @Test(arguments: [[:], ["HOME": "nowhere"]])
    func withoutAHomeThereIsStillAnAbsoluteFolder(variables: [String: String]) {
        #expect(Self.environment(variables).cacheDirectory.hasPrefix("/"))
        #expect(Self.environment(variables).cacheDirectory.hasSuffix("/.cache/larder"))
    }

    @Test(arguments: [("s3cret\n", "s3cret"), ("s3cret\r\n", "s3cret"), ("a\n\n", "a\n"), ("plain", "plain"), ("", "")])
    func aSecretsFileLosesItsLastNewline(text: String, secret: String) throws {
        let folder = try TemporaryDirectory()
        try folder.write(Array(text.utf8), to: "token")
        let secrets = Self.environment(["T": "v"]).secrets
        #expect(secrets.file(folder.file("token")) == secret)
        #expect(secrets.file(folder.file("missing")) == nil)
        #expect(secrets.environment("T") == "v")
        #expect(secrets.environment("U") == nil)
    }
}
