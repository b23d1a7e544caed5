/// A topic of `larder help TOPIC`. The man page has a section for each general topic.
struct HelpTopic: Sendable {
    let name: String
    /// The one-line title of the topic; empty for the help of a command.
    let title: String
    let parts: [Part]

    /// A block of a help topic. `HelpText` formats the block for a terminal, and `ManualPage` writes it as roff.
    enum Part: Sendable {
        /// A paragraph without line breaks.
        case text(String)
        /// A list of terms with their meanings.
        case rows([(term: String, meaning: String)])
        /// Example command lines, each with a description.
        case examples([CommandDefinition.Example])
    }

    /// The names that `larder help` accepts: commands, command groups such as `catalog`, and topics.
    static let names =
        CommandDefinition.groups + all.map(\.name).filter { !CommandDefinition.groups.contains($0) } + [
            ManualPage.topic
        ]

    /// Returns the help topic with the given name; nil if there is no such topic.
    ///
    /// - Parameter words: the name of a topic, or of a command with or without its subcommand.
    static func find(_ words: [String]) -> HelpTopic? {
        let name = words.joined(separator: " ")
        let commands = CommandDefinition.all.filter { !name.isEmpty && ($0.name == name || $0.group == name) }
        // The word `catalogs` is a command and also a topic.
        if let topic = all.first(where: { $0.name == name }) {
            return HelpTopic(name: name, title: topic.title, parts: topic.parts + commands.flatMap(\.parts))
        }
        guard !commands.isEmpty else { return nil }
        return HelpTopic(name: name, title: "", parts: commands.flatMap(\.parts))
    }
}

extension CommandDefinition {
    /// The blocks of help text about this command.
    var parts: [HelpTopic.Part] {
        let ways = usages.map { (term: $0.line(of: self), meaning: $0.help) }
        let own = OptionDefinition.all.filter { options.contains($0.name) }
        return [.rows(ways)] + details.map { .text($0) }
            + (own.isEmpty ? [] : [.rows(own.map { (term: $0.head, meaning: $0.help) })])
            + (examples.isEmpty ? [] : [.examples(examples)])
    }
}
