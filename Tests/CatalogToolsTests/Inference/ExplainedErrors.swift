import DataSources
import HTTP
import Model

/// The message of a transport's error, as the command line passes it to the inference.
let explained: @Sendable (HTTPError, Redactor) -> String = { HTTPErrorMapper(redactor: $1).map($0).message }
