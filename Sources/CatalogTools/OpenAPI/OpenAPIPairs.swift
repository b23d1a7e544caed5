import JSON

/// The operations of a resource: one for a collection, one for a single item, or both.
struct OpenAPIPair {
    var list: OpenAPIOperation?
    var get: OpenAPIOperation?
    var isDeprecated: Bool { (get ?? list)?.view["deprecated"]?.bool == true }
    /// The rank of the resource: resources with a lower rank get their names first. A resource that has operations for
    /// both the collection and a single item ranks before a resource with only one of them. Deprecated resources rank
    /// last.
    var rank: Int { (list != nil && get != nil ? 0 : get != nil ? 1 : 2) + (isDeprecated ? 3 : 0) }
    var path: OpenAPIPath? { (list ?? get)?.path }
    /// The words in the path that name the resource, the last word first.
    var words: [String] { (list ?? get)?.words ?? [] }
}

/// Groups the operations of a document by resource. A resource has an operation for a collection, an operation for a
/// single item, or both.
struct OpenAPIPairs {
    let listings: OpenAPIListings
    private let operations: [OpenAPIOperation]
    private let left: [OpenAPIResources.LeftPath]
    private var unreadCount = 0
    private let answers: OpenAPIAnswers

    init(_ document: OpenAPIDocument, schemas: OpenAPISchemas, answers: OpenAPIAnswers) {
        var (operations, left) = ([OpenAPIOperation](), [OpenAPIResources.LeftPath]())
        for member in document.root["paths"]?.members.map({ $0 }) ?? [] {
            let text = member.key.string ?? ""
            func leave(_ reason: String) { left.append(OpenAPIResources.LeftPath(path: text, reason: reason)) }
            guard let item = document.resolve(member.value) else {
                leave("left out; \(document.reason(member.value))")
                unreadCount += 1
                continue
            }
            guard let declared = item["get"], declared.kind == .object else {
                if let post = OpenAPIPostList(text, item, document: document, schemas: schemas) {
                    operations.append(post.operation)
                }
                continue
            }
            guard let get = document.resolve(declared), get.kind == .object else {
                leave("left out; \(document.reason(declared))")
                unreadCount += 1
                continue
            }
            guard let path = OpenAPIPath(text) else {
                leave("a catalog cannot express this path")
                continue
            }
            let operation = OpenAPIOperation(path: path, item: item, view: get, document: document)
            if operation.hasNoContent {
                leave("the answer has no content")
            } else {
                operations.append(operation)
            }
        }
        (self.operations, self.left, self.answers) = (operations, left, answers)
        listings = OpenAPIListings(document: document, schemas: schemas, answers: answers, operations)
    }

    /// Returns the operations of each resource, in the order of the document. Records in `drafts` which paths belong to
    /// no resource.
    func pairs(_ drafts: inout OpenAPIResources.Drafts) -> [OpenAPIPair] {
        drafts.left += left
        drafts.unreadCount += unreadCount
        var lists: [String: Int] = [:]
        for (index, operation) in operations.enumerated()
        where !operation.isPost && (operation.path.segments.last?.parameter == nil || isList(operation)) {
            lists[operation.path.pattern] = index
        }
        let posts = addPosts(to: &lists, &drafts)
        var pairs: [(at: Int, pair: OpenAPIPair)] = []
        var used: Set<Int> = []
        for (index, operation) in operations.enumerated() {
            guard let collection = operation.path.collection, !isList(operation) else { continue }
            guard let list = lists[collection], used.insert(list).inserted else {
                pairs.append((index, OpenAPIPair(get: operation)))
                continue
            }
            pairs.append((min(index, list), OpenAPIPair(list: operations[list], get: operation)))
        }
        for (index, operation) in operations.enumerated() where !used.contains(index) {
            if operation.isPost ? posts.contains(index) : operation.path.collection == nil || isList(operation) {
                pairs.append((index, OpenAPIPair(list: operation)))
            }
        }
        return pairs.sorted { $0.at < $1.at }.map(\.pair)
    }

    /// Finds the `post` operations that list items, and returns their indexes in `operations`. Leaves out a `post` if
    /// another operation already lists its items. Also leaves out a `post` without pagination if no `get` fetches one
    /// of its items.
    ///
    /// - Parameter lists: the indexes of the list operations, by the path pattern of the collection. The function adds
    ///   each `post` for which a `get` fetches one of its items.
    private func addPosts(to lists: inout [String: Int], _ drafts: inout OpenAPIResources.Drafts) -> Set<Int> {
        var gets: [String: OpenAPIOperation] = [:]
        for operation in operations where !operation.isPost {
            if let collection = operation.path.collection, !isList(operation) { gets[collection] = operation }
        }
        var posts: Set<Int> = []
        for (index, operation) in operations.enumerated() where operation.isPost {
            guard let listing = listings.of(operation), let items = listing.items, !items.areIDs else { continue }
            let collection = operation.path.pattern(of: operation.path.segments.count - 1)
            if let other = lists[collection].map({ operations[$0] }), listings.of(other)?.items != nil {
                drafts.left.append(
                    OpenAPIResources.LeftPath(
                        path: operation.path.text,
                        reason: "not drafted: '\(other.path.text)' already lists these items"))
                continue
            }
            let item = gets[collection]?.answer
            if let item, answers.isItem(item, like: items.element) {
                lists[collection] = index
            } else if listing.pages.lines.isEmpty {
                continue
            }
            posts.insert(index)
        }
        return posts
    }

    /// Whether the operation lists items, although its path ends with a parameter.
    private func isList(_ operation: OpenAPIOperation) -> Bool {
        listings.of(operation)?.isListOfParameter ?? false
    }
}
