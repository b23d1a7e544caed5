/// What `larder --help` prints.
enum HelpText {
    static var text: String {
        let width = OptionDefinition.all.map { head($0).count }.max() ?? 0
        let options = OptionDefinition.all.map { option in
            let head = head(option)
            return "  \(head)\(String(repeating: " ", count: width - head.count))  \(option.help)"
        }
        return """
            larder \(Version.current): data from REST and GraphQL APIs, cached, as JSON-RPC 2.0 over stdin and stdout

            Usage:
              larder [options]                                   serve on stdin and stdout
              larder call METHOD [key=value | JSON] [options]    one request, its result on stdout
              larder cache stats|clear|path [options]            what the cache file holds; empty it; where it is
              larder --help | --version

            Example:
              larder call character/list page=2 filter.name=rick

            Options:
            \(options.joined(separator: "\n"))

            Exit codes:
              0 success; 1 the request's error; 64 wrong use; 74 output that could not be written;
              75 the end took too long, because something hangs; 78 a catalog with faults

            """
    }

    private static func head(_ option: OptionDefinition) -> String {
        option.argument.map { "\(option.name) \($0)" } ?? option.name
    }
}
