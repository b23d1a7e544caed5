import DataSources
import TestSupport
import Testing

@testable import RPCServer

@Suite(.limited) struct FileLocationsTests {
    private static let ann = Environment { $0 == "HOME" ? "/users/ann" : nil }
    private static let nobody = Environment { _ in nil }

    private static func options(_ change: (inout Options) -> Void) -> Options {
        var options = Options()
        change(&options)
        return options
    }

    @Test func defaultPathsAreInTheHomeFolder() {
        let places = Places(Options(), Self.ann)
        #expect(places.catalog == .init(path: "/users/ann/.config/larder/catalog.jsonc", trust: .found))
        #expect(places.cache == .init(path: "/users/ann/.cache/larder/cache.sqlite", trust: .foundDatabase))
        #expect(places.recents == .init(path: "/users/ann/.local/share/larder/recents.sqlite", trust: .foundDatabase))
        #expect(places.faults == [])
    }

    @Test(arguments: [ann, nobody]) func pathsInOptionsTakePrecedence(environment: Environment) {
        let options = Self.options {
            $0.catalog = "c.jsonc"
            $0.cacheDirectory = "here"
            $0.dataDirectory = "there"
        }
        let places = Places(options, environment)
        #expect(places.catalog == .init(path: "c.jsonc", trust: .named))
        #expect(places.cache == .init(path: "here/cache.sqlite", trust: .named))
        #expect(places.recents == .init(path: "there/recents.sqlite", trust: .named))
        #expect(places.faults == [])
    }

    @Test func catalogCanBeSetByAVariable() {
        let environment = Environment { $0 == "LARDER_CATALOG" ? "v.jsonc" : nil }
        #expect(Places(Options(), environment).catalog == .init(path: "v.jsonc", trust: .named))
        let both = Places(Self.options { $0.catalog = "o.jsonc" }, environment)
        #expect(both.catalog == .init(path: "o.jsonc", trust: .named))
    }

    @Test func missingHomeFolderIsReportedWithTheFix() {
        let places = Places(Options(), Self.nobody)
        #expect(places.catalog == nil && places.cache == nil && places.recents == nil)
        #expect(places.faults.map(\.part) == ["catalog", "persistence", "recents"])
        for (fault, set) in zip(places.faults, ["XDG_CONFIG_HOME or --catalog", "--cache-dir", "--data-dir"]) {
            #expect(fault.reason.hasPrefix("there is no home folder: ") && fault.reason.contains("set HOME, XDG_"))
            #expect(fault.reason.contains(set))
        }
    }

    @Test func disabledCacheFileIsNotReportedAsMissing() {
        let places = Places(Self.options { $0.isPersistent = false }, Self.nobody)
        #expect(places.cache == nil)
        #expect(places.faults.map(\.part) == ["catalog", "recents"])
    }
}
