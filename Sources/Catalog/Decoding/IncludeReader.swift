import JSON
import System

/// Reads a catalog and all included files, each file once. Reports the errors in `include`.
package struct IncludeReader {
    /// A parsed file of the catalog.
    package struct File {
        package let number: Int
        package let document: JSONDocument
    }

    private let reader: CatalogReader
    private let source: IncludeSource
    private(set) var files: [File] = []
    /// The paths of the files read so far, with symbolic links resolved.
    private var read: Set<FilePath> = []
    /// The number of files named in `include` so far, plus one for the main catalog file.
    private var attempts = 1

    /// Reads all files of a catalog, the main file first. Reports an error for each file that cannot be read.
    package static func files(_ reader: CatalogReader, _ source: IncludeSource) -> [File] {
        var includes = IncludeReader(reader: reader, source: source)
        includes.read.insert(Files.resolved(source.catalog ?? ""))
        includes.take(0, at: source.catalog ?? "", [source.catalog ?? ""])
        return includes.files
    }

    private init(reader: CatalogReader, source: IncludeSource) {
        self.reader = reader
        self.source = source
    }

    /// Parses a file, and then reads the files that it includes.
    ///
    /// - Parameter chain: the chain of includes, from the main catalog file to the parsed file.
    private mutating func take(_ number: Int, at path: FilePath, _ chain: [FilePath]) {
        reader.file = number
        reader.folders[number] = path.parent
        let document: JSONDocument
        do throws(JSONFault) {
            document = try JSONDocument(skippingBOM: reader.files.texts[number].bytes, as: .jsonc)
        } catch {
            return reader.fault(error.reason, atOffset: error.offset)
        }
        files.append(File(number: number, document: document))
        for (found, path) in document.withRoot({ included(by: $0, at: path, chain) }) {
            take(reader.files.add(path.description, found), at: path, chain + [path])
        }
    }

    /// Returns the contents and paths of the files that one file includes.
    private mutating func included(
        by root: JSONView, at path: FilePath, _ chain: [FilePath]
    ) -> [(bytes: [UInt8], path: FilePath)] {
        guard let view = root["include"] else { return [] }
        guard view.kind == .array else {
            reader.fault("'include' must be an array of paths, such as [\"./tickets.jsonc\"]", at: view)
            return []
        }
        var found: [(bytes: [UInt8], path: FilePath)] = []
        for element in view.elements {
            // References to secrets are refused here, because error messages contain file names before the redactor
            // knows the secrets.
            if let text = element.string, ["${env:", "${file:"].contains(where: { text.firstRange(of: $0) != nil }) {
                reader.fault(
                    "'include' must not contain a secret, because error messages show file names; use '${var:NAME}'"
                        + " instead", at: element)
                continue
            }
            let missingBefore = reader.missingCount
            guard let text = reader.expanded(element, "include") else { continue }
            // A missing variable in `include` concerns the whole catalog and not a single API.
            if reader.missingCount > missingBefore {
                for missing in reader.takeMissing() { reader.fault(missing.message, at: element) }
                continue
            }
            guard !text.isEmpty, !text.utf8.contains(0) else {
                reader.fault("'include' must be an array of paths, such as [\"./tickets.jsonc\"]", at: element)
                continue
            }
            // A file counts as an attempt even if it cannot be read.
            attempts += 1
            if attempts > CatalogFiles.maxCount {
                reader.fault(
                    "a catalog can have at most \(CatalogFiles.maxCount) files; merge some of them", at: element)
                continue
            }
            do throws(FileError) {
                let file = try source.find(text, from: path)
                if markAsRead(file, at: element, chain) { found.append((file.bytes, file.path)) }
            } catch {
                reader.fault(error.message, at: element)
            }
        }
        return found
    }

    /// Marks a file as read. If the file is already marked or includes itself, reports an error and returns false.
    private mutating func markAsRead(_ file: IncludeSource.Found, at view: JSONView, _ chain: [FilePath]) -> Bool {
        let (path, resolved) = (file.path, file.identity)
        if let start = chain.firstIndex(where: { Files.resolved($0) == resolved }) {
            let cycle = (chain[start...] + [path]).map(\.description).joined(separator: " -> ")
            reader.fault("a file cannot include itself: \(cycle); remove one 'include'", at: view)
        } else if read.contains(resolved) {
            reader.fault("'\(path)' is already included; remove one of the entries", at: view)
        } else {
            // The file is recorded before it is read, because one list can name it twice.
            read.insert(resolved)
            return true
        }
        return false
    }
}
