import JSON
import System

/// The files of one catalog: the main file and the files that it includes.
///
/// Each location in these files has a location number. Errors are sorted by these numbers. A location number combines
/// the index of the file and the byte offset in the file.
public struct CatalogFiles: Sendable {
    /// The maximum number of files of a catalog.
    static let maxCount = 100
    /// The number of low bits that hold the byte offset in a location number. These bits suffice for every file,
    /// because the size of a file is limited (`InputFile.largest`).
    private static let offsetBits = 32

    /// The files of the catalog. The main catalog file is the first.
    package private(set) var texts: [(name: String?, bytes: [UInt8])]

    package init(_ bytes: [UInt8], named name: String? = nil) { texts = [(name, bytes)] }

    /// Adds an included file and returns its index.
    mutating func add(_ name: String, _ bytes: [UInt8]) -> Int {
        texts.append((name, bytes))
        return texts.count - 1
    }

    /// Returns the location number for a byte offset in a file.
    static func number(ofOffset offset: Int, inFile file: Int) -> Int { file << offsetBits | offset }

    /// Returns the line and column of each location number. The numbers must be in ascending order. The function scans
    /// the text of each file only once.
    func places(of numbers: [Int]) -> [CatalogPlace] {
        var places: [CatalogPlace] = []
        var rest = numbers[...]
        while let first = rest.first {
            let file = first >> Self.offsetBits
            let own = rest.prefix { $0 >> Self.offsetBits == file }
            rest = rest.dropFirst(own.count)
            guard texts.indices.contains(file) else { continue }
            let offsets = own.map { $0 & (1 << Self.offsetBits - 1) }
            places += JSONPosition.positions(of: offsets, in: texts[file].bytes).map {
                CatalogPlace(file: texts[file].name, position: $0)
            }
        }
        return places
    }
}

/// Finds and reads the files that a catalog includes.
public struct IncludeSource: Sendable {
    /// An included file, or a shipped catalog.
    public struct Found: Sendable {
        let path: FilePath
        let bytes: [UInt8]
        /// Whether `path` is the name of a shipped catalog.
        var isShipped = false

        /// The identity of the file: the name of a shipped catalog, or the path of a file with symbolic links resolved.
        var identity: FilePath { isShipped ? path : Files.resolved(path) }

        /// Creates an included file from its path and its content.
        public init(path: FilePath, bytes: [UInt8]) {
            self.path = path
            self.bytes = bytes
        }
    }

    /// The path of the main catalog file; nil if the catalog was not read from a file.
    let catalog: FilePath?
    private let read: @Sendable (FilePath) throws(FileError) -> [UInt8]

    /// Creates a source of included files.
    ///
    /// - Parameters:
    ///   - catalog: the path of the main catalog file.
    ///   - read: returns the content of a file, or throws the reason why the file cannot be used.
    public init(of catalog: FilePath, _ read: @escaping @Sendable (FilePath) throws(FileError) -> [UInt8]) {
        self.catalog = catalog
        self.read = read
    }

    private init() {
        catalog = nil
        read = { (_) throws(FileError) in
            throw FileError(message: "'include' works only in a catalog file; save this catalog as a file")
        }
    }

    /// The source for a catalog that was not read from a file. Reading any included file throws an error.
    public static let none = IncludeSource()

    /// Reads an included file. A relative path is resolved against the folder of the file that contains the `include`.
    /// If `path` is the name of a shipped catalog, returns that catalog instead.
    ///
    /// - Throws: `FileError` if the file cannot be used.
    func find(_ path: String, from includer: FilePath) throws(FileError) -> Found {
        if catalog != nil, let shipped = ShippedCatalog.named(path) {
            var found = Found(path: FilePath(path), bytes: shipped.text)
            found.isShipped = true
            return found
        }
        let place = includer.parent.place(of: path)
        return Found(path: place, bytes: try read(place))
    }
}

extension FilePath {
    /// Resolves a relative path against this folder. If this folder's path is empty, returns a path relative to the
    /// current directory.
    func place(of path: String) -> FilePath {
        var path = path[...]
        while path.hasPrefix("./") { path = path.dropFirst(2).drop { $0 == "/" } }
        guard !path.hasPrefix("/"), !isEmpty else { return FilePath(String(path)) }
        return self + (self == "/" ? "" : "/") + FilePath(String(path))
    }
}
