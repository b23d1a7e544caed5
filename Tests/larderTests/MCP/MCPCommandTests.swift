import DataSources
import JSON
import Mocks
import System
import TestSupport
import Testing

@testable import RPCServer
@testable import larder

@Suite(.limited) struct MCPCommandTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// Returns the arguments and variables in the configuration for a command line.
    private func config(
        _ line: [Argument], _ variables: [String: String] = [:]
    ) throws -> (arguments: [String], variables: [String]) {
        let command = try CommandLineParser.parse(["mcp", "config"].map { Argument($0.utf8) } + line)
        guard case .mcpConfig(let given, let options) = command else { throw UsageError(message: "\(command)") }
        let (text, _) = try MCPCommand.config(
            given, options,
            Environment(bytes: { name in variables[name].map { Array($0.utf8) } }, homeOfUser: { nil }),
            program: "/opt/larder")
        guard case .object(let root) = try JSONValue(parsing: text), case .object(let servers)? = root["mcpServers"],
            case .object(let object)? = servers.members.first?.value, case .array(let arguments)? = object["args"]
        else { throw UsageError(message: text) }
        #expect(object["command"] == "/opt/larder")
        var names: [String] = []
        if case .object(let env)? = object["env"] { names = env.members.map(\.key) }
        return (arguments.map(\.plainText), names)
    }

    private func config(
        _ line: String..., variables: [String: String] = [:]
    ) throws -> (arguments: [String], variables: [String]) {
        try config(line.map { Argument($0.utf8) }, variables)
    }

    private func write(_ text: String) throws -> String {
        try folder.write(Array(text.utf8), to: "a.jsonc")
        return folder.file("a.jsonc")
    }

    private static let hub = """
        {
          "larder": 1,
          "apis": {"hub": {
            "baseURL": "https://${var:HOST:-hub.example}", "auth": {"bearer": "${env:HUB_TOKEN}"},
            "headers": {"X-A": "${env:HUB_NOTE}", "X-B": "${env:HUB_TOKEN}", "X-C": "${env:HOME}"}
          }},
          "resources": {"book": {"api": "hub", "id": "string", "rest": {"get": {"path": "/books/{id}"}}}}
        }
        """

    @Test func configurationContainsEachOfSeveralCatalogs() throws {
        let path = try write(Self.hub)
        let (arguments, variables) = try config("--catalog", path, "--catalog", "hackernews", "--var", "a.HOST=x")
        #expect(arguments == ["--catalog", path, "--catalog", "hackernews", "--var", "a.HOST=x"])
        #expect(variables == ["HUB_NOTE", "HUB_TOKEN"])
    }

    @Test func catalogPathWithoutAReplacementIsUnchanged() {
        let server = MCPServerEntry(command: "l", arguments: ["--catalog", "a", "--catalog", "b", "-x"], variables: [])
        let replaced = MCPCommand.replacingCatalogs(of: server, by: [nil, "c"])
        #expect(replaced.arguments == ["--catalog", "a", "--catalog", "c", "-x"])
        let short = MCPServerEntry(command: "l", arguments: ["--catalog"], variables: [])
        #expect(MCPCommand.replacingCatalogs(of: short, by: ["c"]) == short)
        let plain = MCPServerEntry(command: "l", arguments: [], variables: [])
        #expect(MCPCommand.replacingCatalogs(of: plain, by: [nil]) == plain)
    }

    @Test func configurationWithoutACatalogHasNoArguments() throws {
        let (arguments, variables) = try config()
        #expect((arguments, variables) == ([], []))
    }

    @Test func catalogOfAnOptionOrVariableIsInTheConfiguration() throws {
        let path = try write(TestCatalog.books)
        let named = ["--catalog", path, "--tool-prefix", "a"]
        let shipped = ["--catalog", "hackernews", "--tool-prefix", "hackernews"]
        #expect(try config("--catalog", path).arguments == named)
        #expect(try config(variables: ["LARDER_CATALOG": path]).arguments == named)
        #expect(try config("--catalog=hackernews").arguments == shipped)
        #expect(try config(variables: ["LARDER_CATALOG": "hackernews"]).arguments == shipped)
    }

    @Test func givenToolPrefixIsInTheConfiguration() throws {
        let arguments = try config("--catalog", "hackernews", "--tool-prefix", "news").arguments
        #expect(arguments == ["--catalog", "hackernews", "--tool-prefix", "news"])
        #expect(try config("--tool-prefix", "x").arguments == ["--tool-prefix", "x"])
    }

    @Test(arguments: ["", "a b", "ä", "a.b", "9a", "-a", "a/b", "a:b", "a[b", "a{b", String(repeating: "a", count: 33)])
    func toolPrefixThatHostsRejectIsInvalid(prefix: String) {
        #expect(!MCPCommand.isToolPrefix(prefix))
    }

    @Test(arguments: ["a", "z", "A", "Z", "_", "_9", "a-B_09", String(repeating: "a", count: 32)])
    func toolPrefixOfLettersDigitsUnderscoresAndHyphensIsValid(prefix: String) {
        #expect(MCPCommand.isToolPrefix(prefix))
    }

    @Test func catalogWhoseNameStartsWithADigitHasNoToolPrefix() throws {
        try folder.write(Array(TestCatalog.books.utf8), to: "9a.jsonc")
        #expect(try config("--catalog", folder.file("9a.jsonc")).arguments == ["--catalog", folder.file("9a.jsonc")])
    }

    @Test func catalogOfTheConfigurationFolderIsInTheConfiguration() throws {
        #expect(ChildProcess.run("mkdir", ["-p", folder.file("larder")])?.code == 0)
        try folder.write(Array(TestCatalog.books.utf8), to: "larder/catalog.jsonc")
        let arguments = try config(variables: ["XDG_CONFIG_HOME": folder.path]).arguments
        #expect(arguments.first == "--catalog" && arguments.last?.hasSuffix("/larder/catalog.jsonc") == true)
    }

    /// A host starts Larder without the shell's variables, so all of them become options, except secrets.
    @Test func sharedOptionsAreInTheConfigurationWithoutThePassword() throws {
        let url = "redis://me:s3cr3t-0815@cache:6379/1"
        let words = [
            "--shared", "redis://me@cache:6379/1", "--shared-mode", "readwrite", "--shared-namespace", "team",
        ]
        let named = try config("--shared", url, "--shared-mode=readwrite", "--shared-namespace", "team")
        #expect(named.arguments == words)
        #expect(named.variables == ["LARDER_SHARED_PASSWORD", "LARDER_SHARED_SECRET"])
        let fromVariables = try config(variables: [
            "LARDER_SHARED": url, "LARDER_SHARED_MODE": "readwrite", "LARDER_SHARED_NAMESPACE": "team",
            "LARDER_SHARED_SECRET": "0123456789abcdef",
        ])
        #expect(fromVariables.arguments == words)
        #expect(fromVariables.variables == ["LARDER_SHARED_PASSWORD", "LARDER_SHARED_SECRET"])
        let files = try config(
            "--shared", "redis://cache",
            variables: ["LARDER_SHARED_SECRET_FILE": "/s", "LARDER_SHARED_PASSWORD_FILE": "/p"])
        #expect(files.variables == ["LARDER_SHARED_PASSWORD_FILE", "LARDER_SHARED_SECRET_FILE"])
        #expect(try config("--shared", "redis://:s3cr3t-0815@cache").arguments[1] == "redis://cache")
        #expect(try config("--shared", "", variables: ["LARDER_SHARED": url]).arguments == [])
        #expect(try config("--offline", variables: ["LARDER_SHARED": url]).arguments == ["--offline"])
    }

    @Test func configurationListsTheNamesButNotTheValuesOfSecrets() throws {
        let path = try write(Self.hub)
        let secrets = ["HUB_TOKEN": "s3cr3t-0815", "HOME": "/users/me"]
        let (arguments, variables) = try config("--catalog", path, variables: secrets)
        #expect(variables.sorted() == ["HUB_NOTE", "HUB_TOKEN"])
        #expect(arguments == ["--catalog", path, "--tool-prefix", "a"])
    }

    @Test func catalogVariableIsCopiedFromTheEnvironmentIntoTheConfiguration() throws {
        let path = try write(Self.hub)
        let set = ["LARDER_VAR_HOST": "a.example"]
        #expect(try config("--catalog", path, variables: set).arguments.suffix(2) == ["--var", "HOST=a.example"])
        // A value on the command line has precedence, and the variable is listed only once.
        let arguments = try config("--catalog", path, "--var", "HOST=b.example", variables: set).arguments
        #expect(arguments == ["--catalog", path, "--tool-prefix", "a", "--var", "HOST=b.example"])
    }

    /// A bundle must work on any machine.
    @Test func settingsFromEnvironmentVariablesAreNotInAPortableCommand() throws {
        let path = try write(Self.hub)
        let line = ["mcp", "config", "--catalog", path].map { Argument($0.utf8) }
        guard case .mcpConfig(let given, let options) = try CommandLineParser.parse(line) else {
            throw UsageError(message: "not a configuration")
        }
        let variables = [
            "LARDER_VAR_HOST": "a.example", "LARDER_SHARED": "redis://own.example", "XDG_CACHE_HOME": "/c",
            "HOME": "/h",
        ]
        let environment = Environment(bytes: { name in variables[name].map { Array($0.utf8) } }, homeOfUser: { nil })
        let server = try MCPCommand.server(given, options, environment, program: "/opt/larder", isPortable: true)
        #expect(server.arguments == ["--catalog", path, "--tool-prefix", "a"])
    }

    @Test func onlyServerOptionsAreCopiedIntoTheConfiguration() throws {
        let arguments = try config(
            "--offline", "--memory=1MiB", "--host=generic", "--log-level", "debug"
        ).arguments
        #expect(arguments == ["--offline", "--memory", "1MiB", "--log-level", "debug"])
    }

    @Test func configurationPathsAreAbsolute() throws {
        let here = Files.resolved(".").description
        let arguments = try config("--cache-dir", "c", "--data-dir", "./d", "--replay", "/r").arguments
        #expect(arguments == ["--cache-dir", here + "/c", "--data-dir", here + "/d", "--replay", "/r"])
    }

    @Test func foldersInEnvironmentVariablesBecomeOptionsInTheConfiguration() throws {
        let variables = ["XDG_CACHE_HOME": "/c", "XDG_DATA_HOME": "/d", "HOME": "/h"]
        #expect(
            try config(variables: variables).arguments == ["--cache-dir", "/c/larder", "--data-dir", "/d/larder"])
        #expect(try config("--cache-dir=/x", "--data-dir=/y", variables: variables).arguments.count == 4)
        #expect(
            try config("--no-persistence", "--data-dir=/y", variables: variables).arguments
                == ["--no-persistence", "--data-dir", "/y"])
        #expect(try config(variables: ["HOME": "/h", "XDG_CACHE_HOME": "c"]).arguments == [])
    }

    @Test func invalidPathOrCatalogIsRefused() throws {
        #expect(throws: StartupError.self) { try config([Argument(Array("--cache-dir=".utf8) + [0xFF])]) }
        #expect(throws: StartupError.self) { try config("--catalog", folder.file("none.jsonc")) }
        #expect(throws: StartupError.self) { try config("--base-url", "rickandmorty=http://me:pass@127.0.0.1/") }
        #expect(throws: StartupError.self) { try config("--base-url", "nobody=http://127.0.0.1/") }
    }

    @Test func programIsAnExistingAbsolutePath() {
        #expect(MCPCommand.program.isAbsolute)
        #expect(Files.exists(MCPCommand.program))
    }
}
