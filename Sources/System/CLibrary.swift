import CSystem

// The C library, under whatever name this system has it: who imports this module need not ask.
#if canImport(Glibc)
    @_exported import Glibc
#else
    @_exported import Darwin
#endif

/// Where the process's memory comes from.
public enum Heap {
    /// Lets all threads share one heap; to be called before there are others. glibc would give each thread one of its
    /// own, and what one has freed the others do not use: with a thread for each core, for the file and for the
    /// network, the process would grow for hours, to twice what it needs.
    public static func useOne() { larder_use_one_heap() }
}

/// Calls of the C library, for who has methods of the same names.
package enum SystemCall {
    @discardableResult
    package static func close(_ descriptor: Int32) -> Int32 {
        #if canImport(Glibc)
            Glibc.close(descriptor)
        #else
            Darwin.close(descriptor)
        #endif
    }

    /// How many of the bytes were written; -1, with an `errno`, where none could be.
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int {
        #if canImport(Glibc)
            Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #else
            Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
    }

    /// Sends bytes over a socket. Returns the number of bytes that were sent; -1, with an `errno`, if there were none.
    package static func send(_ bytes: UnsafeRawBufferPointer, to socket: Int32, flags: Int32) -> Int {
        #if canImport(Glibc)
            Glibc.send(socket, bytes.baseAddress, bytes.count, flags)
        #else
            Darwin.send(socket, bytes.baseAddress, bytes.count, flags)
        #endif
    }
}
