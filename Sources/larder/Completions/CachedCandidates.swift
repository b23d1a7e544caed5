import Catalog
import DataSources
import JSON
import Model
import RPCServer
import Repositories
import System

/// The completions that come from cached items: ids with the names of their items, and names of fields. Reading the
/// completions makes no requests and creates no cache file.
struct CachedCandidates {
    /// The maximum number of ids in the completions. A longer list would fill the terminal.
    private static let maxCount = 50
    /// The number of cached items that are read for field names, if the catalog declares no fields.
    private static let itemsForFields = 20

    private let repository: any ResourceRepositoryContract
    private let client: InProcessClient
    /// The scope values on the command line, such as `owner=apple`.
    private let scope: JSONObject

    /// Opens the cache file. Returns nil if there is no cache file, or if the catalog does not declare the resource.
    ///
    /// - Parameters:
    ///   - resource: the name of the resource.
    ///   - words: the arguments of the command, which may contain scope values.
    init?(
        _ resource: String, words: [String], _ loaded: CatalogLoader.Loaded, _ options: CommandOptions,
        _ environment: Environment
    ) {
        var options = options.process
        options.isOffline = true
        (options.shared, options.record, options.replay) = ("", nil, nil)
        options.baseURLs = []
        options.logLevel = .error
        guard let file = Places(options, environment).cache?.path, Files.exists(file),
            let process = try? Container.process(options, environment: environment, loop: .shared, given: loaded),
            let served = process.serving.current.resources[resource]
        else { return nil }
        repository = served.repository
        client = InProcessClient(process.serving)
        let names = repository.resource.scope.map(\.name)
        var scope = JSONObject()
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            if parts.count == 2, names.contains(parts[0]) { scope[parts[0]] = .string(parts[1]) }
        }
        self.scope = scope
    }

    /// Returns the cached ids that start with the typed text. The description of each id is the name or title of its
    /// item.
    func ids(startingWith typed: String) -> [CompletionCandidate] {
        let values = try? repository.resource.scope.values(isOptional: true) { scope[$0] }
        let narrowing = repository.resource.scope.isEmpty ? nil : ScopeNarrowing(values ?? [])
        let (repository, maxCount) = (repository, Self.maxCount)
        let found = Blocking.value {
            (try? await repository.ids(matching: typed, scope: narrowing, limit: maxCount)) ?? []
        }
        let ids = (found ?? []).filter { $0.hasPrefix(typed) && Self.isPlain($0) }
        let notes = notes(of: ids)
        return ids.map { CompletionCandidate.word($0, note: notes[$0] ?? "") }
    }

    var fields: [String] { Self.fields(of: repository.resource.name, scope, client) }

    /// Returns the field names of up to `itemsForFields` cached items of a resource.
    ///
    /// - Parameter scope: the values of the resource's scope.
    static func fields(of resource: String, _ scope: JSONObject, _ client: InProcessClient) -> [String] {
        var params = scope
        params["limit"] = .integer(itemsForFields)
        var names: [String] = []
        let found = client.ask("\(resource)/search", .object(params)).result
        for item in found?["items"]?.elements ?? [] {
            guard case .object(let object) = item else { continue }
            for member in object.members where !names.contains(member.key) { names.append(member.key) }
        }
        return names
    }

    private func notes(of ids: [String]) -> [String: String] {
        var params = scope
        params["ids"] = .array(ids.map { .string($0) })
        params["cachePolicy"] = .string(CachePolicy.localOnly.rawValue)
        let items = ask("getMany", params)["items"]?.elements ?? []
        let notes = items.compactMap { item in
            item["id"].map { id -> (String, String) in
                let (id, name) = (CellText.of(id), CellText.of(item))
                return (id, id == name ? "" : name)
            }
        }
        return Dictionary(notes) { first, _ in first }
    }

    /// Calls a method of the resource. Returns `null` if the method fails: completions report no errors.
    private func ask(_ method: String, _ params: JSONObject) -> JSONValue {
        client.ask("\(repository.resource.name)/\(method)", .object(params)).result ?? .null
    }

    /// Whether every shell reads an id as a single word, and `larder` does not read it as an option or as `name=value`.
    private static func isPlain(_ id: String) -> Bool {
        id.utf8.first != UInt8(ascii: "-")
            && id.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "._-/@+".utf8.contains(byte)
                }
            }
    }
}
