import DataSources
import HTTP
import Model
import Protocol
import TestSupport
import Testing

@testable import RPCServer

/// Tests which targets and files may refer to which types.
@Suite(.limited) struct ArchitectureLayerTests {
    private static func isContainer(_ file: SourceFile) -> Bool {
        ["Container.swift", "Remotes.swift", "SharedLevel.swift", "ClientWatch.swift"].contains {
            file.path == "Sources/RPCServer/Wiring/\($0)"
        }
    }

    /// The types of `DataSources` and `HTTP` that implement a contract of a data source, a client or a transport.
    private static let implementations: Set<String> = {
        var names: Set<String> = []
        for file in SourceFile.sources where ["DataSources", "HTTP"].contains(file.target) {
            for line in file.code {
                let words = line.identifiers
                guard
                    let index = words.firstIndex(where: { ["class", "struct", "actor", "enum"].contains($0) }),
                    index + 1 < words.count,
                    words[(index + 2)...].contains(where: {
                        $0.hasSuffix("DataSourceContract") || $0.hasSuffix("ClientContract")
                            || $0.hasSuffix("TransportContract")
                    })
                else { continue }
                names.insert(String(words[index + 1]))
            }
        }
        return names
    }()

    @Test func architectureTestListsEveryImplementation() {
        #expect(
            Self.implementations.isSuperset(of: [
                "MemoryDataSource", "EntityDataSource", "RecentSearchesDataSource", "RESTDataSource",
                "GraphQLDataSource", "HTTPClient", "APIClient", "RecordingHTTPClient", "ReplayHTTPClient",
                "GraphQLClient",
            ]))
    }

    /// Whether a file may name `MemoryDataSource`. The cache holds it directly, because only memory answers on the
    /// caller's thread.
    private static func holdsMemory(_ file: SourceFile) -> Bool {
        ["Cache.swift", "CacheWriter.swift"].contains { file.path == "Sources/Repositories/Cache/\($0)" }
    }

    @Test func onlyTheContainerRefersToImplementations() {
        // The target `Redis` uses the event loop of the HTTP client.
        let below: Set = ["DataSources", "HTTP", "Redis"]
        for file in SourceFile.sources where !below.contains(file.target) && !Self.isContainer(file) {
            let implementations =
                Self.holdsMemory(file) ? Self.implementations.subtracting(["MemoryDataSource"]) : Self.implementations
            let named = file.code.flatMap(\.identifiers).filter { implementations.contains(String($0)) }
            #expect(named == [], "\(file.path)")
        }
        #expect(SourceFile.sources.contains { Self.isContainer($0) })
        #expect(SourceFile.sources.filter { Self.holdsMemory($0) }.count == 2)
    }

    /// Above the data sources, only the container names transports, because it connects them.
    @Test(arguments: ["Protocol", "Repositories", "RPCServer"]) func upperTargetsDoNotReferToTransports(target: String)
    {
        let files = SourceFile.sources.filter { $0.target == target && !Self.isContainer($0) }
        #expect(files.count > 20)
        for file in files { #expect(Self.names(in: file, with: ["HTTP", "GraphQL", "REST"]) == [], "\(file.path)") }
    }

    @Test(arguments: [
        (["SQLite", "sqlite3"], ["DataSources"]), (["curl", "larder_curl", "CURL"], ["HTTP"]),
        (["Curl"], ["HTTP", "Redis"]), (["RESP"], ["Redis", "DataSources"]),
    ])
    func onlyDesignatedTargetsUseALibrary(prefixes: [String], targets: [String]) {
        let named = SourceFile.sources.filter { Self.names(in: $0, with: prefixes) != [] }.map(\.target)
        #expect(!named.isEmpty && Set(named).isSubset(of: targets), "\(Set(named))")
    }

    private static func names(in file: SourceFile, with prefixes: [String]) -> [Substring] {
        file.code.flatMap(\.identifiers).filter { name in prefixes.contains { name.hasPrefix($0) } }
    }

    @Test func onlyTheServerUsesProtocolTypes() {
        let words: Set<Substring> = ["RPCError", "RPCResult", "Envelope", "RequestID", "ParamsReader"]
        for file in SourceFile.sources where !["RPCServer", "Protocol", "larder"].contains(file.target) {
            #expect(file.code.flatMap(\.identifiers).filter { words.contains($0) } == [], "\(file.path)")
        }
    }

    /// The types whose names end in `Mapper`, each with whether it declares its conformance to `MapperContract`.
    private static let mappers: [String: Bool] = {
        var mappers: [String: Bool] = [:]
        for file in SourceFile.sources {
            for line in file.code {
                let words = line.identifiers
                guard let index = words.firstIndex(where: { ["class", "struct", "actor", "enum"].contains($0) }),
                    index + 1 < words.count, words[index + 1].hasSuffix("Mapper")
                else { continue }
                mappers[String(words[index + 1])] = words.contains("MapperContract")
            }
        }
        return mappers
    }()

    @Test func everyMapperConformsToItsContractAndIsTested() {
        #expect(Self.mappers.filter { !$0.value }.keys.sorted() == [])
        #expect(Set(Self.mappers.keys) == Set(MapperSubject.all.map(\.name)))
    }

    /// The transport, requests in flight and native handlers do not name the Model Context Protocol.
    @Test func onlyDialectsReferToTheModelContextProtocol() {
        // `Dialect` recognizes the protocol, the dispatcher selects the router by it, and the session, the served
        // catalog and progress have a part for it.
        let known: Set = ["Dialect", "Dispatcher", "Session", "CurrentCatalog", "Progress"]
        let files = SourceFile.sources.filter { file in
            ["Transport", "Methods", "Session"].contains { file.path.hasPrefix("Sources/RPCServer/\($0)/") }
                && !known.contains { file.path == "Sources/RPCServer/Session/\($0).swift" }
        }
        #expect(files.count > 30)
        for file in files {
            let text = file.text.lowercased()
            for name in ["mcp", "model context protocol"] { #expect(!text.contains(name), "\(file.path)") }
        }
    }

    /// A contract's file contains only the contract.
    @Test func contractIsTheOnlyDeclarationInItsFile() {
        var contracts: [String] = []
        for file in SourceFile.sources {
            let isContract = file.name.hasSuffix("Contract.swift")
            for line in file.code where !line.hasPrefix(" ") {
                let words = line.identifiers
                let kinds: Set<Substring> = [
                    "protocol", "class", "struct", "actor", "enum", "extension", "func", "let", "var",
                ]
                guard let index = words.firstIndex(where: { kinds.contains($0) }), index + 1 < words.count else {
                    continue
                }
                let name = String(words[index + 1])
                if words[index] == "protocol", name.hasSuffix("Contract") {
                    #expect(file.name == "\(name).swift")
                    contracts.append(name)
                } else {
                    #expect(!isContract, "\(file.path) has \(name) besides its contract")
                }
            }
            if isContract { #expect(contracts.last.map { "\($0).swift" } == file.name) }
        }
        #expect(Set(contracts).count == contracts.count)
        #expect(contracts.contains("LocalDataSourceContract"))
    }
}
