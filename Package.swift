// swift-tools-version: 6.2
import PackageDescription

/// The settings of all targets. An async function runs on its caller's executor, so a call needs no task switch.
let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]
/// The settings of the product's targets. The targets do not import the unused module of regular expressions, because
/// this module would make the binary larger and its start slower.
let lean = strict + [.unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"])]

/// The settings of targets for which small code is more important than fast code. Their code runs once in a process, as
/// that of commands does, or only in requests that also wait for a network.
let small = lean + [.unsafeFlags(["-Osize"], .when(configuration: .release))]

let package = Package(
    name: "larder",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "larder", targets: ["larder"])],
    targets: [
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .systemLibrary(
            name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
        // This library needs no pkgConfig, because the linker does not use it. The process loads libcurl at the first
        // request, so that a cached read does not wait for libcurl.
        .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
        .target(name: "CSQLiteMemory", dependencies: ["CSQLite"], cSettings: [.treatAllWarnings(as: .error)]),
        .target(name: "CFaults", cSettings: [.treatAllWarnings(as: .error)]),
        .systemLibrary(name: "CSystem"),
        .target(name: "CArguments", cSettings: [.treatAllWarnings(as: .error)]),
        .target(name: "CSHA256", cSettings: [.treatAllWarnings(as: .error)]),
        // The process loads libedit at the first prompt, so that other commands do not need the library.
        .target(name: "CLineEditor", cSettings: [.treatAllWarnings(as: .error)]),
        .target(name: "CCompatibility", cSettings: [.treatAllWarnings(as: .error)]),
        .target(
            name: "System", dependencies: ["CSystem", "CArguments", "CSHA256", "CCompatibility"], swiftSettings: lean),
        .target(name: "JSON", dependencies: ["System"], swiftSettings: lean),
        .target(name: "Model", dependencies: ["JSON", "System"], swiftSettings: lean),
        .target(name: "Protocol", dependencies: ["Model", "JSON", "System"], swiftSettings: lean),
        .target(name: "HTTP", dependencies: ["Model", "JSON", "System", "CCurl"], swiftSettings: small),
        // The texts of the catalogs in Fixtures/catalogs.
        .target(name: "CCatalogs", cSettings: [.treatAllWarnings(as: .error)]),
        .target(name: "Catalog", dependencies: ["Model", "JSON", "System", "CCatalogs"], swiftSettings: small),
        .target(name: "Redis", dependencies: ["HTTP", "Model", "System"], swiftSettings: small),
        .target(
            name: "DataSources",
            dependencies: [
                "Catalog", "HTTP", "Redis", "Model", "JSON", "System", "CSQLite", "CSQLiteMemory", "CFaults",
            ],
            swiftSettings: lean),
        .target(
            name: "Repositories", dependencies: ["DataSources", "Catalog", "Model", "JSON", "System"],
            swiftSettings: lean),
        .target(
            name: "CatalogTools", dependencies: ["Catalog", "HTTP", "Model", "JSON", "System", "CYAML"],
            swiftSettings: small),
        .target(
            name: "RPCServer",
            dependencies: [
                "Repositories", "DataSources", "Protocol", "Catalog", "HTTP", "Redis", "Model", "JSON", "System",
            ], swiftSettings: lean),
        .executableTarget(
            name: "larder",
            dependencies: [
                "RPCServer", "CatalogTools", "Repositories", "DataSources", "Protocol", "Catalog", "HTTP", "Redis",
                "Model", "JSON", "System", "CLineEditor",
            ], swiftSettings: small),
        // Helpers for all tests.
        .target(name: "TestSupport", dependencies: ["System"], path: "Tests/TestSupport", swiftSettings: strict),
        // Mocks of contracts, servers on 127.0.0.1, and catalogs.
        .target(
            name: "Mocks",
            dependencies: ["TestSupport", "Repositories", "DataSources", "Catalog", "HTTP", "Model", "JSON", "System"],
            path: "Tests/Mocks", swiftSettings: strict),
        .testTarget(name: "SystemTests", dependencies: ["System", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "JSONTests", dependencies: ["JSON", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "ModelTests", dependencies: ["Model", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "ProtocolTests", dependencies: ["Protocol", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "HTTPTests", dependencies: ["HTTP", "Mocks", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "CatalogTests", dependencies: ["Catalog", "CatalogTools", "Mocks", "TestSupport"],
            swiftSettings: strict),
        .testTarget(name: "RedisTests", dependencies: ["Redis", "Mocks", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "DataSourcesTests", dependencies: ["DataSources", "Mocks", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "RepositoriesTests", dependencies: ["Repositories", "Protocol", "Mocks", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "CatalogToolsTests", dependencies: ["CatalogTools", "DataSources", "Mocks", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "RPCServerTests", dependencies: ["RPCServer", "Mocks", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "larderTests", dependencies: ["larder", "Mocks", "TestSupport"], swiftSettings: strict),
    ]
)

// The fuzzers need a runtime that some toolchains lack. Only Tests/Fuzz/run sets this variable.
if Context.environment["LARDER_FUZZERS"] != nil {
    let fuzzers: [(name: String, dependencies: [Target.Dependency])] = [
        ("JSON", ["JSON", "Model"]), ("Framing", ["Protocol"]), ("Envelope", ["Protocol", "JSON"]),
        ("Catalog", ["CatalogTools", "DataSources", "Catalog", "Model", "JSON"]),
    ]
    package.targets += [
        .target(name: "FuzzSupport", dependencies: ["JSON"], path: "Tests/Fuzz/Support", swiftSettings: strict)
    ]
    for (name, dependencies) in fuzzers {
        package.targets += [
            .target(
                name: "Fuzz\(name)", dependencies: dependencies + ["FuzzSupport"], path: "Tests/Fuzz/\(name)",
                swiftSettings: strict)
        ]
        package.products += [.library(name: "Fuzz\(name)", type: .static, targets: ["Fuzz\(name)"])]
    }
}
