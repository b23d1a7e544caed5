import DataSources
import RPCServer
import System

Heap.useOne()

StandardStreams.openClosed()
Signals.leaveErrorsToWrites()
Descriptors.raiseLimit()
// `_exit` and not `exit`: everything is flushed, and threads of libraries may still run.
_exit(Larder.run(Argument.ofProcess, environment: .process))
