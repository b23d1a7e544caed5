#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif
import DataSources

Heap.useOne()

StandardStreams.openClosed()
Signals.leaveErrorsToWrites()
Descriptors.raiseLimit()
// `_exit` and not `exit`: everything is flushed, and threads of libraries may still run.
_exit(Larder.run(Argument.ofProcess, environment: .process))
