import JSON
import TestSupport
import Testing

@testable import Protocol

@Suite("Params are read by name", .limited)
struct ParamsReaderTests {
    private static let number = Parameter("n", "an integer", "How many.", schema: .integer) { $0.integer }
    private static let optional = ParameterList(number.optional, isOpen: true)
    private static let required = ParameterList(number.required, isOpen: true)
    private static let two = ParameterList(
        Parameter("a", "a value", "", schema: .anything) { JSONValue($0) }.optional,
        Parameter("b", "a value", "", schema: .anything) { JSONValue($0) }.optional)

    @Test(arguments: [nil, "{}", #"{"n":null}"#, #"{"m":1}"#, #"{"n":1,"n":null}"#])
    func absentParameterIsNilIfOptionalAndAnErrorIfRequired(_ text: String?) throws {
        #expect(try params(text) { reader throws(RPCError) in try Self.optional.read(reader) } == nil)
        #expect(
            try refusal(of: text) { reader throws(RPCError) in try Self.required.read(reader) }
                == RPCError(.invalidParams, "'n' is missing; pass an integer"))
    }

    @Test func namesInCheckedParamsAreNotCheckedAgain() throws {
        let read = try params(#"{"a":1,"other":2}"#) { reader throws(RPCError) in
            try Self.two.read(ParamsReader(checked: reader.view))
        }
        #expect(read.0 == 1 && read.1 == nil)
    }

    @Test(arguments: [#"{"n":7}"#, #"{"m":1,"\u006e":7}"#, #"{"n":null,"n":7}"#, #"{"n":"x","n":7}"#])
    func givenParameterIsRead(_ text: String) throws {
        #expect(try params(text) { reader throws(RPCError) in try Self.optional.read(reader) } == 7)
        #expect(try params(text) { reader throws(RPCError) in try Self.required.read(reader) } == 7)
    }

    @Test(arguments: [#"{"n":"7"}"#, #"{"n":7.5}"#, #"{"n":[]}"#, #"{"n":{}}"#, #"{"n":true}"#])
    func parameterOfAWrongTypeIsRefused(_ text: String) throws {
        let expected = RPCError(.invalidParams, "'n' must be an integer")
        #expect(try refusal(of: text) { reader throws(RPCError) in try Self.optional.read(reader) } == expected)
        #expect(try refusal(of: text) { reader throws(RPCError) in try Self.required.read(reader) } == expected)
    }

    @Test(arguments: ["[]", "[1]", "1", "\"x\"", "true", "false"])
    func paramsMustBeAnObject(_ text: String) throws {
        #expect(
            try refusal(of: text) { reader throws(RPCError) in reader }
                == RPCError(.invalidParams, "'params' must be an object with named members"))
    }

    @Test(arguments: [nil, "{}", #"{"a":1}"#, #"{"b":null,"a":2}"#, #"{"workDoneToken":1}"#, #"{"\u0061":1}"#])
    func declaredParameterNamesAreAccepted(_ text: String?) throws {
        #expect(try refusal(of: text) { reader throws(RPCError) in try Self.two.read(reader) } == nil)
    }

    @Test(arguments: [
        (#"{"c":1}"#, "unknown parameter 'c': this method takes 'a', 'b'"),
        (#"{"a":1,"C":null}"#, "unknown parameter 'C': this method takes 'a', 'b'"),
        (#"{"":1}"#, "unknown parameter '': this method takes 'a', 'b'"),
    ])
    func unknownParameterNamesAreRefused(_ text: String, _ message: String) throws {
        #expect(
            try refusal(of: text) { reader throws(RPCError) in try Self.two.read(reader) }
                == RPCError(.invalidParams, message))
    }
}
