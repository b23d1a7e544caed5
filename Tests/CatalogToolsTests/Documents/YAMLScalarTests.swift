import TestSupport
import Testing

@testable import CatalogTools

@Suite(.limited) struct YAMLScalarTests {
    @Test(
        arguments: [
            ("", YAMLScalar.null), ("~", .null), ("null", .null), ("Null", .null), ("NULL", .null), ("nULL", .string),
            ("true", .bool(true)), ("True", .bool(true)), ("TRUE", .bool(true)), ("tRUE", .string),
            ("false", .bool(false)), ("False", .bool(false)), ("FALSE", .bool(false)), ("0", .number("0")),
            ("-19", .number("-19")), ("+12", .number("12")), ("-0", .number("-0")), ("007", .number("7")),
            ("00", .number("0")), ("0o7", .number("7")), ("0o14", .number("12")), ("0o8", .string), ("0o", .string),
            ("0x3A", .number("58")), ("0xffffffffffffffff", .number("18446744073709551615")), ("0x", .string),
            ("0x-1", .string), ("0x+1", .string), ("0xde0b295669a9fd93d5f28d9ec85e40f4cb697bae", .string),
            ("-0x1", .string), ("0b1", .string), ("0.", .number("0.0")), ("-0.0", .number("-0.0")),
            (".5", .number("0.5")), ("-.5", .number("-0.5")), ("+12e03", .number("12e03")),
            ("-2E+05", .number("-2e05")), ("1e-7", .number("1e-7")), ("1.e5", .number("1.0e5")),
            ("1.50", .number("1.50")),
            ("12345678901234567890123", .number("12345678901234567890123")), (".", .string), ("-", .string),
            ("+", .string), (".e5", .string), ("1e", .string), ("1e+", .string), ("1.2.3", .string), ("1_000", .string),
            ("1,000", .string), (".inf", .string), ("-.INF", .string), (".nan", .string),
        ])
    func plainYAMLScalarsFollowTheCoreSchema(text: String, value: YAMLScalar) {
        #expect(YAMLScalar(Array(text.utf8), isPlain: true) == value)
    }

    @Test(
        arguments: [
            "yes", "Yes", "no", "NO", "on", "off", "OFF", "y", "n", "=", "<<", "2026-01-31", "2026-01-31T09:05:00Z",
            "2026-01-31 9:05:00", "12:30", "190:20:30", "24:00:00",
        ])
    func booleanWordsOfYAML11AreStrings(text: String) {
        #expect(YAMLScalar(Array(text.utf8), isPlain: true) == .string)
    }

    @Test(arguments: ["", "null", "true", "1", "0x1"])
    func quotedYAMLScalarsAreStrings(text: String) {
        #expect(YAMLScalar(Array(text.utf8), isPlain: false) == .string)
    }

    @Test(
        arguments: [
            ("1", "tag:yaml.org,2002:str", YAMLScalar.string), ("1", "!", .string), ("1", "!mine", .string),
            ("1", "tag:yaml.org,2002:timestamp", .string), ("1", "tag:yaml.org,2002:int", .number("1")),
            ("1.5", "tag:yaml.org,2002:float", .number("1.5")), ("-.inf", "tag:yaml.org,2002:float", .string),
            (".NaN", "tag:yaml.org,2002:float", .string), ("true", "tag:yaml.org,2002:bool", .bool(true)),
            ("", "tag:yaml.org,2002:null", .null), ("x", "tag:yaml.org,2002:int", nil),
            ("no", "tag:yaml.org,2002:bool", nil), ("x", "tag:yaml.org,2002:null", nil),
            ("inf", "tag:yaml.org,2002:float", nil),
        ])
    func yamlTagSelectsTheTypeOfAValue(text: String, tag: String, value: YAMLScalar?) {
        #expect(YAMLScalar(Array(text.utf8), isPlain: false, tag: tag) == value)
    }
}
