import JSON
import TestSupport
import Testing

@testable import CatalogTools

/// Tests which property of an item becomes its id, for single schemas of items with the name `cat`.
@Suite(.limited) struct OpenAPIIDGuessTests {
    /// Returns the schema of a property from a short form: `name` is a string, `size#` an integer, `nick?` a nullable
    /// string, `data*` any value, `map%` an object with additional properties, `url=/a` a string with an example, and
    /// `owner{id,age#}` an object.
    private static func property(_ form: Substring) -> String {
        let name = form.prefix { !"#?*%={".contains($0) }
        let rest = form.dropFirst(name.count)
        let schema =
            switch rest.first {
            case "#": #"{"type": "integer"}"#
            case "?": #"{"type": "string", "nullable": true}"#
            case "*": "{}"
            case "%": #"{"type": "object", "additionalProperties": {"type": "string"}}"#
            case "=": #"{"type": "string", "example": "\#(rest.dropFirst())"}"#
            case "{": object(rest.dropFirst().dropLast().split(separator: ","))
            default: #"{"type": "string"}"#
            }
        return #""\#(name)": \#(schema)"#
    }

    private static func object(_ properties: [Substring]) -> String {
        #"{"type": "object", "properties": {\#(properties.map(property).joined(separator: ", "))}}"#
    }

    /// Returns the id in a schema with the given properties, in the form `type path match`. Nil if there is no id.
    ///
    /// - Parameter parameter: the path parameter that identifies an item, such as `cat:integer`. A slash at the end is
    ///   also the end of the path. Empty if the API only lists items.
    private static func id(
        _ properties: String, _ parameter: String, scope: [String] = []
    ) throws -> (text: String?, note: String?) {
        let parts = parameter.split { $0 == ":" || $0 == "/" }.map(String.init)
        let by = parts.first.map {
            OpenAPIID.Parameter(
                name: $0, kind: parts.count > 1 ? parts[1] : nil, hasSlash: parameter.hasSuffix("/"))
        }
        let schema = object(properties.split(separator: " "))
        return try JSONDocument(Array(schema.utf8)).withRoot { root in
            let schemas = OpenAPISchemas(OpenAPIDocument(root))
            guard let id = OpenAPIID(schemas: schemas).find(in: root, by: by, called: "cat", scope: scope) else {
                return (nil, nil)
            }
            let path = id.parts.isEmpty ? [id.from] : id.parts
            let text = [id.type, path.map { $0.joined(separator: ".") }.joined(separator: id.join ?? "")]
            return ((text + [id.match].compactMap { $0 }).joined(separator: " "), id.note)
        }
    }

    /// The parameter `cat` has the name of the item, so the id is guessed from the properties.
    @Test(
        arguments: [
            // Names that are usually ids.
            ("name uid#", "", "integer uid"), ("uid#", "cat:integer", "integer uid"),
            ("uid# name", "cat:string", "string name"), ("uid#", "cat:string", "integer uid"),
            ("uid# name?", "cat:string", "integer uid"), ("uid# name", "", "integer uid"),
            ("uid# number#", "cat:integer", "integer uid"), ("uid slug", "cat:string", "string uid"),
            ("uid{} name", "", "string name"), ("uid*", "cat:integer", "integer uid"),
            ("uid*", "cat:string", "string uid"),
            // The property `id`.
            ("id{} name", "", "string id"), ("id{a} name", "", "string name"), ("id% name", "", "string name"),
            ("id#", "cat:integer", "integer id"), ("id*", "cat:integer", "string id"),
            // Names of properties that are often unique.
            ("slug", "cat:integer", nil), ("number#", "cat:integer", "integer number"),
            ("name", "cat:integer", "string name"), ("slug", "cat:string", "string slug"),
            ("slug#", "", "integer slug"),
            ("slug# name", "cat:string", "string name"), ("slug#", "cat:string", nil),
            ("slug? name", "", "string name"),
            ("slug?", "", nil),
            // Names that are used only if the API has no item of its own path.
            ("email", "", "string email"), ("email", "cat:string", nil),
            // A Kubernetes object.
            ("metadata{name,namespace}", "", "string metadata.namespace/metadata.name"),
            ("metadata{name}", "", "string metadata.name"), ("metadata{uid}", "", "string metadata.uid"),
            ("metadata{name,namespace}", "cat:string", nil),
            // The only property whose name ends with the word "id".
            ("oid", "", "string oid"), ("ownerID", "", "string ownerID"), ("ownerId", "", "string ownerId"),
            ("owner_id", "", "string owner_id"), ("owner-id", "", "string owner-id"), ("ownerid", "", "string ownerid"),
            ("Paid", "", nil), ("prepaid", "", nil), ("grid", "", nil), ("x_Grid", "", nil), ("owner", "", nil),
            ("id{a} owner_id", "", "string owner_id"), ("a_id b_id", "", nil), ("owner_id{a}", "", nil),
            ("owner_id", "cat:integer", nil), ("owner_id#", "cat:integer", "integer owner_id"),
            ("owner_id", "cat:string", "string owner_id"), ("owner_id#", "cat:string", "integer owner_id"),
            // The URL of the item.
            ("uri", "", "string uri */{id}"), ("uri?", "", nil), ("uri#", "", nil), ("uri=abc", "", nil),
            ("uri=/cats?id=5", "", nil), ("uri=/", "", nil), ("uri=/5", "", "string uri */{id}"),
            ("uri=/5/", "", "string uri */{id}/"), ("uri", "cat:string/", "string uri */{id}/"),
            ("uri", "cat:integer", "integer uri */{id}"), ("uri", "cat:number", "integer uri */{id}"),
            ("uri=/5", "cat:string/", "string uri */{id}"), ("uri? href", "", "string href */{id}"),
            // The only object with an id.
            ("owner{id} a b c", "", "string owner.id"), ("owner{id} a b", "cat:string", "string owner.id"),
            ("owner{id} a b c", "cat:string", nil), ("owner{uid#}", "", "integer owner.uid"),
            ("owner{UUID}", "", "string owner.UUID"), ("owner{age}", "", nil), ("owner{id{a}}", "", nil),
            ("owner{id} home{id}", "", nil), ("owner{id} home{age}", "", "string owner.id"),
        ] as [(String, String, String?)])
    func idIsGuessed(properties: String, parameter: String, id: String?) throws {
        #expect(try Self.id(properties, parameter).text == id)
    }

