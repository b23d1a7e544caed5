import DataSources
import System
import TestSupport
import Testing

@testable import RPCServer

@Suite(.limited) struct SharedOptionsTests {
    private static let secret = "0123456789abcdef"
    private static let url = "redis://cache:6379/0"

    private static func settings(
        _ variables: [String: String], _ change: (inout Options) -> Void = { _ in }
    ) throws(StartupError) -> SharedSettings? {
        var options = Options()
        change(&options)
        return try SharedOptions.settings(options, Environment { variables[$0] })
    }

    /// Returns the message of the error; "nothing" if there is none.
    private static func fault(_ variables: [String: String], _ change: (inout Options) -> Void = { _ in }) -> String {
        do throws(StartupError) {
            _ = try settings(variables, change)
            return "nothing"
        } catch {
            #expect(error.exitCode == ExitCode.usage && error.lines.count == 1)
            return error.lines.joined()
        }
    }

    @Test func sharedLevelIsOffByDefault() throws {
        let secret = ["LARDER_SHARED_SECRET": Self.secret]
        #expect(try Self.settings(secret) == nil)
        #expect(try Self.settings(secret.merging(["LARDER_SHARED": ""]) { $1 }) == nil)
        let named = secret.merging(["LARDER_SHARED": Self.url]) { $1 }
        #expect(try Self.settings(named) != nil)
        #expect(try Self.settings(named) { $0.shared = "" } == nil)
    }

    @Test func sharedLevelIsOffIfNoNetworkMayBeUsed() throws {
        #expect(try Self.settings(["LARDER_SHARED": Self.url]) { $0.isOffline = true } == nil)
        #expect(try Self.settings(["LARDER_SHARED": "wrong"]) { $0.replay = "cassettes" } == nil)
    }

