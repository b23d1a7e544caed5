/// What `larder help TOPIC` tells, and what the man page is made of besides the commands and the options.
struct HelpTopic: Sendable {
    let name: String
    /// What it is about, in a line.
    let title: String
    let parts: [Part]

    /// A piece of a topic, to be laid out for a terminal or as roff.
    enum Part: Sendable {
        /// A paragraph, of whatever length.
        case text(String)
        /// Terms, and what each means.
        case rows([(term: String, meaning: String)])
        /// Command lines, each with what comes of it.
        case examples([CommandDefinition.Example])
    }

    /// The names of all that there is help about: commands, groups of commands, topics.
    static let names = CommandDefinition.groups + all.map(\.name) + [ManualPage.topic]

    /// What is told under a name; nil where it is none.
    ///
    /// - Parameter words: a command, with its subcommand or without, or a topic.
    static func find(_ words: [String]) -> HelpTopic? {
        let name = words.joined(separator: " ")
        if let topic = all.first(where: { $0.name == name }) { return topic }
        let commands = CommandDefinition.all.filter { !name.isEmpty && ($0.name == name || $0.group == name) }
        guard !commands.isEmpty else { return nil }
        return HelpTopic(name: name, title: "", parts: commands.flatMap(\.parts))
    }
}

extension CommandDefinition {
    /// The command as a topic tells it.
    var parts: [HelpTopic.Part] {
        let ways = usages.map { (term: $0.line(of: self), meaning: $0.help) }
        let own = OptionDefinition.all.filter { options.contains($0.name) }
        return [.rows(ways)] + details.map { .text($0) }
            + (own.isEmpty ? [] : [.rows(own.map { (term: $0.head, meaning: $0.help) })])
            + (examples.isEmpty ? [] : [.examples(examples)])
    }
}
