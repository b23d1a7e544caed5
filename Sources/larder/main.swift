import DataSources
import RPCServer
import System

Heap.useOne()

StandardStreams.openClosed()
Signals.leaveErrorsToWrites()
Descriptors.raiseLimit()
// `_exit` rather than `exit`, because the output is already written and threads of libraries may still run.
_exit(Larder.run(Argument.ofProcess, environment: .process))
