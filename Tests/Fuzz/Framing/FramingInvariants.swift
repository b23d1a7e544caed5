import FuzzSupport

@testable import Protocol

/// Tests one input: a byte for the size limit (1 to 256), a byte that determines the sizes of the pieces, and a stream.
/// The decoded messages must not depend on the pieces in which the stream arrives.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFraming(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    guard count > 2 else { return 0 }
    let limit = Int(start[0]) + 1
    let choice = UInt64(start[1])
    let stream = Array(UnsafeRawBufferPointer(start: start, count: count)[2...])

    let whole = decode(stream, limit: limit) { _ in stream.count }
    // Short streams arrive byte by byte. Long streams arrive in larger pieces, because the decoder scans the headers
    // again for each piece.
    let step = stream.count <= 512 ? 1 : stream.count / 64
    let dribbled = decode(stream, limit: limit) { _ in step }
    // The position and the byte at this position determine the length of the next piece.
    let longest = UInt64(max(61, stream.count / 16))
    let inPieces = decode(stream, limit: limit) { at in
        1 + Int((UInt64(stream[at]) ^ UInt64(at) &* (choice | 1)) % longest)
    }
    require(whole == dribbled, "dribbled: \(dribbled), whole: \(whole)")
    require(whole == inPieces, "in pieces: \(inPieces), whole: \(whole)")
    if let first = stream.first(where: { !isBlank($0) }), "{[".utf8.contains(first) {
        require(whole == Decoded(framing: .newline, found: lines(stream, limit: limit)), "not the stream's lines")
    }
    return 0
}

private enum Found: Equatable {
    case message([UInt8])
    case tooLong
    case malformed(String)
}

private struct Decoded: Equatable {
    var framing: Framing?
    var found: [Found] = []
}

private func decode(_ stream: [UInt8], limit: Int, sizeAt: (Int) -> Int) -> Decoded {
    let decoder = MessageDecoder(limit: limit, capacity: 64)
    let largestCapacity = 2 * max(64, limit + 2, MessageDecoder.maxHeaderBytes + 1)
    var out = Decoded()
    var size = 0
    func note(_ frame: Frame) {
        switch frame {
        case .message(let bytes):
            require(bytes.count <= limit, "a message over the limit")
            size += bytes.count
            out.found.append(.message(Array(bytes)))
        case .tooLong(let told):
            require(told == limit, "another limit is told")
            out.found.append(.tooLong)
        case .malformed(let reason): out.found.append(.malformed(reason))
        }
        require(out.found.count <= stream.count, "more frames than bytes")
    }
    var at = 0
    while at < stream.count {
        let space = decoder.space()
        require(!space.isEmpty, "no space")
        let piece = stream[at..<min(stream.count, at + min(space.count, sizeAt(at)))]
        space.copyBytes(from: piece)
        decoder.received(piece.count)
        at += piece.count
        while let frame = decoder.next() { note(frame) }
        require(decoder.capacity <= largestCapacity, "the buffer has \(decoder.capacity) bytes, the limit is \(limit)")
    }
    while let frame = decoder.finish() { note(frame) }
    require(size <= stream.count, "more bytes came out than went in")
    out.framing = decoder.framing
    return out
}

/// A simple model of the newline framing: lines ending in CRLF or LF, trimmed, without empty lines.
private func lines(_ stream: [UInt8], limit: Int) -> [Found] {
    stream.split(separator: UInt8(ascii: "\n")).compactMap { line in
        let line = line.drop { isBlank($0) }
        if line.isEmpty { return nil }
        let size = line.last == UInt8(ascii: "\r") ? line.count - 1 : line.count
        let blanks = line.reversed().prefix { isBlank($0) }.count
        return size > limit ? .tooLong : .message(Array(line.dropLast(blanks)))
    }
}
