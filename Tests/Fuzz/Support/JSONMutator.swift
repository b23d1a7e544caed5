import JSON

/// libFuzzer's built-in mutation of bytes.
@_silgen_name("LLVMFuzzerMutate")
private func mutateBytes(_ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ capacity: Int) -> Int

/// Mutates an input: half of the time as JSON, so that it stays valid, otherwise as bytes.
/// Inputs mutated only as bytes rarely pass the parser.
public func mutateJSON(_ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ capacity: Int, seed: UInt32) -> Int {
    var choice = Choice(state: UInt64(seed))
    let text = Array(UnsafeBufferPointer(start: data, count: count))
    guard choice.below(2) == 0, let document = try? JSONDocument(text, as: .jsonc) else {
        return mutateBytes(data, count, capacity)
    }
    let root = document.withRoot { JSONValue($0) }
    let parts = parts(of: root)
    var index = choice.below(parts.count)
    let changed = replacing(root, at: &index) { choice.change($0, parts) }
    let bytes = Array(changed.text.utf8)
    guard bytes.count <= capacity else { return mutateBytes(data, count, capacity) }
    data.update(from: bytes, count: bytes.count)
    return bytes.count
}

/// Returns a value and all values nested in it.
private func parts(of value: JSONValue) -> [JSONValue] {
    switch value {
    case .array(let elements): [value] + elements.flatMap { parts(of: $0) }
    case .object(let object): [value] + object.members.flatMap { parts(of: $0.value) }
    default: [value]
    }
}

/// Returns a copy of a value in which the nested value at `index` is changed. The index counts in the order of `parts`.
private func replacing(
    _ value: JSONValue, at index: inout Int, by change: (JSONValue) -> JSONValue
) -> JSONValue {
    index -= 1
    if index < 0 { return index == -1 ? change(value) : value }
    switch value {
    case .array(let elements): return .array(elements.map { replacing($0, at: &index, by: change) })
    case .object(let object):
        return .object(JSONObject(object.members.map { ($0.key, replacing($0.value, at: &index, by: change)) }))
    default: return value
    }
}

/// A seeded random number generator (linear congruential, with Knuth's constants).
private struct Choice {
    var state: UInt64

    private static let values: [JSONValue] = [
        nil, true, 0, 1, -1, .number("1.5"), .number("1e400"), "", "a", "a\n", "7d", [], [nil], ["a", "a"], [:],
        ["a": 1],
    ]

    mutating func below(_ limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(truncatingIfNeeded: state >> 33) % max(1, limit)
    }

    /// Returns a replacement for the value: a value from the list, another value from the text, or the value itself
    /// with one change inside.
    mutating func change(_ value: JSONValue, _ parts: [JSONValue]) -> JSONValue {
        let other = below(2) == 0 ? Self.values[below(Self.values.count)] : parts[below(parts.count)]
        switch value {
        case .object(let object) where !object.members.isEmpty && below(4) > 0:
            var members = object.members.map { ($0.key, $0.value) }
            let index = below(members.count)
            switch below(4) {
            case 0: members.remove(at: index)
            case 1: members[index].0 += "?"
            case 2: members.append(("a", members[index].1))
            default: members.append((members[index].0 + "a", other))
            }
            return .object(JSONObject(members))
        case .array(let elements) where below(4) > 0:
            return .array(below(2) == 0 ? Array(elements.dropLast()) : elements + [other])
        default: return other
        }
    }
}
