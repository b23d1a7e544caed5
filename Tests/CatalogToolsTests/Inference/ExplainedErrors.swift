import DataSources
import HTTP
import Model

/// Returns the message of a transport error, as the command line passes it to the inference.
let explained: @Sendable (HTTPError, Redactor) -> String = { HTTPErrorMapper(redactor: $1).map($0).message }
