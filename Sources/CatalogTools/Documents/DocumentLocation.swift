import Catalog
import Model
import System

/// The location of a document: a URL, a file or standard input.
public enum DocumentLocation: Hashable, Sendable {
    case file(FilePath)
    case url(String)
    case standardInput

    /// Creates a location from a command-line argument: a URL, `-` for standard input, or the path of a file.
    public init(_ argument: String) {
        let scheme = argument.prefix { $0.isLetter }
        if argument == "-" {
            self = .standardInput
        } else if !scheme.isEmpty, argument.dropFirst(scheme.count).hasPrefix("://") {
            self = .url(argument)
        } else {
            self = .file(FilePath(argument))
        }
    }

    /// Returns the location of another document that this document refers to. If Larder must not read the other
    /// document, returns the reason.
    ///
    /// A URL may refer only to its own origin. A file may refer by relative paths to files in the folder of the first
    /// document and below.
    ///
    /// - Parameters:
    ///   - reference: the reference without its fragment.
    ///   - first: the first document, which refers to this document directly or indirectly.
    func resolving(_ reference: String, below first: DocumentLocation) -> Result<DocumentLocation, CatalogMessage> {
        switch self {
        case .standardInput:
            return .failure(
                """
                a document from standard input must not refer to another document; save both documents in one folder, \
                and import the first one
                """)
        case .url(let text):
            guard let base = URLReference(text), let found = URLReference(reference)?.resolved(against: base),
                let scheme = found.scheme, let authority = found.authority
            else { return .failure("the reference must be an http or https URL; correct the reference") }
            guard found.origin == base.origin else {
                return .failure(
                    """
                    the URL must have the same origin as the document that refers to it; save both documents in one \
                    folder, and refer to the file by a relative path
                    """)
            }
            return .success(.url("\(scheme)://\(authority)\(found.target)"))
        case .file(let path):
            if reference.contains("://") || reference.hasPrefix("//") {
                return .failure(
                    """
                    a document in a file must not refer to a URL; save the referenced document in the same folder, and \
                    refer to it by a relative path
                    """)
            }
            let relative = PercentEncoding.decode(reference)
            guard !relative.hasPrefix("/") else {
                return .failure("the path must be relative to the document; correct the reference")
            }
            let target = FilePath(Self.joined(path.parent.bytes, Array(relative.utf8)))
            guard case .file(let root) = first, target.isInside(root.parent) else {
                return .failure(CatalogMessage(Self.outside))
            }
            return .success(.file(target))
        }
    }

    /// The error message for a file outside the folder of the first document.
    static let outside = "the file is not in the folder of the document or below it; move the file there"

    /// Joins a folder and a relative path, and resolves the segments `.` and `..`. Keeps each `..` that does not follow
    /// the name of a folder.
    private static func joined(_ folder: [UInt8], _ relative: [UInt8]) -> [UInt8] {
        let slash = UInt8(ascii: "/")
        var kept = folder.split(separator: slash, omittingEmptySubsequences: true).map { Array($0) }
        for segment in relative.split(separator: slash) where !segment.elementsEqual(".".utf8) {
            if segment.elementsEqual("..".utf8), let last = kept.last, !last.elementsEqual("..".utf8),
                !last.elementsEqual(".".utf8)
            {
                kept.removeLast()
            } else {
                kept.append(Array(segment))
            }
        }
        return (folder.first == slash ? [slash] : []) + kept.joined(separator: [slash])
    }

    /// The URL of the document; nil if the document is a file or comes from standard input.
    public var address: String? { if case .url(let text) = self { text } else { nil } }

    /// The origin of the document's URL; nil if the document is a file or comes from standard input.
    var origin: String? { address.flatMap { URLReference($0) }?.origin }
}

extension FilePath {
    /// Whether the path is the given folder or is inside it at any depth. Compares only the segments of the two paths,
    /// and does not resolve symbolic links.
    func isInside(_ folder: FilePath) -> Bool {
        let slash = UInt8(ascii: "/")
        let (own, outer) = (bytes.split(separator: slash), folder.bytes.split(separator: slash))
        return isAbsolute == folder.isAbsolute && own.starts(with: outer)
            && !own.dropFirst(outer.count).contains { $0.elementsEqual("..".utf8) }
    }
}
