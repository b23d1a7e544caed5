import JSON
import Model

/// A catalog in its complete form. Default values are added, short forms are expanded, and variables are replaced by
/// their values. Secrets appear as `***`. Creating this catalog reads no secrets and sends no requests.
public struct EffectiveCatalog {
    private let reader: CatalogReader

    /// Returns the effective catalog: one JSON value that includes the contents of all included files. The caller must
    /// have checked that the catalog has no errors. Returns null for invalid JSON.
    ///
    /// - Parameters:
    ///   - bytes: the UTF-8 text of the catalog.
    ///   - source: the source of variables. A reference to a variable without a value stays unchanged.
    ///   - includes: reads the files that the catalog includes.
    public static func value(
        of bytes: [UInt8], _ source: SecretSource, includes: IncludeSource = .none
    ) -> JSONValue {
        let reader = CatalogReader(bytes, secrets: source.masked)
        let catalog = EffectiveCatalog(reader: reader)
        let values = IncludeReader.files(reader, includes).map { file in
            file.document.withRoot { catalog.value($0, .part(.catalog)) }
        }
        guard let first = values.first else { return .null }
        guard case .object(var whole) = first, whole["include"] != nil else { return first }
        whole["include"] = nil
        for key in ["apis", "resources"] {
            let members = values.flatMap { value -> [(String, JSONValue)] in
                guard case .object(let object)? = value[key] else { return [] }
                return object.members.map { ($0.key, $0.value) }
            }
            whole[key] = .object(JSONObject(members))
        }
        return .object(whole)
    }

    private func value(_ view: JSONView, _ type: CatalogType) -> JSONValue {
        switch type {
        case .text: return text(view)
        case .secret where view.kind == .object || view.kind == .array: return any(view)
        case .secret: return .string(Redactor.mark)
        case .any: return any(view)
        case .part(let part): return object(view, part)
        case .style(let parts):
            let part = parts.first { part in view["style"].map { $0.isString(part.style) } ?? false }
            return part.map { object(view, $0) } ?? JSONValue(view)
        case .short(let text, let part, let array):
            guard view.kind != .object else { return object(view, part) }
            let key = view.kind == .array ? array ?? text : text
            let type = part.keys.first { $0.name == key }?.type ?? .any
            return defaults(of: part, JSONObject([(key, value(view, type))]))
        case .named(let type):
            return .object(JSONObject(view.members.map { ($0.key.string ?? "", value($0.value, type)) }))
        case .list(let type): return .array(view.elements.map { value($0, type) })
        case .either(let types):
            return types.first { $0.fits(view) }.map { value(view, $0) } ?? any(view)
        case .plain, .word, .integer, .version, .flag, .duration, .size, .selector, .answerSelector, .fields,
            .fieldType, .parameterType:
            return JSONValue(view)
        case .scalar: return view.kind == .string ? text(view) : JSONValue(view)
        }
    }

    private func object(_ view: JSONView, _ part: CatalogPart) -> JSONValue {
        guard view.kind == .object else { return any(view) }
        let members = part.keys.compactMap { key in view[key.name].map { (key.name, value($0, key.type)) } }
        return defaults(of: part, JSONObject(members))
    }

    /// Returns an object with default values for its missing keys. The keys are in the order of the catalog format.
    private func defaults(of part: CatalogPart, _ given: JSONObject) -> JSONValue {
        .object(
            JSONObject(
                part.keys.compactMap { key in
                    let isAllowed = key.style == nil || key.style == given["style"]?.plainText
                    return (given[key.name] ?? (isAllowed ? key.standard ?? key.derived?(given) : nil)).map {
                        (key.name, $0)
                    }
                }))
    }

    private func text(_ view: JSONView) -> JSONValue {
        guard view.kind == .string, let text = reader.expanded(view, "") else { return JSONValue(view) }
        // The URL of a proxy can contain a user and a password without `${...}`.
        let hasUser = text.contains("://") && Userinfo.find(in: text).map { !$0.contains("/") } ?? false
        return .string(hasUser ? Userinfo.hide(in: text) : text)
    }

    private func any(_ view: JSONView) -> JSONValue {
        switch view.kind {
        case .string: text(view)
        case .array: .array(view.elements.map { any($0) })
        case .object: .object(JSONObject(view.members.map { ($0.key.string ?? "", any($0.value)) }))
        default: JSONValue(view)
        }
    }
}

extension CatalogPart {
    /// The pagination style that this definition describes: the value of its key `style`. Empty for all other
    /// definitions.
    fileprivate var style: String {
        for key in keys where key.name == "style" {
            if case .word(let words) = key.type { return words.first ?? "" }
        }
        return ""
    }
}

extension CatalogType {
    /// Whether a value looks like a value of this type. Compares only the JSON kind of the value and, for an object,
    /// its keys.
    fileprivate func fits(_ view: JSONView) -> Bool {
        switch self {
        case .part(let part):
            view.kind == .object
                && view.members.allSatisfy { member in
                    part.keys.contains { member.key.isString($0.name) }
                }
        case .short, .style, .named, .fields: view.kind == .object
        case .list: view.kind == .array
        case .selector: view.kind == .string || view.kind == .array
        case .answerSelector: view.kind == .string || view.kind == .array || view["header"] != nil
        case .any, .either, .fieldType, .parameterType: true
        case .integer: view.kind == .number
        case .text, .secret, .plain, .word, .version, .flag, .scalar, .duration, .size:
            view.kind != .object && view.kind != .array
        }
    }
}
