// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]
/// The product's own: without the module of regular expressions, whose size and start nothing here is worth.
let lean = strict + [.unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"])]

let package = Package(
    name: "larder",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "larder", targets: ["RPCServer"])],
    targets: [
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        // No pkgConfig here: libcurl is opened when the first request leaves, so that a cached read never pays for it.
        .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
        .target(name: "CFaults", cSettings: [.treatAllWarnings(as: .error)]),
        .systemLibrary(name: "CSystem"),
        .target(name: "CArguments", cSettings: [.treatAllWarnings(as: .error)]),
        .target(name: "CSHA256", cSettings: [.treatAllWarnings(as: .error)]),
        .target(name: "System", dependencies: ["CSystem", "CArguments", "CSHA256"], swiftSettings: lean),
        .target(name: "JSON", dependencies: ["System"], swiftSettings: lean),
        .target(name: "Protocol", dependencies: ["JSON", "System"], swiftSettings: lean),
        .target(
            name: "DataSources", dependencies: ["JSON", "System", "CSQLite", "CCurl", "CFaults"], swiftSettings: lean),
        .target(name: "Repositories", dependencies: ["DataSources", "JSON", "System"], swiftSettings: lean),
        .executableTarget(
            name: "RPCServer", dependencies: ["Repositories", "DataSources", "Protocol", "JSON", "System"],
            swiftSettings: lean),
        .target(
            name: "TestSupport", dependencies: ["Repositories", "DataSources", "Protocol", "JSON", "System"],
            path: "Tests/TestSupport", swiftSettings: strict),
        .testTarget(name: "SystemTests", dependencies: ["System", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "JSONTests", dependencies: ["JSON", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "ProtocolTests", dependencies: ["Protocol", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "DataSourcesTests", dependencies: ["DataSources", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "RepositoriesTests", dependencies: ["Repositories", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "RPCServerTests", dependencies: ["RPCServer", "TestSupport"], swiftSettings: strict),
    ]
)

// The fuzzers need a runtime that not every toolchain has; only Tests/Fuzz/run asks for them.
if Context.environment["LARDER_FUZZERS"] != nil {
    let fuzzers: [(name: String, dependencies: [Target.Dependency])] = [
        ("JSON", ["JSON"]), ("Framing", ["Protocol"]), ("Envelope", ["Protocol", "JSON"]),
        ("Catalog", ["DataSources", "JSON"]),
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
