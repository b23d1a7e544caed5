import JSON
import Model
import RPCServer
import System

/// Formats the changes of a watched item or list: as readable lines for a terminal, as JSON lines for programs.
struct ChangeText {
    let view: TerminalView

    /// Returns the text of one change.
    ///
    /// - Parameter now: the time at which Larder noticed the change.
    func text(_ change: ItemChange, now: Timestamp) -> String {
        view.format.isForPeople ? lines(change, now) : view.json(json(change, now))
    }

    /// Returns the change as an object: `{"at", "change", "item", "fields"?}`. Each member of `fields` has the values
    /// `old` and `new` of a changed field. `old` is absent for an added field, and `new` is absent for a removed field.
    private func json(_ change: ItemChange, _ now: Timestamp) -> JSONValue {
        var object = JSONObject([
            ("at", .string(DateText(number: "\(now.milliseconds)", in: .milliseconds)?.rfc3339 ?? "")),
            ("change", .string(change.kind.rawValue)),
            ("item", change.item),
        ])
        if !change.fields.isEmpty {
            object["fields"] = .object(
                JSONObject(
                    change.fields.map { field in
                        let values = [("old", field.old), ("new", field.new)]
                        return (
                            field.name,
                            .object(JSONObject(values.compactMap { name, value in value.map { (name, $0) } }))
                        )
                    }))
        }
        return .object(object)
    }

    private func lines(_ change: ItemChange, _ now: Timestamp) -> String {
        let id = change.item["id"].map { CellText.of($0) }
        let label = CellText.of(change.item)
        let subject = [id, label == id ? nil : label].compactMap { $0 }.joined(separator: " ")
        let head = "\(LocalTime.text(now)) \(change.kind.rawValue) \(subject)"
        let names = change.fields.map { VisibleText.line($0.name, limit: 100) }
        let labelWidth = names.map { TextWidth.of($0) }.max() ?? 0
        let rows = zip(change.fields, names).map { field, name in
            let gap = String(repeating: " ", count: labelWidth - TextWidth.of(name) + 2)
            let values = "\(value(field.old)) → \(value(field.new))"
            return "  " + view.paint.name(name) + gap
                + TextWidth.cut(values, to: max(1, view.terminal.width - labelWidth - 4))
        }
        return ([view.paint.heading(TextWidth.cut(head, to: view.terminal.width))] + rows).map { $0 + "\n" }.joined()
    }

    private func value(_ value: JSONValue?) -> String { value.map { CellText.of($0) } ?? "(none)" }
}
