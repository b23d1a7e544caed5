import RPCServer

/// The man page of larder. It contains the commands, the options and the help topics.
enum ManualPage {
    /// The topic under which `larder help` prints the man page.
    static let topic = "man"

    /// The man page as roff source text.
    static var text: String {
        var page = Roff()
        page.title("LARDER", section: 1, source: "larder \(Version.current)", manual: "User Commands")
        page.section("NAME")
        page.paragraph("larder - data from REST and GraphQL APIs, cached, as JSON-RPC 2.0 over stdin and stdout")
        page.section("SYNOPSIS")
        page.lines(CommandDefinition.all.flatMap { command in command.usages.map { $0.line(of: command) } })
        page.section("DESCRIPTION")
        if let server = CommandDefinition.all.first(where: { $0.name.isEmpty }) { write(server.details, to: &page) }
        page.section("COMMANDS")
        for command in CommandDefinition.all where !command.name.isEmpty { write(command, to: &page) }
        page.section("OPTIONS")
        page.paragraph("Options are accepted in any position. --name=value and --name value are equivalent.")
        for option in OptionDefinition.all { page.row(option.head, option.help) }
        page.row("--help, --version", "print the help; print the versions of larder, Swift, SQLite and libcurl")
        for topic in HelpTopic.all { write(topic, to: &page) }
        return page.text
    }

    private static func write(_ command: CommandDefinition, to page: inout Roff) {
        page.subsection(command.line)
        for usage in command.usages { page.row(usage.line(of: command), usage.help) }
        write(command.details, to: &page)
        if !command.options.isEmpty { page.paragraph("Options: \(command.options.joined(separator: ", ")).") }
        write(command.examples, to: &page)
    }

    private static func write(_ topic: HelpTopic, to page: inout Roff) {
        page.section(topic.name.uppercased().split(separator: "-").joined(separator: " "))
        for part in topic.parts {
            switch part {
            case .text(let text): page.paragraph(text)
            case .rows(let rows): for row in rows { page.row(row.term, row.meaning) }
            case .examples(let examples): write(examples, to: &page)
            }
        }
    }

    private static func write(_ paragraphs: [String], to page: inout Roff) {
        for paragraph in paragraphs { page.paragraph(paragraph) }
    }

    private static func write(_ examples: [CommandDefinition.Example], to page: inout Roff) {
        for example in examples { page.row(example.line, example.help) }
    }
}
