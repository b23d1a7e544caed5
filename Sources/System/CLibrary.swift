import CSystem

// Re-exports the C library, so that other files need not know the library's name on each operating system.
#if canImport(Glibc)
    @_exported import Glibc
#else
    @_exported import Darwin
#endif

/// Settings for the heap of the process.
public enum Heap {
    /// Makes all threads share one heap. Must be called before the process starts other threads.
    // By default, glibc gives each thread its own heap. One heap does not reuse memory that was freed in another heap.
    // Larder has a thread for each core, for the cache file and for the network. With separate heaps, its memory would
    // grow for hours to twice the necessary size.
    public static func useOne() { larder_use_one_heap() }
}

/// C functions such as `close`, for Swift types that have methods with the same names.
package enum SystemCall {
    @discardableResult
    package static func close(_ descriptor: Int32) -> Int32 {
        #if canImport(Glibc)
            Glibc.close(descriptor)
        #else
            Darwin.close(descriptor)
        #endif
    }

    /// Writes bytes to a descriptor. Returns the number of written bytes. Returns -1 and sets `errno` if the call
    /// failed.
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int {
        #if canImport(Glibc)
            Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #else
            Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
    }

    /// Sends bytes over a socket. Returns the number of sent bytes. Returns -1 and sets `errno` if the call failed.
    package static func send(_ bytes: UnsafeRawBufferPointer, to socket: Int32, flags: Int32) -> Int {
        #if canImport(Glibc)
            Glibc.send(socket, bytes.baseAddress, bytes.count, flags)
        #else
            Darwin.send(socket, bytes.baseAddress, bytes.count, flags)
        #endif
    }
}