    @Test func sharedOptionTakesPrecedenceOverItsVariable() throws {
        let variables = [
            "LARDER_SHARED": "redis://one", "LARDER_SHARED_MODE": "readwrite", "LARDER_SHARED_NAMESPACE": "a",
            "LARDER_SHARED_SECRET": Self.secret,
        ]
        let told = try #require(try Self.settings(variables))
        #expect(told.url.shown == "redis://one" && told.mode == .readwrite && told.namespace == "a")
        #expect(told.secret == Array(Self.secret.utf8) && told.secrets == [Self.secret])
        let given = try #require(
            try Self.settings(variables) {
                ($0.shared, $0.sharedMode, $0.sharedNamespace) = ("redis://two", .read, "b")
            })
        #expect(given.url.shown == "redis://two" && given.mode == .read && given.namespace == "b")
        let standard = try #require(
            try Self.settings(["LARDER_SHARED": "redis://one", "LARDER_SHARED_SECRET": Self.secret]))
        #expect(standard.mode == .read && standard.namespace == "default")
    }

    @Test func passwordIsReadFromTheURLOrItsVariable() throws {
        let variables = ["LARDER_SHARED": "redis://me@cache", "LARDER_SHARED_SECRET": Self.secret]
        let told = try #require(
            try Self.settings(variables.merging(["LARDER_SHARED_PASSWORD": "pass word"]) { $1 }))
        #expect(told.url.user == "me" && told.url.password == "pass word")
        #expect(told.secrets == ["pass word", Self.secret])
        let given = try #require(try Self.settings(variables) { $0.shared = "redis://me:pass%20word@cache" })
        #expect(given.url.password == "pass word" && given.secrets == ["pass word", Self.secret])
    }

    @Test func lastNewlineOfASecretFileIsRemoved() throws {
        let folder = try TemporaryDirectory()
        try folder.write(Array("\(Self.secret)\n".utf8), to: "secret")
        try folder.write(Array("pass\r\n".utf8), to: "password")
        let told = try #require(
            try Self.settings([
                "LARDER_SHARED": Self.url, "LARDER_SHARED_SECRET_FILE": folder.file("secret"),
                "LARDER_SHARED_PASSWORD_FILE": folder.file("password"), "LARDER_SHARED_SECRET": "",
            ]))
        #expect(told.secret == Array(Self.secret.utf8) && told.url.password == "pass")
    }

    /// Variables besides `LARDER_SHARED`, and the start of the expected message.
    private static let faults: [(variables: [String: String], message: String)] = [
        ([:], "LARDER_SHARED needs a secret: set LARDER_SHARED_SECRET"),
        (["LARDER_SHARED_SECRET": ""], "LARDER_SHARED needs a secret"),
        (["LARDER_SHARED_SECRET": "0123456789abcde"], "the secret in LARDER_SHARED_SECRET is too short: at least 16"),
        (
            ["LARDER_SHARED_SECRET": secret, "LARDER_SHARED_SECRET_FILE": "/a"],
            "LARDER_SHARED_SECRET and LARDER_SHARED_SECRET_FILE are both set"
        ),
        (["LARDER_SHARED_SECRET_FILE": "/dev/null/none"], "LARDER_SHARED_SECRET_FILE: cannot read /dev/null/none"),
        (["LARDER_SHARED_SECRET_FILE": "/"], "LARDER_SHARED_SECRET_FILE: cannot read /"),
        (
            ["LARDER_SHARED": "redis://:s3cr3t@cache", "LARDER_SHARED_PASSWORD": "other"],
            "LARDER_SHARED and LARDER_SHARED_PASSWORD both set a password"
        ),
        (["LARDER_SHARED": "http://s3cr3t@cache"], "LARDER_SHARED: "),
        (["LARDER_SHARED_MODE": "write"], "LARDER_SHARED_MODE must be read or readwrite, not 'write'"),
        (["LARDER_SHARED_NAMESPACE": "a b"], "LARDER_SHARED_NAMESPACE must be a name of 1 to 64 letters"),
        (["LARDER_SHARED_NAMESPACE": String(repeating: "a", count: 65)], "LARDER_SHARED_NAMESPACE must be"),
    ]

    @Test func errorNamesTheInvalidSharedSetting() {
        for (variables, message) in Self.faults {
            let fault = Self.fault(["LARDER_SHARED": Self.url].merging(variables) { $1 })
            #expect(fault.hasPrefix("larder: \(message)"), "\(fault)")
            #expect(!fault.contains("s3cr3t"), "\(fault)")
        }
        #expect(Self.fault([:]) { $0.shared = "redis://" }.hasPrefix("larder: --shared: "))
        #expect(Self.fault([:]) { $0.shared = Self.url }.hasPrefix("larder: --shared needs a secret"))
    }

    @Test func variableThatIsNotUTF8IsRefused() {
        let environment = Environment(
            bytes: { $0 == "LARDER_SHARED" ? Array(Self.url.utf8) : [0xFF, 0xFE] }, homeOfUser: { nil })
        #expect(throws: StartupError.self) { try SharedOptions.settings(Options(), environment) }
    }

    /// Each secret may be in a variable or in a file that a variable names.
    @Test(
        arguments: [
            ([:], "redis://cache", "SECRET"), (["PASSWORD": "p"], "redis://cache", "PASSWORD SECRET"),
            (["PASSWORD": ""], "redis://cache", "SECRET"),
            (["PASSWORD_FILE": "f"], "redis://cache", "PASSWORD_FILE SECRET"),
            (["PASSWORD": "p", "PASSWORD_FILE": "f"], "redis://cache", "PASSWORD SECRET"),
            ([:], "redis://:pw@cache", "PASSWORD SECRET"), (["SECRET_FILE": "f"], "redis://cache", "SECRET_FILE"),
            (["SECRET": "s", "SECRET_FILE": "f"], "redis://cache", "SECRET"),
            (["SECRET": "", "SECRET_FILE": "f"], "redis://cache", "SECRET_FILE"),
        ] as [([String: String], String, String)])
    func variablesOfTheSecretsAreListed(set: [String: String], url: String, names: String) throws {
        let variables = Dictionary(set.map { ("LARDER_SHARED_\($0.key)", $0.value) }) { first, _ in first }
        let environment = Environment { variables[$0] }
        var options = Options()
        options.shared = url
        let named = try #require(try SharedOptions.named(options, environment))
        let expected = names.split(separator: " ").map { "LARDER_SHARED_\($0)" }
        #expect(SharedOptions.variables(named, environment) == expected)
    }
}
