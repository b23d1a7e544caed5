import DataSources
import RPCServer
import System

/// `larder mcp config`: prints the configuration with which an MCP host starts Larder. Larder then serves the same
/// catalog in the host as in the current shell. The command makes no requests, and runs no command from a catalog.
enum MCPCommand {
    /// Returns the configuration for an MCP host, and a message that names the host's configuration file.
    ///
    /// - Parameters:
    ///   - given: the options of the command line. The configuration includes only those that the server accepts.
    ///   - program: the path of Larder's executable.
    /// - Throws: `StartupError` for a faulty catalog, for invalid options of the shared cache level, and for a path
    ///   that is not UTF-8.
    static func config(
        _ given: [GivenOption], _ options: CommandOptions, _ environment: Environment,
        program: FilePath = MCPCommand.program
    ) throws(StartupError) -> (text: String, note: String) {
        let server = try server(given, options, environment, program: program)
        return (options.host.text(of: server), options.host.note(server.variables))
    }

    /// Returns the command with which an MCP host starts Larder. It contains the options of the command line.
    ///
    /// - Parameter isPortable: whether the command must work on any machine. A portable command omits the settings from
    ///   environment variables.
    static func server(
        _ given: [GivenOption], _ options: CommandOptions, _ environment: Environment, program: FilePath,
        isPortable: Bool = false
    ) throws(StartupError) -> MCPServerEntry {
        let needs = try Needs(options, environment)
        var arguments = try catalogs(options, environment)
        let namesShared = given.contains { $0.name.hasPrefix("--shared") }
        let shared = isPortable && !namesShared ? nil : try SharedOptions.named(options.process, environment)
        // If there are several catalogs, the names of resources already contain the names of their catalogs.
        if options.toolPrefix == nil, options.catalogs.count < 2, let prefix = toolPrefix(of: arguments.last) {
            arguments += ["--tool-prefix", prefix]
        }
        for option in given where option.name != "--catalog" && !option.name.hasPrefix("--shared") {
            arguments += try words(of: option)
        }
        if let shared { arguments += SharedOptions.words(shared) }
        if !isPortable {
            for (name, value) in needs.settings { arguments += ["--var", "\(name)=\(value)"] }
            arguments += try folders(options, environment)
        }
        let own = shared.map { SharedOptions.variables($0, environment) } ?? []
        let variables = needs.variables + own.filter { !needs.variables.contains($0) }
        return MCPServerEntry(command: try text(program), arguments: arguments, variables: variables)
    }

    /// Returns a copy of the command with other catalog paths. The `--catalog` options must be the first options of the
    /// command.
    ///
    /// - Parameter paths: the new path of each catalog; nil for a catalog that keeps its path.
    static func replacingCatalogs(of server: MCPServerEntry, by paths: [String?]) -> MCPServerEntry {
        var arguments = server.arguments
        // The path of the built-in catalog is nil, because no option selects it.
        for (number, path) in paths.enumerated() {
            if let path, 2 * number + 1 < arguments.count { arguments[2 * number + 1] = path }
        }
        return MCPServerEntry(command: server.command, arguments: arguments, variables: server.variables)
    }

    /// Returns the value of `--tool-prefix` in a command; nil if the command does not contain this option.
    static func toolPrefix(of server: MCPServerEntry) -> String? {
        guard let index = server.arguments.lastIndex(of: "--tool-prefix"), index + 1 < server.arguments.count else {
            return nil
        }
        return server.arguments[index + 1]
    }

    /// Returns the names of the catalogs that a command selects with `--catalog`. The default catalog file
    /// `catalog.jsonc` has no name, and is left out.
    static func catalogNames(of server: MCPServerEntry) -> [String] {
        zip(server.arguments, server.arguments.dropFirst()).filter { $0.0 == "--catalog" }.compactMap {
            catalogName($0.1)
        }
    }

    /// Returns the name of a catalog; nil for the default catalog file `catalog.jsonc`.
    ///
    /// - Parameter catalog: the name of a shipped catalog, or the path of a file.
    private static func catalogName(_ catalog: String) -> String? {
        let file = catalog.split(separator: "/").last
        return file?.split(separator: ".").first.flatMap { $0 == "catalog" ? nil : String($0) }
    }

    /// Returns `--catalog` options that name the catalogs in use, for the configuration of an MCP host. The host starts
    /// Larder in another folder and without this shell's variables, so Larder could otherwise use another catalog.
    private static func catalogs(
        _ options: CommandOptions, _ environment: Environment
    ) throws(StartupError) -> [String] {
        var arguments: [String] = []
        for member in try CatalogSet(CatalogLoader(options: options.process, environment: environment)).members {
            guard let place = member.loader.place else { continue }
            let name =
                if let shipped = member.loader.shipped(place) { shipped.name } else {
                    try text(absolute(place.path))
                }
            arguments += ["--catalog", name]
        }
        return arguments
    }

    /// Returns the name of a catalog as the prefix of its tools' names, so that one agent can use several catalogs. Nil
    /// if the catalog has no name, or if MCP hosts do not accept the name as a prefix.
    ///
    /// - Parameter catalog: the name of a shipped catalog, or the path of a file; nil for the built-in catalog.
    private static func toolPrefix(of catalog: String?) -> String? {
        catalog.flatMap(catalogName).flatMap { isToolPrefix($0) ? $0 : nil }
    }

