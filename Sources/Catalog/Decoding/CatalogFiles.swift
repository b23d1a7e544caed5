import JSON
import System

/// The files that one catalog is made of: its own, and those that it includes.
///
/// A place in any of them is one number, so that faults are sorted by it: the file's number, and the offset within it.
public struct CatalogFiles: Sendable {
    /// How many a catalog may have.
    static let most = 100
    /// No file is as long: `InputFile.largest`.
    private static let fileBits = 32

    /// The files; the first one is the catalog itself.
    package private(set) var texts: [(name: String?, bytes: [UInt8])]

    package init(_ bytes: [UInt8], named name: String? = nil) { texts = [(name, bytes)] }

    /// Adds an included file. Returns its number.
    mutating func add(_ name: String, _ bytes: [UInt8]) -> Int {
        texts.append((name, bytes))
        return texts.count - 1
    }

    /// The number of a place.
    static func number(ofOffset offset: Int, inFile file: Int) -> Int { file << fileBits | offset }

    /// The places of numbers in ascending order; each text is gone through once.
    func places(of numbers: [Int]) -> [CatalogPlace] {
        var places: [CatalogPlace] = []
        var rest = numbers[...]
        while let first = rest.first {
            let file = first >> Self.fileBits
            let own = rest.prefix { $0 >> Self.fileBits == file }
            rest = rest.dropFirst(own.count)
            guard texts.indices.contains(file) else { continue }
            let offsets = own.map { $0 & (1 << Self.fileBits - 1) }
            places += JSONPosition.positions(of: offsets, in: texts[file].bytes).map {
                CatalogPlace(file: texts[file].name, position: $0)
            }
        }
        return places
    }
}

/// Where the files are that a catalog includes.
public struct IncludeSource: Sendable {
    /// An included file.
    public struct Found: Sendable {
        let path: FilePath
        let bytes: [UInt8]

        /// What is at a path.
        public init(path: FilePath, bytes: [UInt8]) {
            self.path = path
            self.bytes = bytes
        }
    }

    /// Where the catalog itself is; nil where it comes from no file.
    let catalog: FilePath?
    private let read: @Sendable (FilePath) throws(FileError) -> [UInt8]

    /// A source of files.
    ///
    /// - Parameter read: gives what is in a file, or says why it is not taken.
    public init(of catalog: FilePath, _ read: @escaping @Sendable (FilePath) throws(FileError) -> [UInt8]) {
        self.catalog = catalog
        self.read = read
    }

    private init() {
        catalog = nil
        read = { (_) throws(FileError) in throw FileError(message: "a catalog that is no file includes none") }
    }

    /// That of a catalog that comes from no file.
    public static let none = IncludeSource()

    /// The file that is meant by a path that stands in another one: it is looked for beside that.
    func find(_ path: String, from includer: FilePath) throws(FileError) -> Found {
        let place = includer.parent.place(of: path)
        return Found(path: place, bytes: try read(place))
    }
}

extension FilePath {
    /// What a path means that stands in a file of this folder: a relative one begins there. An empty folder is that of
    /// the process.
    func place(of path: String) -> FilePath {
        var path = path[...]
        while path.hasPrefix("./") { path = path.dropFirst(2).drop { $0 == "/" } }
        guard !path.hasPrefix("/"), !isEmpty else { return FilePath(String(path)) }
        return self + (self == "/" ? "" : "/") + FilePath(String(path))
    }
}
