import JSON
import Protocol
import RPCServer
import System

/// A parsed command line of `larder sql`.
struct SQLRequest: Equatable, Sendable {
    private static let usage = "larder sql QUERY [VALUE | NAME=VALUE]..."

    /// The error for a command line without a query if there is no terminal for a prompt.
    static let missingQuery = UsageError(
        message: "'larder sql' needs a query: \(Self.usage); '-' reads the query from stdin")

    /// Whether a prompt asks for statements, because the command line has none.
    let isPrompt: Bool
    /// The statement; nil to read it from stdin or from a prompt.
    let statement: String?
    /// The values of the statement's parameters, as an array or an object; nil for none.
    let params: JSONValue?

    /// Parses the positional arguments.
    ///
    /// - Parameter words: all positional arguments, including the command's name.
    /// - Throws: `UsageError` if only some of the values have a name.
    init(_ words: [String]) throws(UsageError) {
        isPrompt = words.count < 2
        guard words.count > 1 else {
            (statement, params) = (nil, nil)
            return
        }
        let text = words[1]
        if words.count > 2, text != "-", text.utf8.allSatisfy({ (0x61...0x7A).contains($0 | 0x20) }) {
            throw UsageError(message: "the query must be one argument; put it in quotes: larder sql '\(text) ...'")
        }
        statement = text == "-" ? nil : text
        params = try Self.params(Array(words.dropFirst(2)))
    }

    /// - Parameter params: the values of the statement's parameters, as an array or an object; nil for none.
    init(_ statement: String, params: JSONValue? = nil) {
        (self.statement, self.params, isPrompt) = (statement, params, false)
    }

    /// Converts arguments to an array of values, or to an object if they have names.
    private static func params(_ words: [String]) throws(UsageError) -> JSONValue? {
        if words.isEmpty { return nil }
        var object = JSONObject()
        var values: [JSONValue] = []
        for word in words {
            guard let (name, value) = named(word) else {
                values.append(CallArguments.value(word))
                continue
            }
            guard object[name] == nil else { throw UsageError(message: "'\(name)' is given twice; pass it once") }
            object[name] = CallArguments.value(value)
        }
        if object.members.isEmpty { return .array(values) }
        guard values.isEmpty else {
            throw UsageError(
                message:
                    "the values of a query have either names or none; write a value that contains '=' in double quotes, "
                    + "as in '\"a=b\"'")
        }
        return .object(object)
    }

    /// Splits an argument such as `state=open`. Returns nil if the text before `=` is not a name of letters, digits and
    /// `_`.
    private static func named(_ word: String) -> (name: String, value: String)? {
        guard let place = word.firstIndex(of: "="), place > word.startIndex else { return nil }
        let name = word[..<place]
        let isName = name.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: "_")
        }
        guard isName, name.utf8.first.map({ $0 > 0x39 }) == true else { return nil }
        return (String(name), String(word[word.index(after: place)...]))
    }

    /// Returns the statement, from the command line or from stdin.
    ///
    /// - Throws: `SQLFailure` if stdin cannot be read.
    func text() throws(SQLFailure) -> String {
        if let statement { return statement }
        do throws(FileError) {
            let bytes = try InputFile.readStandardInput(atMost: QueryParams.maxLength)
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw FileError(message: "the query on stdin is not UTF-8")
            }
            return text
        } catch {
            throw SQLFailure(error.message)
        }
    }
}

/// The options of `larder sql`.
struct SQLOptions: Equatable, Sendable {
    /// The maximum number of rows (`--max-rows`); nil for the default, which depends on the format.
    var maxRows: Int?
    /// The maximum time that the statement may run, in milliseconds (`--timeout`); nil for the default of
    /// `cache/query`.
    var timeout: Milliseconds?
    /// The data that the tables must contain (`--coverage`); nil for the default of `cache/query`.
    var coverage: QueryParams.Coverage?
    /// The maximum age of the local copies in milliseconds (`--sync`). Older copies are updated before the statement
    /// runs; nil to update none.
    var maxAge: Milliseconds?
    /// The SQLite file to which the rows are written (`--into`); nil to print the rows.
    var into: FilePath?
    /// The name of the new table in the SQLite file (`--into-table`); nil for the default name.
    var intoTable: String?

    /// Returns the maximum number of rows. A table on a terminal has fewer rows by default.
    func maxRows(in format: OutputFormat) -> Int {
        maxRows ?? (format.isForPeople && into == nil ? QueryParams.defaultMaxRows : QueryParams.largestMaxRows)
    }

    /// Adds the options to the params of `cache/query`.
    func add(to params: inout JSONObject) {
        params["timeout"] = timeout.map { .number("\(Double($0) / 1000)") }
        params["coverage"] = coverage.map { .string($0.rawValue) }
    }
}
