import DataSources
import System
import TestSupport
import Testing

@testable import Catalog
@testable import RPCServer

/// Tests the folders of the XDG Base Directory Specification, version 0.8.
@Suite(.limited) struct EnvironmentTests {
    private static func environment(_ variables: [String: String]) -> Environment {
        Environment { variables[$0] }
    }

    @Test func defaultFoldersAreInTheHomeFolder() {
        let environment = Self.environment(["HOME": "/users/ann"])
        #expect(environment.cacheDirectory == "/users/ann/.cache/larder")
        #expect(environment.dataDirectory == "/users/ann/.local/share/larder")
        #expect(environment.configDirectory == "/users/ann/.config/larder")
        #expect(environment.stateDirectory == "/users/ann/.local/state/larder")
    }

    @Test func xdgVariablesTakePrecedence() {
        let environment = Self.environment([
            "HOME": "/users/ann", "XDG_CACHE_HOME": "/c", "XDG_DATA_HOME": "/d", "XDG_CONFIG_HOME": "/e",
            "XDG_STATE_HOME": "/f",
        ])
        #expect(environment.cacheDirectory == "/c/larder")
        #expect(environment.dataDirectory == "/d/larder")
        #expect(environment.configDirectory == "/e/larder")
        #expect(environment.stateDirectory == "/f/larder")
    }

    @Test(arguments: ["", "relative/path", "~/x", "."])
    func relativePathInAnXDGVariableCountsAsUnset(path: String) {
        let environment = Self.environment(["HOME": "/users/ann", "XDG_CACHE_HOME": path])
        #expect(environment.cacheDirectory == "/users/ann/.cache/larder")
    }

    @Test(arguments: [[:], ["HOME": "nowhere"], ["HOME": ""]])
    func thereAreNoDefaultFoldersIfThereIsNoHomeFolder(variables: [String: String]) {
        let environment = Self.environment(variables)
        #expect(environment.cacheDirectory == nil)
        #expect(environment.dataDirectory == nil)
        #expect(environment.configDirectory == nil)
    }

    @Test(arguments: [("/users/ann", "/users/ann/.cache/larder"), ("users/ann", nil)] as [(FilePath, FilePath?)])
    func homeFolderIsReadFromTheUserDatabaseIfUnset(home: FilePath, folder: FilePath?) {
        #expect(Environment(bytes: { _ in nil }, homeOfUser: { home }).cacheDirectory == folder)
        let other = Environment(bytes: { $0 == "HOME" ? Array("/users/bob".utf8) : nil }, homeOfUser: { home })
        #expect(other.cacheDirectory == "/users/bob/.cache/larder")
    }

    @Test func folderPathCanContainInvalidUTF8() {
        let environment = Environment(bytes: { $0 == "HOME" ? [0x2F, 0xFF, 0xFE] : nil }, homeOfUser: { nil })
        #expect(environment.cacheDirectory == FilePath([0x2F, 0xFF, 0xFE]) + "/.cache/larder")
    }

    @Test(arguments: [("s3cret\n", "s3cret"), ("s3cret\r\n", "s3cret"), ("a\n\n", "a\n"), ("plain", "plain"), ("", "")])
    func lastNewlineOfASecretFileIsRemoved(text: String, secret: String) throws {
        let folder = try TemporaryDirectory()
        try folder.write(Array(text.utf8), to: "token")
        let secrets = Self.environment(["T": "v"]).secrets()
        #expect(try secrets.file(folder.file("token")) == secret)
        #expect { try secrets.file(folder.file("missing")) } throws: { error in
            if case SecretFault.cannotBeRead(let why) = error {
                why.hasSuffix("No such file or directory")
            } else {
                false
            }
        }
        #expect(try secrets.environment("T") == "v")
        #expect(throws: SecretFault.isMissing) { try secrets.environment("U") }
    }
}
