/// A list that usually has one element. It allocates memory only for further elements.
struct ShortList<Element> {
    private var first: Element?
    private var others: [Element] = []

    var last: Element? { others.last ?? first }

    mutating func append(_ element: Element) {
        if first == nil { first = element } else { others.append(element) }
    }

    func forEach(_ body: (Element) -> Void) {
        guard let first else { return }
        body(first)
        others.forEach(body)
    }
}
