import DataSources
import System

/// Where a process keeps its files, and looks for its catalog.
struct Places {
    /// A file's place, and how far what is there is trusted.
    struct Place: Equatable {
        let path: FilePath
        let trust: FileTrust
    }

    /// A place that is missing: what is concerned, and what to set.
    struct Fault: Equatable {
        let part: String
        let reason: String
    }

    /// nil where no catalog is named and there is no folder in which to look for one.
    let catalog: Place?
    /// nil where nothing is kept in a file.
    let cache: Place?
    /// nil where nothing is kept in a file.
    let recents: Place?
    /// What is missing because there is no home folder.
    let faults: [Fault]

    init(_ options: Options, _ environment: Environment) {
        var faults: [Fault] = []
        func place(
            _ named: FilePath?, _ standard: FilePath?, _ part: String, _ trust: FileTrust, _ missing: String
        ) -> Place? {
            if let named { return Place(path: named, trust: .named) }
            if let standard { return Place(path: standard, trust: trust) }
            faults.append(Fault(part: part, reason: "there is no home folder, so \(missing)"))
            return nil
        }
        catalog = place(
            options.catalog ?? environment.path("LARDER_CATALOG"),
            environment.configDirectory.map { $0 + "/catalog.jsonc" }, "catalog", .found,
            "no catalog is looked for: set HOME, XDG_CONFIG_HOME or --catalog")
        cache =
            options.isPersistent
            ? place(
                options.cacheDirectory.map { $0 + "/cache.sqlite" },
                environment.cacheDirectory.map { $0 + "/cache.sqlite" }, "persistence", .foundDatabase,
                "the cache is in memory only: set HOME, XDG_CACHE_HOME or --cache-dir") : nil
        recents = place(
            options.dataDirectory.map { $0 + "/recents.sqlite" },
            environment.dataDirectory.map { $0 + "/recents.sqlite" }, "recents", .foundDatabase,
            "recent searches are in memory only: set HOME, XDG_DATA_HOME or --data-dir")
        self.faults = faults
    }
}
