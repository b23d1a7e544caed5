import JSON

/// Converts Swift values to JSON objects. The table declares each member of the object: its name, its schema, and a
/// function that returns its value.
public struct ObjectTable<Subject>: Sendable {
    private let rows: [Row]

    public init(_ rows: [Row]) { self.rows = rows }

    public var schema: JSONSchema { .object(rows.map(\.member)) }

    /// Converts a Swift value to a JSON object, with the members in their declared order.
    public func json(_ subject: Subject) -> JSONValue {
        .object(JSONObject(rows.compactMap { row in row.value(subject).map { (row.member.name, $0) } }))
    }

    /// One member of the JSON object, and the function that returns its value.
    public struct Row: Sendable {
        let member: JSONSchema.Member
        /// Returns the member's value for a Swift value; nil if an optional member is absent.
        let value: @Sendable (Subject) -> JSONValue?

        public static func value(
            _ name: String, _ schema: JSONSchema, _ value: @escaping @Sendable (Subject) -> JSONValue
        ) -> Row {
            Row(member: .required(name, schema), value: value)
        }

        /// Declares a member whose value is an integer of at least 0.
        public static func count(_ name: String, _ value: @escaping @Sendable (Subject) -> Int) -> Row {
            .value(name, .count) { .integer(value($0)) }
        }

        public static func text(_ name: String, _ value: @escaping @Sendable (Subject) -> String) -> Row {
            .value(name, .string) { .string(value($0)) }
        }

        /// Declares a member whose value is a string or null.
        public static func optionalText(_ name: String, _ value: @escaping @Sendable (Subject) -> String?) -> Row {
            .value(name, .string.orNull) { value($0).map { .string($0) } ?? .null }
        }

        /// Declares a required member. Its value is a string: the raw value of an enum case.
        public static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
            _ name: String, _ value: @escaping @Sendable (Subject) -> Choice
        ) -> Row {
            .value(name, .one(of: Choice.allCases.map(\.rawValue))) { .string(value($0).rawValue) }
        }

        /// Declares a member whose value is an object. `table` declares the members of that object.
        public static func object<Part>(
            _ name: String, _ table: ObjectTable<Part>, _ part: @escaping @Sendable (Subject) -> Part
        ) -> Row {
            .value(name, table.schema) { table.json(part($0)) }
        }

        /// Declares an optional member whose value is an object. `table` declares the members of that object.
        public static func optionalObject<Part>(
            _ name: String, _ table: ObjectTable<Part>, _ part: @escaping @Sendable (Subject) -> Part?
        ) -> Row {
            Row(member: .optional(name, table.schema)) { part($0).map(table.json) }
        }
    }
}
