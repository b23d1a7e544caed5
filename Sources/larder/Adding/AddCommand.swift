import Catalog
import CatalogTools
import DataSources
import HTTP
import JSON
import Model
import RPCServer
import System

/// `larder add NAME URL|FILE`: creates a draft catalog from an API's document or response, with the resources that the
/// user chooses. Then writes the catalog into the configuration folder and tests it.
struct AddCommand {
    /// The maximum number of resources that `add` includes without asking. If there are more, a user on a terminal
    /// chooses.
    private static let maxUnasked = 12
    /// The maximum number of resources that `add` tests.
    private static let maxTried = 12
    /// The maximum number of tests of one catalog. Each correction requires another test, which may find another error.
    private static let maxRounds = 20

    private let name: String
    private let source: String
    private let options: CommandOptions
    private let environment: Environment

    init(_ name: String, _ source: String, _ options: CommandOptions, _ environment: Environment) {
        (self.name, self.source, self.options, self.environment) = (name, source, options, environment)
    }

    /// Adds the catalog and tests it. Returns a resource whose list passed its test, with the options that select the
    /// new catalog. Returns nil if no list passed.
    ///
    /// - Throws: `StartupError` if the name is invalid, if no draft can be created, or if the file cannot be written.
    func run() throws(StartupError) -> (resource: String, options: CommandOptions)? {
        let catalogs = try UserCatalogs(environment)
        if let reason = UserCatalogs.refusal(of: name) {
            throw Self.failure("cannot use the name '\(name)': \(reason)")
        }
        let path = catalogs.path(of: name)
        if Files.exists(path), !options.isForced {
            throw Self.failure("\(path) exists: use --force to replace it, or remove it with 'larder remove \(name)'")
        }
        let (text, document) = try chosen()
        let draft = Array(text.utf8)
        try write(draft, to: path)
        say("added \(path)")
        var tried = options
        tried.process.catalog = FilePath(name)
        let source = try CatalogSource(name, tried, environment)
        let destinations = SecretDestinations.lines(
            of: draft, secrets: source.secrets, includes: source.includes, source.catalog)
        for line in destinations { say(line) }
        let others = otherHosts(source.catalog)
        for host in others { say("the document sends requests to \(host), which is not the host of \(self.source)") }
        let missing = source.catalog.apis.flatMap(\.missingValues)
        guard missing.isEmpty else {
            for absence in missing { say(absence.message) }
            say("then run: larder check \(name) --live --fix")
            return nil
        }
        guard options.triesLive, !options.isOffline else { return nil }
        // The secrets' host must be the host of a URL that the user typed, because a document could name any host.
        let isNamed = others.isEmpty && DocumentLocation(self.source).address != nil
        guard isNamed || destinations.isEmpty else {
            say("not tried: you have not named the host of the secrets; to try it: larder check \(name) --live --fix")
            return nil
        }
        // Base URLs are tried only if the catalog uses no host except the host of the user's URL.
        let search = others.isEmpty ? document.map { BaseURLSearch(document: $0, source: self.source) } : nil
        let resource = try check(path, tried, search)
        return resource.map { ($0, tried) }
    }

    /// Returns the hosts of the catalog's APIs, except APIs with the same origin as the URL that the user passed to
    /// `larder add`. Returns an empty array if the user passed a file.
    private func otherHosts(_ catalog: Catalog) -> [String] {
        guard let own = DocumentLocation(source).address.flatMap({ URLReference($0)?.origin }) else { return [] }
        var hosts: [String] = []
        for api in catalog.apis {
            guard let url = URLReference(api.effectiveBaseURL), url.origin != own, let host = url.authority,
                !hosts.contains(host)
            else { continue }
            hosts.append(host)
        }
        return hosts
    }

    // MARK: The draft catalog

