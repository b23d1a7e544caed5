import FuzzSupport
import JSON
import Model

/// Tests one input: a JSON text. If the text is valid, writing the parsed value and parsing it again gives an equal
/// value.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSON(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let text = UnsafeRawBufferPointer(start: start, count: count)
    // The tape is reused for all inputs, as in the server.
    var tape = JSONTape()
    let isJSON = check(text, as: .json, &tape)
    let isJSONC = check(text, as: .jsonc, &tape)
    require(isJSONC || !isJSON, "JSON was refused as JSON with comments")
    return 0
}

/// Checks the text as strict JSON or as JSONC. Returns whether the text is valid.
private func check(_ text: UnsafeRawBufferPointer, as dialect: JSONDialect, _ tape: inout JSONTape) -> Bool {
    do throws(JSONFault) {
        try tape.parse(text, as: dialect)
    } catch {
        require((0...text.count).contains(error.offset), "a fault outside the text")
        require(!error.description(in: text).isEmpty, "a fault without words")
        tape.withRoot(in: text) { require($0.isNull, "a refused text has a value") }
        return false
    }
    var fresh = JSONTape()
    require((try? fresh.parse(text, as: dialect)) != nil && tape == fresh, "what a tape held before shows through")
    tape.withRoot(in: text) { root in
        let value = JSONValue(root)
        var fromView = JSONWriter()
        fromView.value(root)
        checkWritten(fromView.bytes, is: value)
        checkWritten(Array(value.text.utf8), is: value)
        checkParts(root, as: dialect)
    }
    return true
}

/// Checks that written JSON is one line of strict JSON, parses to the same value, and is written identically again.
private func checkWritten(_ text: [UInt8], is value: JSONValue) {
    requireOneLine(text)
    guard let again = try? JSONDocument(text) else { return require(false, "the written JSON is refused") }
    again.withRoot { root in
        require(JSONValue(root) == value, "another value was written")
        var writer = JSONWriter()
        writer.value(root)
        require(writer.bytes == text, "the same value is written in two ways")
    }
}

/// Checks that the bytes of every nested value parse on their own to a value of the same kind, and that scalars can be
/// read.
private func checkParts(_ view: JSONView, as dialect: JSONDialect) {
    var tape = JSONTape()
    guard (try? tape.parse(view.token, as: dialect)) != nil else { return require(false, "a part's bytes are refused") }
    tape.withRoot(in: view.token) { require($0.kind == view.kind, "a part's bytes are of another kind") }
    switch view.kind {
    case .object:
        for member in view.members {
            checkParts(member.key, as: dialect)
            checkParts(member.value, as: dialect)
            // A key may occur twice; the last member counts.
            require(view[member.key.string ?? ""] != nil, "a member is not found by its key")
        }
    case .array:
        for element in view.elements { checkParts(element, as: dialect) }
    case .number:
        require(view.integer.map { Double($0) } == nil || view.double != nil, "an integer that is no number")
    case .string:
        if let text = view.string {
            require(view.isString(text), "a string differs from its own text")
            _ = JSONSelector(text)
        }
    case .null, .true, .false: break
    }
    require((Quantity.milliseconds(view) ?? 0) >= 0, "a negative duration")
    require((Quantity.bytes(view) ?? 0) >= 0, "a negative size")
}
