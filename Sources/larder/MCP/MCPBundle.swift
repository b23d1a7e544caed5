import Catalog
import DataSources
import JSON
import RPCServer
import System

/// `larder mcp bundle`: creates an MCP bundle (`.mcpb`) with this program, its catalog and a manifest (version 0.3). An
/// MCP host installs the bundle, asks the user for the secrets and starts the program. The command makes no requests.
enum MCPBundle {
    /// The path of the program in the bundle.
    private static let program = "server/larder"

    /// Writes the bundle. Returns a message for the user.
    ///
    /// - Parameters:
    ///   - file: the path of the bundle. Nil for the default path: the name of the server with the suffix `.mcpb`.
    ///   - program: the path of Larder's executable.
    /// - Throws: `StartupError` if the catalog has faults, includes other files or contains secrets. Also throws if an
    ///   option other than `--catalog` names a file or folder, or if a file cannot be read or written.
    static func write(
        to file: FilePath?, _ given: [GivenOption], _ options: CommandOptions, _ environment: Environment,
        program: FilePath = MCPCommand.program
    ) throws(StartupError) -> String {
        try checkOptions(given)
        var server = try MCPCommand.server(given, options, environment, program: program, isPortable: true)
        let texts = try catalogTexts(options, environment)
        let prefix = MCPCommand.toolPrefix(of: server)
        let name = server.name
        server = MCPCommand.replacingCatalogs(
            of: server, by: texts.map { path, text in text.map { _ in "${__dirname}/\(path)" } })
        let path = file ?? FilePath("\(name).mcpb")
        do throws(FileError) {
            var archive = ZipArchive()
            archive.add("manifest.json", Array(IndentedJSON.text(manifest(name, prefix, server)).utf8))
            for case (let path, let text?) in texts { archive.add(path, text) }
            archive.add(Self.program, try Files.read(program), mode: .executable)
            try Files.writeAtomically(archive.finish(), to: path)
        } catch {
            throw StartupError(exitCode: ExitCode.failure, lines: ["larder: \(error.message)"])
        }
        return "wrote \(path): open it with a host that installs MCP bundles, such as Claude Desktop"
    }

    /// Rejects options that name a file or folder, because another machine may run the bundle. `--catalog` is allowed,
    /// because the bundle contains a copy of the catalog.
    private static func checkOptions(_ given: [GivenOption]) throws(StartupError) {
        for option in given where option.name != "--catalog" && MCPCommand.kind(of: option) == .file {
            throw StartupError(
                exitCode: ExitCode.usage,
                lines: [
                    "larder: 'larder mcp bundle' does not accept \(option.name): the other machines that run the "
                        + "bundle do not have this folder; leave the option out"
                ])
        }
    }

    /// Returns the text of each catalog and its path in the bundle. The text is nil for a shipped catalog, which the
    /// program already contains.
    ///
    /// - Throws: `StartupError` for a catalog that includes other files or contains secrets.
    private static func catalogTexts(
        _ options: CommandOptions, _ environment: Environment
    ) throws(StartupError) -> [(path: String, text: [UInt8]?)] {
        var texts: [(path: String, text: [UInt8]?)] = []
        for member in try CatalogSet(CatalogLoader(options: options.process, environment: environment)).members {
            texts.append(("server/\(member.name ?? "catalog").jsonc", try catalogText(member.loader)))
        }
        return texts
    }

    private static func catalogText(_ loader: CatalogLoader) throws(StartupError) -> [UInt8]? {
        guard let place = loader.place, loader.shipped(place) == nil else { return nil }
        let text = try loader.text().bytes
        let included = Lock<[FilePath]>([])
        let source = loader.includes(of: nil) { path in included.withLock { $0.append(path) } }
        // The earlier load of the catalog, with its secrets, has already reported all faults.
        _ = try? CatalogDecoder.decode(text, secrets: .empty, includes: source, toleratesMissing: true)
        if let first = included.withLock({ $0.first }) {
            throw StartupError(
                exitCode: ExitCode.config,
                lines: [
                    "larder: \(place.path) includes \(first): a bundle needs a catalog in one file; put the included "
                        + "parts into the catalog"
                ])
        }
        do throws(CatalogFaults) {
            try LiteralSecrets.check(text)
        } catch {
            throw StartupError(exitCode: ExitCode.config, lines: error.lines(file: place.path.description))
        }
        return text
    }

    private static func manifest(_ name: String, _ prefix: String?, _ server: MCPServerEntry) -> JSONValue {
        let command = "${__dirname}/\(Self.program)"
        let about = prefix.map { "Reads \($0) through a cache." } ?? "Reads APIs through a cache."
        var start: JSONObject = JSONObject([
            ("command", .string(command)), ("args", .array(server.arguments.map { .string($0) })),
        ])
        let settings = server.variables.map { ($0, setting($0)) }
        if !settings.isEmpty {
            start["env"] = .object(JSONObject(server.variables.map { ($0, .string("${user_config.\($0)}")) }))
        }
        var manifest = JSONObject([
            ("manifest_version", "0.3"), ("name", .string(name)),
            ("display_name", .string(prefix.map { "Larder: \($0)" } ?? "Larder")),
            ("version", .string(Version.current)), ("description", .string(about)),
            ("author", ["name": "The Larder authors"]), ("license", "MIT"),
            (
                "server",
                ["type": "binary", "entry_point": .string(Self.program), "mcp_config": .object(start)]
            ),
            ("tools_generated", true), ("compatibility", ["platforms": [.string(platform)]]),
        ])
        if !settings.isEmpty { manifest["user_config"] = .object(JSONObject(settings)) }
        return .object(manifest)
    }

    /// Returns the declaration of a setting in the bundle's manifest. The MCP host asks the user for this setting, and
    /// passes the value to Larder in the environment variable `variable`. If the user enters nothing, the variable is
    /// empty, which Larder treats as not set.
    private static func setting(_ variable: String) -> JSONValue {
        [
            "type": "string", "title": .string(variable),
            "description": .string("The value of \(variable) in the catalog"), "sensitive": true, "required": false,
            "default": "",
        ]
    }

    /// The operating system of this program, as a value of Node's `process.platform`.
    private static var platform: String {
        #if os(macOS)
            "darwin"
        #else
            "linux"
        #endif
    }
}