    /// Returns a draft catalog with the resources that the user chooses, and the URL of the OpenAPI document. The URL
    /// is nil if there is no document or the document is a file.
    private func chosen() throws(StartupError) -> (text: String, document: String?) {
        switch try DraftCommand.find(DocumentLocation(source), options, environment) {
        case .answer: return (try DraftCommand.infer([source], options, environment), nil)
        case .graphQL(let url):
            var asked = options
            asked.graphQLTypes += options.choice.only
            guard asked.graphQLTypes.isEmpty else { return (try DraftCommand.infer([url], asked, environment), nil) }
            asked.choice.isTable = true
            let table = try DraftCommand.infer([url], asked, environment)
            let refusal = DraftCommand.untyped(source, table, "--only TYPE")
            guard isatty(0) == 1, isatty(2) == 1 else { throw refusal }
            StandardStreams.show(table, on: 2)
            asked.graphQLTypes = Self.answer("types to add, separated by spaces: ")
            guard !asked.graphQLTypes.isEmpty else { throw refusal }
            return (try DraftCommand.infer([url], asked, environment), nil)
        case .document(let location):
            let document = location.address ?? source
            if document != source { say("found \(document)") }
            let isLive = options.triesLive && !options.isOffline
            let read = try DraftCommand.read(document, options, environment, requestsAnswers: isLive)
            let draft = try DraftCommand.draft(of: read, from: document, options)
            let count = Self.resources(of: draft)
            guard options.choice.only.isEmpty, count > Self.maxUnasked, isatty(0) == 1, isatty(2) == 1 else {
                return (draft, location.address)
            }
            var asked = options
            asked.choice.isTable = true
            asked.isJSON = false
            StandardStreams.show(try DraftCommand.draft(of: read, from: document, asked), on: 2)
            let answer = Self.answer("resources to add, separated by spaces (Enter for all \(count)): ")
            guard !answer.isEmpty else { return (draft, location.address) }
            asked = options
            asked.choice.only = answer
            return (try DraftCommand.draft(of: read, from: document, asked), location.address)
        }
    }

    /// Asks the user a question on the terminal. Returns the reply, divided at spaces and commas.
    private static func answer(_ question: String) -> [String] {
        StandardStreams.write(question, to: 2)
        return (readLine() ?? "").split { $0 == " " || $0 == "," }.map(String.init)
    }

    private static func resources(of draft: String) -> Int {
        (try? CatalogDecoder.decode(Array(draft.utf8), secrets: .empty, toleratesMissing: true))?.resources.count ?? 0
    }

    private func write(_ bytes: [UInt8], to path: FilePath) throws(StartupError) {
        do throws(FileError) {
            try Files.createDirectory(path.parent)
            try Files.writeAtomically(bytes, to: path)
        } catch {
            throw Self.failure(error.message)
        }
    }

    // MARK: Tests of the catalog

    /// Tests the catalog, and makes all corrections that are certain to be right. Returns the resource of a list that
    /// passed its test; nil if there is none. Prefers a list with items.
    private func check(
        _ path: FilePath, _ options: CommandOptions, _ search: BaseURLSearch?
    ) throws(StartupError) -> String? {
        var (mender, findings) = try Self.mended(path, options, environment, maxTried: Self.maxTried)
        if let search, BaseURLSearch.isNeeded(findings), let found = try moved(path, options, search, mender.bytes) {
            (mender, findings) = found
        }
        for mend in mender.mends { say("mended \(mend)") }
        let failed = findings.filter(\.hasFailed)
        let good = findings.filter { $0.error == nil && $0.notTried == nil && $0.exchange != nil }
        let tried = OriginText.count(good.count + failed.count, "request")
        let failures = failed.isEmpty ? "no failures" : OriginText.count(failed.count, "failure")
        say("\(tried) tried, \(failures): larder check \(name) --live shows all")
        for finding in failed.prefix(3) { for line in finding.lines.prefix(1) { say("  \(line)") } }
        // A note may report missing pages; without the note, the list would seem to be complete.
        for finding in good { for note in finding.notes.prefix(1) { say("  \(finding.resource): \(note)") } }
        let lists = good.filter { $0.operation == "list" }
        return (lists.first { ($0.items ?? 0) > 0 } ?? lists.first)?.resource
    }

