// The C library, under whatever name this system has it: who imports this module need not ask.
#if canImport(Glibc)
    @_exported import Glibc
#else
    @_exported import Darwin
#endif
