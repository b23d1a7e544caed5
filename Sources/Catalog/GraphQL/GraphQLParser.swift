/// Parses an executable GraphQL document (October 2021, section 2.2).
package struct GraphQLParser {
    /// The maximum nesting depth of selections, values and types. The limit bounds the use of the stack, because the
    /// parser is recursive.
    private static let maxDepth = 200

    private var scanner: GraphQLScanner
    private var token: GraphQLScanner.Token
    private var depth = 0

    /// Parses a document.
    ///
    /// - Throws: `GraphQLFault` at the first syntax error.
    package static func parse(_ text: String) throws(GraphQLFault) -> GraphQLDocument {
        var scanner = GraphQLScanner(text)
        var parser = GraphQLParser(token: try scanner.next(), scanner: scanner)
        return try parser.document()
    }

    private init(token: GraphQLScanner.Token, scanner: GraphQLScanner) {
        self.token = token
        self.scanner = scanner
    }

    private mutating func document() throws(GraphQLFault) -> GraphQLDocument {
        var document = GraphQLDocument()
        repeat {
            switch token.kind {
            case .punctuator("{"):
                var operation = GraphQLDocument.Operation(kind: "query", name: nil, offset: token.offset)
                try selections(&operation.uses)
                document.operations.append(operation)
            case .name("fragment"): document.fragments.append(try fragment())
            case .name(let kind) where ["query", "mutation", "subscription"].contains(kind):
                document.operations.append(try operation(kind))
            case .name(let word):
                throw GraphQLFault("expected an operation or a fragment, found '\(word)'", at: token.offset)
            default: throw unexpected("an operation or a fragment")
            }
        } while token.kind != .end
        return document
    }

    private mutating func operation(_ kind: String) throws(GraphQLFault) -> GraphQLDocument.Operation {
        let offset = token.offset
        try advance()
        var name: String?
        if case .name(let given) = token.kind {
            name = given
            try advance()
        }
        var operation = GraphQLDocument.Operation(kind: kind, name: name, offset: offset)
        if token.kind == .punctuator("(") {
            try advance()
            repeat { operation.variables.append(try variable(&operation.uses)) } while token.kind != .punctuator(")")
            try advance()
        }
        try directives(&operation.uses)
        try selections(&operation.uses)
        return operation
    }

    private mutating func variable(
        _ uses: inout GraphQLDocument.Uses
    ) throws(GraphQLFault) -> GraphQLDocument.Variable {
        let offset = token.offset
        try take("$")
        let name = try self.name("the name of a variable")
        try take(":")
        let type = try self.type()
        var hasDefault = false
        if token.kind == .punctuator("=") {
            try advance()
            var none = GraphQLDocument.Uses()
            try value(&none)
            if let used = none.variables.first {
                throw GraphQLFault(
                    "the default value of a variable must not contain a variable; use a constant", at: used.offset)
            }
            hasDefault = true
        }
        try directives(&uses)
        return GraphQLDocument.Variable(name: name, offset: offset, type: type, hasDefault: hasDefault)
    }

    private mutating func type() throws(GraphQLFault) -> String {
        try enter()
        defer { depth -= 1 }
        var text: String
        if token.kind == .punctuator("[") {
            try advance()
            text = "[\(try type())]"
            try take("]")
        } else {
            text = try name("a type")
        }
        if token.kind == .punctuator("!") {
            try advance()
            text += "!"
        }
        return text
    }

    private mutating func fragment() throws(GraphQLFault) -> GraphQLDocument.Fragment {
        try advance()
        let offset = token.offset
        let name = try self.name("the name of a fragment")
        if name == "on" { throw GraphQLFault("a fragment cannot have the name 'on'; rename the fragment", at: offset) }
        guard token.kind == .name("on") else { throw unexpected("'on'") }
        try advance()
        _ = try self.name("a type")
        var fragment = GraphQLDocument.Fragment(name: name, offset: offset)
        try directives(&fragment.uses)
        try selections(&fragment.uses)
        return fragment
    }

    private mutating func selections(_ uses: inout GraphQLDocument.Uses) throws(GraphQLFault) {
        try enter()
        defer { depth -= 1 }
        try take("{")
        repeat { try selection(&uses) } while token.kind != .punctuator("}")
        try advance()
    }

    private mutating func selection(_ uses: inout GraphQLDocument.Uses) throws(GraphQLFault) {
        if token.kind == .punctuator("...") {
            try advance()
            if case .name(let name) = token.kind, name != "on" {
                uses.fragments.append(GraphQLDocument.Name(name: name, offset: token.offset))
                try advance()
                return try directives(&uses)
            }
            if token.kind == .name("on") {
                try advance()
                _ = try name("a type")
            }
            try directives(&uses)
            return try selections(&uses)
        }
        _ = try name("a field")
        if token.kind == .punctuator(":") {
            try advance()
            _ = try name("a field")
        }
        try arguments(&uses)
        try directives(&uses)
        if token.kind == .punctuator("{") { try selections(&uses) }
    }

    private mutating func arguments(_ uses: inout GraphQLDocument.Uses) throws(GraphQLFault) {
        guard token.kind == .punctuator("(") else { return }
        try advance()
        repeat {
            _ = try name("an argument")
            try take(":")
            try value(&uses)
        } while token.kind != .punctuator(")")
        try advance()
    }

    private mutating func directives(_ uses: inout GraphQLDocument.Uses) throws(GraphQLFault) {
        while token.kind == .punctuator("@") {
            try advance()
            _ = try name("a directive")
            try arguments(&uses)
        }
    }

    private mutating func value(_ uses: inout GraphQLDocument.Uses) throws(GraphQLFault) {
        try enter()
        defer { depth -= 1 }
        switch token.kind {
        case .number, .text, .name: try advance()
        case .punctuator("$"):
            let offset = token.offset
            try advance()
            uses.variables.append(GraphQLDocument.Name(name: try name("the name of a variable"), offset: offset))
        case .punctuator("["):
            try advance()
            while token.kind != .punctuator("]") { try value(&uses) }
            try advance()
        case .punctuator("{"):
            try advance()
            while token.kind != .punctuator("}") {
                _ = try name("a field")
                try take(":")
                try value(&uses)
            }
            try advance()
        default: throw unexpected("a value")
        }
    }

    private mutating func name(_ expected: String) throws(GraphQLFault) -> String {
        guard case .name(let name) = token.kind else { throw unexpected(expected) }
        try advance()
        return name
    }

    private mutating func take(_ punctuator: String) throws(GraphQLFault) {
        guard token.kind == .punctuator(punctuator) else { throw unexpected("'\(punctuator)'") }
        try advance()
    }

    private mutating func advance() throws(GraphQLFault) { token = try scanner.next() }

    private mutating func enter() throws(GraphQLFault) {
        depth += 1
        if depth > Self.maxDepth {
            throw GraphQLFault(
                "the GraphQL document is nested too deeply; use at most \(Self.maxDepth) levels", at: token.offset)
        }
    }

    private func unexpected(_ expected: String) -> GraphQLFault {
        GraphQLFault("expected \(expected), found \(token.kind.shown)", at: token.offset)
    }
}
