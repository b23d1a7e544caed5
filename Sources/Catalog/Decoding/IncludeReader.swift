import JSON
import System

/// Reads a catalog and the files that it includes, each once, and tells the faults of `include`.
package struct IncludeReader {
    /// A file's text, parsed.
    package struct File {
        package let number: Int
        package let document: JSONDocument
    }

    private let reader: CatalogReader
    private let source: IncludeSource
    private(set) var files: [File] = []
    /// Where the files are that were read, without links.
    private var read: Set<FilePath> = []
    /// The number of files that were looked for, the catalog itself among them.
    private var attempts = 1

    /// All files of a catalog, its own first; those that cannot be read are faults.
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

    /// - Parameter chain: the files that led to this one, and itself.
    private mutating func take(_ number: Int, at path: FilePath, _ chain: [FilePath]) {
        reader.file = number
        reader.folders[number] = path.parent
        let document: JSONDocument
        do throws(JSONFault) {
            document = try JSONDocument(passingMark: reader.files.texts[number].bytes, as: .jsonc)
        } catch {
            return reader.fault(error.reason, atOffset: error.offset)
        }
        files.append(File(number: number, document: document))
        for (found, path) in document.withRoot({ included(by: $0, at: path, chain) }) {
            take(reader.files.add(path.description, found), at: path, chain + [path])
        }
    }

    /// What a file includes.
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
            // Faults say where a file is, also before the secrets of the catalog are known.
            if let text = element.string, ["${env:", "${file:"].contains(where: { text.firstRange(of: $0) != nil }) {
                reader.fault("'include' is shown: no secret may stand there, but '${var:NAME}' may", at: element)
                continue
            }
            let absences = reader.absenceCount
            guard let text = reader.expanded(element, "include") else { continue }
            // No API is concerned by it alone.
            if reader.absenceCount > absences {
                for absence in reader.takeAbsences() { reader.fault(absence.message, at: element) }
                continue
            }
            guard !text.isEmpty, !text.utf8.contains(0) else {
                reader.fault("'include' must be an array of paths, such as [\"./tickets.jsonc\"]", at: element)
                continue
            }
            // Every further file is a fault, whether it is there or not.
            attempts += 1
            if attempts > CatalogFiles.most {
                reader.fault("a catalog has at most \(CatalogFiles.most) files", at: element)
                continue
            }
            do throws(FileError) {
                let file = try source.find(text, from: path)
                if note(file.path, at: element, chain) { found.append((file.bytes, file.path)) }
            } catch {
                reader.fault(error.message, at: element)
            }
        }
        return found
    }

    /// Whether a file may be taken; a fault where it was taken already.
    private mutating func note(_ path: FilePath, at view: JSONView, _ chain: [FilePath]) -> Bool {
        let resolved = Files.resolved(path)
        if let start = chain.firstIndex(where: { Files.resolved($0) == resolved }) {
            let circle = (chain[start...] + [path]).map(\.description).joined(separator: " -> ")
            reader.fault("a file cannot include itself: \(circle)", at: view)
        } else if read.contains(resolved) {
            reader.fault("\(path) is included already", at: view)
        } else {
            // Before it is read: it may stand twice in one list.
            read.insert(resolved)
            return true
        }
        return false
    }
}
