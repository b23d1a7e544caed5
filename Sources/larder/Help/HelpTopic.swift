/// A topic of `larder help TOPIC` and a section of the man page.
struct HelpTopic: Sendable {
    let name: String
    /// The title of the topic in one line; empty if the topic is the help of a command.
    let title: String
    let parts: [Part]

    /// A part of a topic. `HelpText` lays it out for a terminal, `ManualPage` as roff.
    enum Part: Sendable {
        /// A paragraph without line breaks.
        case text(String)
        /// Terms and their meanings.
        case rows([(term: String, meaning: String)])
        /// Command lines, each with a description.
        case examples([CommandDefinition.Example])
    }

    /// The names that `larder help` accepts: commands, groups of commands, and topics.
    static let names = CommandDefinition.groups + all.map(\.name) + [ManualPage.topic]

    /// Returns the topic with the given name; nil if there is none.
    ///
    /// - Parameter words: the words of the name: a command, with or without its subcommand, or a topic.
    static func find(_ words: [String]) -> HelpTopic? {
        let name = words.joined(separator: " ")
        if let topic = all.first(where: { $0.name == name }) { return topic }
        let commands = CommandDefinition.all.filter { !name.isEmpty && ($0.name == name || $0.group == name) }
        guard !commands.isEmpty else { return nil }
        return HelpTopic(name: name, title: "", parts: commands.flatMap(\.parts))
    }
}

extension CommandDefinition {
    /// The command as the parts of a help topic.
    var parts: [HelpTopic.Part] {
        let ways = usages.map { (term: $0.line(of: self), meaning: $0.help) }
        let own = OptionDefinition.all.filter { options.contains($0.name) }
        return [.rows(ways)] + details.map { .text($0) }
            + (own.isEmpty ? [] : [.rows(own.map { (term: $0.head, meaning: $0.help) })])
            + (examples.isEmpty ? [] : [.examples(examples)])
    }
}
