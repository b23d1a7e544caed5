import Catalog
import JSON
import System

/// Checks the GraphQL document of an operation and the variables that Larder sends with it. Mistakes that make every
/// request fail are faults; other mistakes are warnings.
struct GraphQLCheck {
    private let operation: DeclaredOperation
    private let scope: [String]

    init(_ operation: DeclaredOperation, scope: [String]) {
        self.operation = operation
        self.scope = scope
    }

    /// The words that messages use for the operation's GraphQL document. They distinguish the document of `sync` from
    /// the document of `list`.
    private var document: String {
        operation.kind == .sync && operation.own("query") != nil ? "'query' of 'sync'" : "'query'"
    }

    /// The kinds of requests in which an operation sends a GraphQL variable.
    private enum Sending {
        case always
        /// The variable is sent only in requests with the named filter.
        case with(filter: String)
        /// The variable is sent only in requests for pages after the first.
        case later
        /// The variable is sent only in requests for changes. The requests with which a sync reads the whole list do
        /// not contain the variable.
        case changes
    }

    func check(_ found: inout Findings) {
        guard let view = operation["query"], let text = view.string, text.contains("{") else { return }
        do throws(GraphQLFault) {
            // Offsets in the document are converted to offsets in the catalog, but only for the stored faults.
            var inner = Findings()
            check(try GraphQLParser.parse(text), in: view, &inner, &found)
            found.faults.add(inner.faults) { view.offsets(ofBytes: $0) }
            found.warnings.add(inner.warnings) { view.offsets(ofBytes: $0) }
        } catch {
            // If `sync` inherits the document, the check of `list` reports the fault.
            guard operation.own("query") != nil else { return }
            found.faults.add(
                { "'query' is not GraphQL: \(error.reason)" },
                at: view.offsets(ofBytes: [error.offset]).first ?? view.offset)
        }
    }

    /// Checks a parsed GraphQL document.
    ///
    /// - Parameters:
    ///   - inner: collects the messages about the GraphQL document.
    ///   - found: collects the messages about the rest of the catalog.
    private func check(
        _ document: GraphQLDocument, in view: JSONView, _ inner: inout Findings, _ found: inout Findings
    ) {
        if operation.own("query") != nil {
            checkNames(of: document, &inner)
            checkFragments(of: document, &inner)
            if document.operations.isEmpty {
                found.faults.add({ "'query' has no operation; add a query" }, at: view.offset)
            }
        }
        // The decoder already reports a document with several operations if no name selects one of them.
        guard let sent = document.operation(named: operation["operationName"]?.string) else { return }
        let names = sent.variables.map(\.name)
        checkChangeParameter(names, &found)
        guard operation.ownsDocument else { return }
        if sent.kind != "query" {
            inner.warnings.add({ "the operation is a \(sent.kind): Larder only reads; use a query" }, at: sent.offset)
        }
        checkVariables(of: sent, document, &inner)
        checkValues(names, &found)
    }

    private func checkNames(of document: GraphQLDocument, _ found: inout Findings) {
        if document.operations.count > 1, let nameless = document.operations.first(where: { $0.name == nil }) {
            found.faults.add(
                { "an operation without a name must be the only one in its document; name each operation" },
                at: nameless.offset)
        }
        let named = document.operations.compactMap { one in one.name.map { ("operation", $0, one.offset) } }
        let fragments = document.fragments.map { ("fragment", $0.name, $0.offset) }
        var seen: Set<String> = []
        for (what, name, offset) in named + fragments where !seen.insert("\(what) \(name)").inserted {
            found.faults.add({ "the \(what) '\(name)' is declared twice; remove one of them" }, at: offset)
        }
    }

    private func checkFragments(of document: GraphQLDocument, _ found: inout Findings) {
        let names = document.fragments.map(\.name)
        let known = Set(names)
        let uses = document.operations.map(\.uses) + document.fragments.map(\.uses)
        for use in uses.flatMap(\.fragments) where !known.contains(use.name) {
            found.faults.add({ "there is no fragment '\(use.name)'\(Self.hint(use.name, names))" }, at: use.offset)
        }
        if let circle = document.circle {
            found.faults.add({ "the fragment '\(circle.name)' spreads itself; remove this spread" }, at: circle.offset)
        }
        let used = document.fragmentsInUse
        for fragment in document.fragments where !used.contains(fragment.name) {
            found.warnings.add(
                {
                    "no operation uses the fragment '\(fragment.name)', and most APIs reject unused fragments; remove"
                        + " the fragment"
                }, at: fragment.offset)
        }
    }

    private func checkVariables(
        of sent: GraphQLDocument.Operation, _ document: GraphQLDocument, _ found: inout Findings
    ) {
        let names = sent.variables.map(\.name)
        let declared = Set(names)
        let uses = document.variables(usedBy: sent)
        let used = Set(uses.map(\.name))
        var reported: Set<String> = []
        for use in uses where !declared.contains(use.name) && reported.insert(use.name).inserted {
            found.faults.add(
                { "the variable '$\(use.name)' is not declared\(Self.hint(use.name, names, before: "$"))" },
                at: use.offset)
        }
        let values = sentVariables
        // With `merge`, the API chooses the names of further variables.
        let isMerged = operation["pagination"]?["next"]?["merge"] != nil
        for variable in sent.variables {
            if !used.contains(variable.name) {
                found.warnings.add(
                    {
                        "the variable '$\(variable.name)' is not used, and most APIs reject unused variables; remove"
                            + " the variable"
                    }, at: variable.offset)
            }
            check(variable, values[variable.name] ?? (isMerged ? .later : nil), among: values, &found)
        }
    }

