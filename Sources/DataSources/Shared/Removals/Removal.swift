import JSON
import System

/// What was removed or marked stale: the entry with a name, or all those of a resource, for which the name of its marks
/// stands.
struct Removal: Hashable, Sendable {
    enum Kind: String, Sendable {
        /// Nobody may see it any more.
        case removed
        /// The remote does not have it any more. Where the level does not either, nobody need hear of it.
        case gone
        /// It is out of date.
        case stale
        /// It may be, as this machine has fetched something that it could not share.
        case outdated
    }

    let name: SharedName
    /// The marks of its resource.
    let marks: SharedName
    let kind: Kind

    /// Whether all entries of a resource are meant.
    var isOfAll: Bool { name == marks }
}

extension Removal {
    /// As text, with the moment at which it was noted.
    func text(at moment: Timestamp) -> String {
        let value: JSONValue = [
            "key": .string(name.key), "marks": .string(marks.key), "kind": .string(kind.rawValue),
            "at": .number(String(moment.milliseconds)),
        ]
        return value.text
    }

    /// A removal and its moment from their text; nil where that says nothing of the kind.
    static func read(_ text: String) -> (removal: Removal, moment: Timestamp)? {
        guard let value = try? JSONValue(parsing: text),
            case .string(let key)? = value["key"], case .string(let marks)? = value["marks"],
            case .string(let word)? = value["kind"], case .number(let digits)? = value["at"],
            let kind = Kind(rawValue: word), let moment = Int64(digits),
            let name = SharedName(key: key), let resource = SharedName(key: marks)
        else { return nil }
        return (Removal(name: name, marks: resource, kind: kind), Timestamp(milliseconds: moment))
    }
}

extension SharedName {
    /// The name that has a key; nil where it is none.
    fileprivate init?(key: String) {
        let digits = key.utf8.suffix(65).prefix(64)
        guard key.utf8.count > 66, digits.count == 64, key.utf8.last == UInt8(ascii: "}"),
            let hash = SHA256.bytes(hex: digits)
        else { return nil }
        self.init(hash: hash, key: key)
    }
}
