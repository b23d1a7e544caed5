import JSON

/// The members of a JSON object, each declared once: its name, its schema, and how its value is read from a subject.
public struct ObjectTable<Subject>: Sendable {
    private let rows: [Row]

    public init(_ rows: [Row]) { self.rows = rows }

    public var schema: JSONSchema { .object(rows.map(\.member)) }

    /// The object for a subject, with the members in the order of the rows.
    public func json(_ subject: Subject) -> JSONValue {
        .object(JSONObject(rows.compactMap { row in row.value(subject).map { (row.member.name, $0) } }))
    }

    /// A member with the function that reads its value from a subject.
    public struct Row: Sendable {
        let member: JSONSchema.Member
        /// Returns nil if an optional member is absent.
        let value: @Sendable (Subject) -> JSONValue?

        public static func value(
            _ name: String, _ schema: JSONSchema, _ value: @escaping @Sendable (Subject) -> JSONValue
        ) -> Row {
            Row(member: .required(name, schema), value: value)
        }

        /// An integer from 0.
        public static func count(_ name: String, _ value: @escaping @Sendable (Subject) -> Int) -> Row {
            .value(name, .count) { .integer(value($0)) }
        }

        public static func text(_ name: String, _ value: @escaping @Sendable (Subject) -> String) -> Row {
            .value(name, .string) { .string(value($0)) }
        }

        /// A text, or null.
        public static func optionalText(_ name: String, _ value: @escaping @Sendable (Subject) -> String?) -> Row {
            .value(name, .string.orNull) { value($0).map { .string($0) } ?? .null }
        }

        /// The raw value of a case.
        public static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
            _ name: String, _ value: @escaping @Sendable (Subject) -> Choice
        ) -> Row {
            .value(name, .one(of: Choice.allCases.map(\.rawValue))) { .string(value($0).rawValue) }
        }

        /// An object with a table of its own.
        public static func object<Part>(
            _ name: String, _ table: ObjectTable<Part>, _ part: @escaping @Sendable (Subject) -> Part
        ) -> Row {
            .value(name, table.schema) { table.json(part($0)) }
        }

        /// An object that may be absent, with a table of its own.
        public static func optionalObject<Part>(
            _ name: String, _ table: ObjectTable<Part>, _ part: @escaping @Sendable (Subject) -> Part?
        ) -> Row {
            Row(member: .optional(name, table.schema)) { part($0).map(table.json) }
        }
    }
}
