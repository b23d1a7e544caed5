import Catalog
import CatalogTools
import DataSources
import HTTP
import Model
import RPCServer
import System

/// `larder catalog infer` creates a draft catalog from an API's response. `larder catalog import` creates a draft
/// catalog from an OpenAPI or Swagger document. The two commands read a URL, a file or standard input.
enum DraftCommand {
    /// Returns a draft catalog for one response of an API, or for two responses: a list and one of its items.
    ///
    /// - Throws: `StartupError` if a response cannot be read, or if no catalog can be drafted from a response.
    static func infer(
        _ arguments: [String], _ options: CommandOptions, _ environment: Environment
    ) throws(StartupError) -> String {
        let locations = arguments.map { DocumentLocation($0) }
        let (secrets, headers) = (secrets(options, environment), options.headers)
        let types = options.graphQLTypes
        let isTable = options.choice.isTable
        if types.isEmpty, !isTable, locations.count == 1, locations[0].isGraphQLEndpoint {
            var asked = options
            asked.choice.isTable = true
            let table = try infer(arguments, asked, environment)
            throw untyped(arguments[0], table, "--graphql TYPE")
        }
        let choice: GraphQLChoice? = types.isEmpty ? isTable ? .table : nil : .types(types)
        if arguments.count == 1, locations[0].address == nil {
            return try draft(arguments[0]) { () async throws(CatalogDraftError) in
                try CatalogInference.draft(await DocumentReader().read(locations[0]), graphQL: choice)
            }
        }
        let (client, hidden, close) = Container.client(options.process, environment)
        defer { close() }
        let inference = CatalogInference(client: client, explain: explain, secrets: secrets, hidden: hidden)
        return try draft(nil, "reading the response", waitingIn: environment) { () async throws(CatalogDraftError) in
            if locations.count > 1 {
                return try await inference.draft(list: locations[0], item: locations[1], headers: headers)
            }
            return try await inference.draft(arguments[0], headers: headers, graphQL: choice)
        }
    }

    /// Returns the error that asks the user to choose types of a GraphQL endpoint. The error lists the types.
    static func untyped(_ source: String, _ table: String, _ option: String) -> StartupError {
        let line = "larder: \(source) is a GraphQL endpoint: name one or more of its types with \(option)"
        return StartupError(
            exitCode: ExitCode.failure, lines: [line] + table.split(separator: "\n").map(String.init))
    }

    /// Returns a draft catalog from an OpenAPI or Swagger document and the documents that it refers to.
    ///
    /// - Throws: `StartupError` if the document cannot be read, or if no catalog can be drafted.
    static func document(
        _ argument: String, _ options: CommandOptions, _ environment: Environment
    ) throws(StartupError) -> String {
        try draft(of: try read(argument, options, environment), from: argument, options)
    }

    /// Reads an OpenAPI or Swagger document and the documents that it refers to.
    ///
    /// - Parameter requestsAnswers: whether to request the API's responses if the document does not describe them.
    /// - Throws: `StartupError` if the document cannot be read.
    static func read(
        _ argument: String, _ options: CommandOptions, _ environment: Environment, requestsAnswers: Bool = false
    ) throws(StartupError) -> CatalogImportSource {
        let location = DocumentLocation(argument)
        return try reading(location, "reading the document", options, environment) {
            (reader) async throws(CatalogDraftError) in
            try await CatalogImport.read(at: location, reader: reader, requestsAnswers: requestsAnswers)
        }
    }

    /// Returns a draft catalog from a document.
    ///
    /// - Parameter argument: the location from which the document was read.
    /// - Throws: `StartupError` if no catalog can be drafted from the document.
    static func draft(
        of source: CatalogImportSource, from argument: String, _ options: CommandOptions
    ) throws(StartupError) -> String {
        var chosen = options.choice
        chosen.isJSON = options.isJSON
        let choice = chosen
        return try draft(name(of: DocumentLocation(argument))) { () async throws(CatalogDraftError) in
            try source.draft(choosing: choice)
        }
    }

