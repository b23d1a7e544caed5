/// A zip archive in memory (PKWARE APPNOTE 6.3). The archive stores files without compression, with the fixed date
/// 1980-01-01, so that equal files make equal archives.
struct ZipArchive {
    /// The Unix permissions of a file, as in `stat`.
    enum Mode: UInt32 {
        case regular = 0o100644
        case executable = 0o100755
    }

    private var bytes: [UInt8] = []
    private var directory: [UInt8] = []
    private var count: UInt16 = 0

    /// Adds a file to the archive.
    ///
    /// - Parameters:
    ///   - name: the path in the archive, in UTF-8 with `/` between folders.
    ///   - contents: at most 4 GiB.
    mutating func add(_ name: String, _ contents: [UInt8], mode: Mode = .regular) {
        let offset = UInt32(bytes.count)
        let fields = Self.fields(of: name, contents)
        bytes.append(UInt32(0x0403_4B50))
        bytes += fields
        bytes.append(UInt16(0))  // No extra field.
        bytes += name.utf8
        bytes += contents
        directory.append(UInt32(0x0201_4B50))
        directory.append(UInt16(3 << 8 | 20))  // Made on Unix, version 2.0: the permissions are valid.
        directory += fields
        directory.append(UInt16(0))  // No extra field.
        directory.append(UInt16(0))  // No comment.
        directory.append(UInt16(0))  // The number of the disk.
        directory.append(UInt16(0))  // Internal attributes.
        directory.append(mode.rawValue << 16)
        directory.append(offset)
        directory += name.utf8
        count += 1
    }

    /// Returns the bytes of the complete archive.
    func finish() -> [UInt8] {
        var end: [UInt8] = []
        end.append(UInt32(0x0605_4B50))
        end.append(UInt32(0))  // The numbers of the disks.
        end.append(count)
        end.append(count)
        end.append(UInt32(directory.count))
        end.append(UInt32(bytes.count))
        end.append(UInt16(0))  // No comment.
        return bytes + directory + end
    }

    /// Returns the fields that a file's local header and its entry in the central directory have in common.
    private static func fields(of name: String, _ contents: [UInt8]) -> [UInt8] {
        var fields: [UInt8] = []
        fields.append(UInt16(20))  // Needs version 2.0 to extract.
        fields.append(UInt16(1 << 11))  // The name is UTF-8.
        fields.append(UInt16(0))  // Stored.
        fields.append(UInt16(0))  // 00:00:00.
        fields.append(UInt16(1 << 5 | 1))  // 1980-01-01.
        fields.append(checksum(contents))
        fields.append(UInt32(contents.count))
        fields.append(UInt32(contents.count))
        fields.append(UInt16(name.utf8.count))
        return fields
    }

    /// Returns the CRC-32 checksum (ISO 3309) of the bytes.
    static func checksum(_ contents: [UInt8]) -> UInt32 {
        let table: [UInt32] = (0..<256).map { index in
            var value = UInt32(index)
            for _ in 0..<8 {
                let half: UInt32 = value >> 1
                value = value & 1 == 1 ? half ^ 0xEDB8_8320 : half
            }
            return value
        }
        return table.withUnsafeBufferPointer { table in
            contents.withUnsafeBufferPointer { contents in
                var value = UInt32.max
                for byte in contents {
                    let index = Int(UInt8(truncatingIfNeeded: value) ^ byte)
                    value = table[index] ^ (value >> 8)
                }
                return ~value
            }
        }
    }
}

extension [UInt8] {
    /// Appends an integer in little-endian order.
    fileprivate mutating func append<Value: FixedWidthInteger>(_ value: Value) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }
}
