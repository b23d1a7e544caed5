import JSON

/// Infers the types of fields from their values in an answer.
struct InferredTypes {
    private static let maxDepth = 8
    private static let maxValues = 5_000

    /// Returns a type that accepts all values of one field.
    ///
    /// - Parameter values: the values of the field, one value for each item that has the field.
    func type(of values: [JSONView], depth: Int = 0) -> DraftType {
        let values = values.prefix(Self.maxValues)
        let present = values.filter { !$0.isNull }
        var type = DraftType(.any, isOptional: present.count < values.count)
        guard let first = present.first else {
            type.note = "always null in the answer"
            type.isOptional = true
            return type
        }
        guard depth < Self.maxDepth else {
            type.note = "nested too deeply for this draft"
            return type
        }
        let kinds = Set(present.map { Self.kind($0) })
        guard kinds.count == 1 else {
            type.note = "several types: \(kinds.sorted().joined(separator: ", "))"
            return type
        }
        switch first.kind {
        case .true, .false: type.shape = .boolean
        case .number: type.shape = present.allSatisfy { $0.integer != nil } ? .integer : .number
        case .string: text(Array(present), &type)
        case .array:
            let elements = present.flatMap { Array($0.elements) }
            type.shape = .array(elements.isEmpty ? DraftType(.any) : self.type(of: elements, depth: depth + 1))
            if elements.isEmpty { type.note = "always empty in the answer: the type of the elements is unknown" }
        case .object: object(Array(present), &type, depth)
        case .null: break
        }
        return type
    }

    private static func kind(_ view: JSONView) -> String {
        switch view.kind {
        case .true, .false: "boolean"
        case .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        case .null: "null"
        }
    }

    private func text(_ values: [JSONView], _ type: inout DraftType) {
        let texts = values.compactMap { $0.string }
        if texts.allSatisfy({ DateText($0) != nil }) {
            type.shape = .date(unit: nil)
            return
        }
        if texts.allSatisfy({ DateText($0, assumingUTC: true) != nil }) {
            type.shape = .localDate
            type.note = "without an offset in the answer: UTC is assumed"
            return
        }
        type.shape = .string
        var counts: [String: Int] = [:]
        for text in texts { counts[text, default: 0] += 1 }
        let isWordy = counts.keys.allSatisfy { text in
            (1...24).contains(text.utf8.count) && text.allSatisfy { $0.isLetter || $0.isNumber || "_-.".contains($0) }
                && text.contains { $0.isLetter }
        }
        guard isWordy, (2...8).contains(counts.count) else { return }
        let listed = counts.keys.sorted()
        // Many values that repeat a few strings are rarely free text.
        if texts.count >= 40, counts.count <= 6, counts.values.allSatisfy({ $0 >= 4 }) {
            type.shape = .enumeration(listed)
            type.note = "the only values among \(texts.count)"
        } else if texts.count >= 3 * counts.count {
            type.note = "an enumeration? the only values among \(texts.count): \(listed.joined(separator: ", "))"
        }
    }

    private func object(_ values: [JSONView], _ type: inout DraftType, _ depth: Int) {
        var order: [String] = []
        var members: [String: [JSONView]] = [:]
        for value in values {
            for member in value.members {
                let name = member.key.string ?? ""
                if members[name] == nil { order.append(name) }
                members[name, default: []].append(member.value)
            }
        }
        if order.isEmpty {
            type.note = "always empty in the answer"
            return
        }
        if Self.isMap(order, members, of: values.count) {
            type.shape = .map(self.type(of: order.flatMap { members[$0] ?? [] }, depth: depth + 1))
            type.note = "a map: its keys vary"
            return
        }
        type.shape = .object(
            order.map { name in
                let found = members[name] ?? []
                var type = self.type(of: found, depth: depth + 1)
                if found.count < values.count { type.isOptional = true }
                return DraftField(name: name, type: type)
            })
    }

    /// Whether objects are maps, such as prices by date. True if the keys are numbers, dates or codes, or if the
    /// objects have few keys in common.
    private static func isMap(_ keys: [String], _ members: [String: [JSONView]], of count: Int) -> Bool {
        let kinds = Set(members.values.joined().filter { !$0.isNull }.map(kind))
        guard kinds.count <= 1 else { return false }
        let areCodes = keys.allSatisfy { key in
            key.contains { $0.isNumber } && key.allSatisfy { $0.isNumber || $0.isHexDigit || "-.:/".contains($0) }
        }
        if keys.count >= 2, areCodes { return true }
        return count >= 3 && keys.count >= 2 * count && members.values.allSatisfy { $0.count * 3 <= count }
    }
}