    /// Whether MCP hosts and models accept a prefix at the start of a tool's name. Some, such as the models of Gemini,
    /// require a letter or `_` as the first character.
    static func isToolPrefix(_ text: String) -> Bool {
        guard let first = text.utf8.first, (1...32).contains(text.utf8.count), isNameStart(first) else { return false }
        return text.utf8.allSatisfy { byte in
            isNameStart(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
        }
    }

    private static func isNameStart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
        default: false
        }
    }

    /// Returns the kind of an option; nil for an unknown option. The kind determines how `larder mcp config` copies the
    /// option.
    static func kind(of option: GivenOption) -> OptionDefinition.Kind? {
        OptionDefinition.all.first { $0.name == option.name }?.kind
    }

    /// Returns an option and its value as arguments for the configuration of an MCP host. Empty if the server does not
    /// accept the option.
    private static func words(of option: GivenOption) throws(StartupError) -> [String] {
        let kind = kind(of: option)
        guard kind != .ofCommand else { return [] }
        guard let value = option.value else { return [option.name] }
        if kind == .file { return [option.name, try text(absolute(value.path))] }
        return [option.name, value.shown]
    }

    /// Returns options that name the folders from this shell's environment variables. An MCP host starts Larder without
    /// these variables.
    private static func folders(_ options: CommandOptions, _ environment: Environment) throws(StartupError) -> [String]
    {
        var arguments: [String] = []
        func add(_ option: String, _ variable: String, _ folder: FilePath?) throws(StartupError) {
            guard environment.path(variable)?.isAbsolute == true, let folder else { return }
            arguments += [option, try text(folder)]
        }
        if options.isPersistent, options.cacheDirectory == nil {
            try add("--cache-dir", "XDG_CACHE_HOME", environment.cacheDirectory)
        }
        if options.dataDirectory == nil { try add("--data-dir", "XDG_DATA_HOME", environment.dataDirectory) }
        return arguments
    }

    private static func absolute(_ path: FilePath) -> FilePath {
        if path.isAbsolute { return path }
        var bytes = path.bytes[...]
        while bytes.starts(with: Array("./".utf8)) { bytes = bytes.dropFirst(2) }
        return Files.resolved(".") + "/" + FilePath(bytes)
    }

    /// Returns a path as a string for JSON.
    ///
    /// - Throws: `StartupError` if the path is not UTF-8, because replacing the invalid bytes would change the path.
    private static func text(_ path: FilePath) throws(StartupError) -> String {
        if let text = String(validating: path.bytes, as: UTF8.self) { return text }
        throw StartupError(
            exitCode: ExitCode.failure,
            lines: ["larder: '\(path)' is not UTF-8: a host's configuration cannot contain this path; use another path"]
        )
    }

    /// The absolute path of this program. The configuration of an MCP host contains this path, because some hosts do
    /// not search the folders in `PATH` for programs.
    ///
    /// Symbolic links in the path are kept, so that they lead to the new program after an update.
    static var program: FilePath {
        let called = ProcessArguments.all.first.map { FilePath($0) } ?? "larder"
        if called.bytes.contains(UInt8(ascii: "/")) {
            if Files.exists(called) { return absolute(called) }
        } else {
            let folders = Environment.process.bytes("PATH")?.split(separator: UInt8(ascii: ":")) ?? []
            for folder in folders where Files.exists(FilePath(Array(folder)) + "/" + called) {
                return absolute(FilePath(Array(folder)) + "/" + called)
            }
        }
        return Files.resolved("/proc/self/exe")
    }
}

/// The environment variables that a catalog needs and that an MCP host does not pass to Larder automatically.
private struct Needs {
    /// The names of the environment variables that contain secrets.
    let variables: [String]
    /// The values of catalog variables that come from environment variables with names such as `LARDER_VAR_REGION`.
    let settings: [(name: String, value: String)]

    private static let prefix = "LARDER_VAR_"

    /// Loads the catalog and records the environment variables that it needs.
    ///
    /// - Throws: `StartupError` with all faults of the catalog.
    init(_ options: CommandOptions, _ environment: Environment) throws(StartupError) {
        let asked = Lock<[String]>([])
        let noting = Environment(
            bytes: { name in
                asked.withLock { if !$0.contains(name) { $0.append(name) } }
                return environment.bytes(name)
            }, homeOfUser: environment.homeOfUser)
        _ = try CatalogLoader(options: options.process, environment: noting).load()
        let names = asked.withLock { $0 }
        variables = names.filter { !$0.hasPrefix(Self.prefix) && !Self.isPassed($0) }
        settings = names.filter { $0.hasPrefix(Self.prefix) }.compactMap { name -> (name: String, value: String)? in
            guard let value = environment.bytes(name).flatMap({ String(validating: $0, as: UTF8.self) }) else {
                return nil
            }
            return (String(name.dropFirst(Self.prefix.count)), value)
        }
    }

    /// Whether the configuration of an MCP host can omit an environment variable. True if MCP hosts pass the variable
    /// to Larder by default, or if an option replaces it, such as `--catalog` for `LARDER_CATALOG`.
    private static func isPassed(_ name: String) -> Bool {
        ["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "LARDER_CATALOG"].contains(name) || name.hasPrefix("XDG_")
    }
}
