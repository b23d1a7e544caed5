import System

/// Functions that open and close files by descriptor.
enum Descriptors {
    static func openForWriting(_ path: String) -> Int32? {
        let descriptor = open(path, O_WRONLY)
        return descriptor >= 0 ? descriptor : nil
    }

    static func close(_ descriptor: Int32) {
        #if canImport(Glibc)
            _ = Glibc.close(descriptor)
        #else
            _ = Darwin.close(descriptor)
        #endif
    }
}