    /// Checks that the operation's requests send the given variable of the GraphQL document.
    ///
    /// - Parameter values: all variables that the operation sends.
    private func check(
        _ variable: GraphQLDocument.Variable, _ sending: Sending?, among values: [String: Sending],
        _ found: inout Findings
    ) {
        let name = "'$\(variable.name)'"
        let offset = variable.offset
        switch sending {
        case .always: break
        case .with(let filter) where variable.isRequired:
            found.warnings.add(
                { "\(name) is required, but sent only with the filter '\(filter)'; remove the '!'" }, at: offset)
        case .later where variable.isRequired:
            found.faults.add(
                { "\(name) is required, but the first page is requested without a cursor; remove the '!'" },
                at: offset)
        case .changes where variable.isRequired:
            found.faults.add(
                {
                    "\(name) is required, but a request for the whole list does not send 'param' of 'sync'; remove the"
                        + " '!'"
                }, at: offset)
        case .with, .later, .changes: break
        case nil where variable.isRequired:
            found.faults.add(
                {
                    let hint = Self.hint(variable.name, values.keys.sorted(), before: "$")
                    return "\(name) is required, but the catalog gives it no value; remove the '!'\(hint)"
                }, at: offset)
        case nil where !variable.hasDefault:
            found.warnings.add(
                {
                    "the catalog gives \(name) no value; remove the variable, or declare a filter for it"
                }, at: offset)
        case nil: break
        }
    }

    /// Warns of variables that the operation sends but the GraphQL document does not declare.
    private func checkValues(_ names: [String], _ found: inout Findings) {
        guard let view = operation["query"] else { return }
        let declared = Set(names)
        switch operation.kind {
        case .get where !declared.contains("id"):
            found.warnings.add(
                { "'query' does not declare '$id': all ids get the same answer; add the variable" }, at: view.offset)
        case .getMany where !declared.contains("ids"):
            found.warnings.add(
                { "'query' does not declare '$ids': all ids get the same answer; add the variable" }, at: view.offset)
        default: break
        }
        for (filter, key) in sentFilters where !declared.contains(Self.root(filter.parameter)) {
            let name = Self.root(filter.parameter)
            found.warnings.add(
                {
                    "the filter '\(filter.name)' is sent as '$\(name)', which \(document) does not declare"
                        + Self.hint(name, names, before: "$")
                }, at: key.offset)
        }
        for parameter in [operation["pagination"]?["param"], operation["pagination"]?["size"]?["param"]] {
            guard let parameter, let name = parameter.string.map(Self.root), !declared.contains(name) else { continue }
            found.warnings.add(
                {
                    "\(document) does not declare '$\(name)': all pages get the same answer"
                        + Self.hint(name, names, before: "$")
                }, at: parameter.offset)
        }
    }

    /// Warns if the document does not declare the variable of a request for changes.
    private func checkChangeParameter(_ names: [String], _ found: inout Findings) {
        guard operation.kind == .sync, let view = operation.changeParameter, let text = view.string else { return }
        let name = Self.root(text)
        if names.contains(name) { return }
        found.warnings.add(
            {
                "'query' does not declare '$\(name)': a request for changes gets the whole list; add the variable"
                    + Self.hint(name, names, before: "$")
            }, at: view.offset)
    }

    /// The filters that the operation can send, each with the catalog key for messages about the filter. The operation
    /// `sync` sends only the filters that its declaration names.
    private var sentFilters: [(filter: ListedFilter, key: JSONView)] {
        guard operation.kind == .list || operation.kind == .sync else { return [] }
        return operation.filters.compactMap { filter in
            guard operation.kind == .sync else { return (filter, filter.key) }
            return operation.name(of: filter).map { (filter, $0) }
        }
    }

    /// For each GraphQL variable that the operation sends, the requests that contain the variable.
    private var sentVariables: [String: Sending] {
        var sent: [String: Sending] = [:]
        for name in scope { sent[name] = .always }
        switch operation.kind {
        case .get: sent["id"] = .always
        case .getMany: sent["ids"] = .always
        case .list, .sync:
            // If the document of `sync` is a copy of the document of `list`, it declares variables even for filters
            // that `sync` does not name.
            for filter in operation.filters {
                let name = Self.root(filter.parameter)
                if filter.isAlwaysSent {
                    sent[name] = .always
                } else if sent[name] == nil {
                    sent[name] = .with(filter: filter.name)
                }
            }
            let pagination = operation["pagination"]
            let isNumbered = pagination?["style"].map { $0.isString("page") || $0.isString("offset") } ?? false
            if let name = pagination?["param"]?.string { sent[Self.root(name)] = isNumbered ? .always : .later }
            if let name = pagination?["size"]?["param"]?.string { sent[Self.root(name)] = .always }
            if let name = operation.changeParameter?.string.map(Self.root) {
                switch sent[name] {
                case .always: break
                case .with where operation.kind == .list: break
                default: sent[name] = .changes
                }
            }
        }
        return sent
    }

    /// Returns the name of the GraphQL variable in a dotted name: `filter` for `filter.state`.
    private static func root(_ name: String) -> String { String(name.prefix { $0 != "." }) }

    private static func hint(_ name: String, _ known: [String], before mark: String = "") -> String {
        Spelling.nearest(to: name, in: known).map { "; did you mean '\(mark)\($0)'?" } ?? ""
    }
}
