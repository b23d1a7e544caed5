import TestSupport
import Testing

@testable import Protocol

/// A copy of a frame, which stays valid after the next call of the decoder.
enum Found: Equatable, Sendable {
    case message(String)
    case tooLong
    case malformed(String)

    init(_ frame: Frame) {
        switch frame {
        case .message(let bytes): self = .message(String(decoding: bytes, as: UTF8.self))
        case .tooLong: self = .tooLong
        case .malformed(let reason): self = .malformed(reason)
        }
    }
}

/// The sizes of the pieces in which a stream arrives.
enum Feed: Sendable, CustomTestStringConvertible, CaseIterable {
    case whole, byteByByte, random(seed: UInt64)

    static let allCases: [Feed] = [.whole, .byteByByte] + (1...6).map { .random(seed: $0) }

    var testDescription: String {
        switch self {
        case .whole: "whole"
        case .byteByByte: "byte by byte"
        case .random(let seed): "random pieces, seed \(seed)"
        }
    }

    /// Splits a stream into pieces.
    func pieces(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var generator = SeededGenerator(seed: seed)
        var rest = bytes[...]
        while !rest.isEmpty {
            let size =
                switch self {
                case .whole: rest.count
                case .byteByByte: 1
                case .random: Int.random(in: 1...Int.random(in: 1...40, using: &generator), using: &generator)
                }
            pieces.append(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        return pieces
    }

    private var seed: UInt64 { if case .random(let seed) = self { seed } else { 0 } }

    /// Returns all frames that a decoder finds on a stream, up to the stream's end.
    func decode(_ bytes: [UInt8], limit: Int) -> (found: [Found], framing: Framing?) {
        let decoder = MessageDecoder(limit: limit, capacity: 64)
        var found: [Found] = []
        for piece in pieces(of: bytes) {
            decoder.feed(piece) { found.append(Found($0)) }
        }
        // A decoder that returns more than one frame for each byte would never end.
        for _ in 0...bytes.count {
            guard let frame = decoder.finish() else { return (found, decoder.framing) }
            found.append(Found(frame))
        }
        Issue.record("the decoder does not end")
        return (found, decoder.framing)
    }
}

extension MessageDecoder {
    /// Feeds bytes to a decoder as a reader does: as many bytes as fit. Then takes out the complete frames.
    func feed(_ bytes: some Collection<UInt8>, _ handle: (Frame) -> Void) {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let space = space()
            #expect(space.count > 0)
            let piece = rest.prefix(space.count)
            piece.withUnsafeBytes { space.copyMemory(from: $0) }
            received(piece.count)
            rest = rest.dropFirst(piece.count)
            while let frame = next() { handle(frame) }
        }
    }
}