    /// Tests the catalog with alternative base URLs. Keeps the first base URL with which a request succeeds. If no
    /// request succeeds, restores the catalog.
    private func moved(
        _ path: FilePath, _ options: CommandOptions, _ search: BaseURLSearch, _ bytes: [UInt8]
    ) throws(StartupError) -> (CatalogMender, [LiveFinding])? {
        guard let catalog = try? CatalogDecoder.decode(bytes, secrets: .empty, toleratesMissing: true),
            let base = catalog.apis.first?.effectiveBaseURL
        else { return nil }
        do throws(StartupError) {
            for candidate in search.candidates(instead: base) {
                guard let text = BaseURLSearch.text(bytes, candidate) else { return nil }
                try replace(path, with: text)
                let found = try Self.mended(path, options, environment, maxTried: Self.maxTried)
                guard found.1.allSatisfy({ $0.error != nil || $0.exchange == nil }) else {
                    say("mended the base URL: it is now \(candidate)")
                    return found
                }
            }
        } catch {
            // The catalog is restored, because no request has confirmed the base URL in the file.
            try? replace(path, with: bytes)
            throw error
        }
        try replace(path, with: bytes)
        return nil
    }

    private func replace(_ path: FilePath, with bytes: [UInt8]) throws(StartupError) {
        do throws(FileError) {
            try Files.replace(path, with: bytes)
        } catch {
            throw Self.failure(error.message)
        }
    }

    /// Tests a catalog file, and corrects the file until a test finds nothing to correct.
    ///
    /// - Parameter maxTried: the maximum number of resources to test; nil for all resources.
    static func mended(
        _ path: FilePath, _ options: CommandOptions, _ environment: Environment, maxTried: Int?
    ) throws(StartupError) -> (CatalogMender, [LiveFinding]) {
        let loader = CatalogLoader(options: options.process, environment: environment)
        func catalog(_ bytes: [UInt8]) -> Catalog? {
            let secrets = environment.secrets(variables: options.variables)
            return CatalogCheck(bytes, secrets: secrets, includes: loader.includes(of: path), seesFiles: true).catalog
        }
        var (mender, findings) = (CatalogMender(try loader.text(of: path).bytes), [LiveFinding]())
        for _ in 0..<maxRounds {
            guard let valid = catalog(mender.bytes) else { break }
            let loaded = try loader.load(valid, from: path.description)
            findings = try CheckCommand.findings(loaded, options, environment, maxTried: maxTried) {}
            var next = mender
            // A correction must not make the catalog invalid. For example, a `zone` may need the original type.
            guard next.mend(findings), catalog(next.bytes) != nil else { break }
            do throws(FileError) {
                try Files.replace(path, with: next.bytes)
            } catch {
                throw failure(error.message)
            }
            mender = next
        }
        return (mender, findings)
    }

    private func say(_ text: String) { ErrorStream.show("larder: \(text)\n") }

    private static func failure(_ message: String) -> StartupError {
        StartupError(exitCode: ExitCode.failure, lines: ["larder: \(message)"])
    }
}

/// `larder remove NAME`: removes a catalog that the user has added.
enum RemoveCommand {
    /// Removes the file of the catalog. Returns a message for the user.
    ///
    /// - Throws: `StartupError` if the user has no such catalog, or if the file cannot be removed.
    static func run(_ name: String, _ environment: Environment) throws(StartupError) -> String {
        let catalogs = try UserCatalogs(environment)
        let path = catalogs.path(of: name)
        let isOwn = catalogs.names.contains(name)
        guard isOwn, unlink(path.cString) == 0 else {
            let reason = isOwn ? String(cString: strerror(errno)) : ""
            let near = Suggestion.nearest(to: name, in: catalogs.names).map { "; did you mean '\($0)'?" }
            let hint = near ?? "; larder catalogs lists the catalogs"
            let message =
                isOwn
                ? "cannot remove \(path): \(reason)"
                : ShippedCatalog.named(name) == nil
                    ? "there is no catalog '\(name)' in \(catalogs.folder)\(hint)"
                    : "'\(name)' is shipped with larder and cannot be removed"
            throw StartupError(exitCode: ExitCode.failure, lines: ["larder: \(message)"])
        }
        return "removed \(path); its cached data is removed when the cache needs room, or by 'larder cache clear'"
    }
}