    /// Finds an API document, or a response of an API, in a file or at a URL. For a URL, also tries the usual paths of
    /// API documents.
    ///
    /// - Throws: `StartupError` if neither can be read.
    static func find(
        _ location: DocumentLocation, _ options: CommandOptions, _ environment: Environment
    ) throws(StartupError) -> DocumentFinder.Found {
        try reading(location, "looking for an API document", options, environment) {
            (reader) async throws(CatalogDraftError) in
            try await DocumentFinder(reader: reader).find(at: location)
        }
    }

    /// Calls `body` with a document reader for a file, standard input or a URL. Creates an HTTP client only for a URL.
    private static func reading<Value: Sendable>(
        _ location: DocumentLocation, _ step: String, _ options: CommandOptions, _ environment: Environment,
        _ body: @escaping @Sendable (DocumentReader) async throws(CatalogDraftError) -> Value
    ) throws(StartupError) -> Value {
        guard location.address != nil else {
            return try draft(name(of: location)) { () async throws(CatalogDraftError) in
                try await body(DocumentReader())
            }
        }
        let (secrets, headers) = (secrets(options, environment), options.headers)
        let (client, hidden, close) = Container.client(options.process, environment)
        defer { close() }
        return try draft(nil, step, waitingIn: environment) { () async throws(CatalogDraftError) in
            let reader = try DocumentReader(
                client: client, headers: headers, explain: explain, secrets: secrets, hidden: hidden)
            return try await body(reader)
        }
    }

    /// Returns the name of a file or of standard input for error messages. Nil for a URL, because the messages already
    /// contain the URL.
    private static func name(of location: DocumentLocation) -> String? {
        switch location {
        case .file(let path): path.description
        case .standardInput: "-"
        case .url: nil
        }
    }

    private static func secrets(_ options: CommandOptions, _ environment: Environment) -> SecretSource {
        environment.secrets(variables: options.variables)
    }

    private static let explain: @Sendable (HTTPError, Redactor) -> String = {
        HTTPErrorMapper(redactor: $1).map($0).message
    }

    /// Adds the name of the input to an error message, unless the message already contains the name. If the input is a
    /// missing file whose name looks like a URL without its scheme, such as `localhost:80/items`, also suggests adding
    /// the scheme.
    static func message(of reason: String, _ name: String?) -> String {
        guard let name else { return reason }
        guard reason.hasPrefix("cannot read \(name):") else { return "\(name): \(reason)" }
        let host = name.prefix { $0 != "/" }
        let isHost = host.contains(":") || host.contains(".") && host.utf8.count < name.utf8.count
        guard isHost, !host.hasPrefix("."), !Files.exists(FilePath(name)) else { return reason }
        return "\(reason); to read a URL, write http:// or https:// before it"
    }

    /// Runs an asynchronous operation, such as drafting a catalog, and returns its result. Blocks until the operation
    /// has ended.
    ///
    /// - Parameters:
    ///   - name: the name of the input for error messages; nil if the messages already contain this name.
    ///   - step: the description of the operation, which a terminal shows during slow requests.
    ///   - environment: the environment variables, which determine whether a terminal shows `step`. Nil if the
    ///     operation makes no requests.
    private static func draft<Value: Sendable>(
        _ name: String?, _ step: String = "", waitingIn environment: Environment? = nil,
        _ body: @escaping @Sendable () async throws(CatalogDraftError) -> Value
    ) throws(StartupError) -> Value {
        // If `environment` is nil, no terminal shows the line.
        let waiting = WaitingLine(
            step,
            terminal: {
                environment.map { Terminal(of: 2, $0) } ?? Terminal(isTerminal: false, columns: 0) { _ in nil }
            })
        let made = waiting.during {
            Blocking.value { () async -> Result<Value, CatalogDraftError> in
                do throws(CatalogDraftError) { return .success(try await body()) } catch { return .failure(error) }
            }
        }
        switch made {
        case .success(let text): return text
        case .failure(let error):
            throw StartupError(exitCode: ExitCode.failure, lines: ["larder: \(message(of: error.message, name))"])
        case nil: throw StartupError(exitCode: ExitCode.failure, lines: ["larder: \(Thread.shortage)"])
        }
    }
}