    @Test(
        arguments: [
            ("uuid", "", nil), ("gid", "cat:string", nil),
            ("catid", "", "the name of the item and 'id'"), ("catid", "cat:string", "the name of the item and 'id'"),
            ("slug", "", "a guess based on the name"), ("name", "", "a guess based on the name"),
            ("slug", "cat:string", "a guess: the item has no property 'cat'"),
            ("metadata{name}", "", nil),
            (
                "metadata{name,namespace}", "",
                "the id includes the namespace, because a name is unique only within its namespace"
            ),
            ("owner_id", "", "a guess: the only property whose name ends with 'id'; check it"),
            ("uri", "", "extracted from the item's 'uri'"),
            ("owner{id}", "", "a guess: of the objects in the item, only this one has an id; check it"),
        ] as [(String, String, String?)])
    func noteStatesHowSureAGuessIs(properties: String, parameter: String, note: String?) throws {
        #expect(try Self.id(properties, parameter).note == note)
    }

    /// A path parameter with another name than the item selects a property by its name.
    @Test(
        arguments: [
            ("id# catId", "catId:string", "integer id", nil), ("catId", "catId:string", "string catId", nil),
            ("id# tag", "tag:string", "string tag", nil), ("id# tag{}", "tag:string", "integer id", nil),
            ("id# login", "catUsername:string", "string login", "chosen by the parameter 'catUsername'"),
            ("id# username", "catLogin:string", "string username", "chosen by the parameter 'catLogin'"),
            ("id# login username", "user_login:string", "string login", "chosen by the parameter 'user_login'"),
            ("id# login", "loginPage:integer", "integer id", nil),
            ("id# tag", "catTag:string", "string tag", "chosen by the parameter 'catTag'"),
            ("id# tag", "dogTag:string", "integer id", nil),
            ("id# slug", "petSlug:string", "string slug", "chosen by the parameter 'petSlug'"),
            ("name# metadata{name}", "name:string", "integer name", nil),
            ("id# metadata{name}", "name:string", "string metadata.name", nil),
            ("id# metadata{title}", "name:string", "integer id", nil),
            ("id# metadata{name}", "tag:string", "integer id", nil),
            ("cat", "cat:string", "string cat", nil),
        ] as [(String, String, String, String?)])
    func parameterSelectsAPropertyByItsName(properties: String, parameter: String, id: String, note: String?) throws {
        let found = try Self.id(properties, parameter)
        #expect(found.text == id && found.note == note)
    }

    /// The names in a scope identify the parents of an item.
    @Test(
        arguments: [
            ("owner_id", ["owner_id"], nil), ("owner_id home_id", ["ownerId"], "string home_id"),
            ("metadata{name,namespace}", ["namespace"], "string metadata.name"),
            ("metadata{name,namespace}", ["name"], "string metadata.namespace/metadata.name"),
        ] as [(String, [String], String?)])
    func idOfAParentIsNotTheID(properties: String, scope: [String], id: String?) throws {
        #expect(try Self.id(properties, "", scope: scope).text == id)
    }

    /// Without a schema of the items, only the name of the parameter remains.
    @Test(
        arguments: [
            ("catSlug", "string", "string slug"), ("catNumber", "integer", "integer number"),
            ("cat", "integer", "integer id"), ("cat", nil, "string id"),
        ] as [(String, String?, String)])
    func idOfUndescribedItemsIsGuessedFromTheParameter(name: String, kind: String?, id: String) throws {
        let parameter = OpenAPIID.Parameter(name: name, kind: kind)
        let texts = try JSONDocument(Array("{}".utf8)).withRoot { root in
            let finder = OpenAPIID(schemas: OpenAPISchemas(OpenAPIDocument(root)))
            return ([nil, root] as [JSONView?]).map { schema in
                finder.find(in: schema, by: parameter, called: "cat").map { "\($0.type) \($0.from.joined())" }
            }
        }
        #expect(texts == [id, id])
    }
}
