import Catalog
import CatalogTools
import HTTP
import JSON
import Mocks
import Model
import TestSupport
import Testing

/// Tests catalogs that are drafted from an API's answer.
@Suite(.limited) struct CatalogInferenceTests {
    /// Returns the text of the catalog that is drafted from an answer.
    private static func text(
        _ body: String, _ url: String = "https://api.zoo.test/v1/animals", headers: [HTTPHeader] = [],
        sending texts: [String] = [], status: Int = 200
    ) async throws -> String {
        let client = HTTPClientMock(.success(HTTPResponse(status: status, headers: headers, body: Array(body.utf8))))
        let secrets = SecretSource(environment: { $0 == "TOKEN" ? "token-of-12345" : nil }, file: { _ in nil })
        return try await CatalogInference(client: client, explain: explained, secrets: secrets).draft(
            url, headers: texts)
    }

    private static func resource(
        _ body: String, _ url: String = "https://api.zoo.test/v1/animals", headers: [HTTPHeader] = []
    ) async throws -> JSONValue {
        let text = try await text(body, url, headers: headers)
        #expect(DraftText.faults(in: text) == [])
        guard case .object(let resources)? = try DraftText.value(text)["resources"] else { return .null }
        return try #require(resources.members.first?.value)
    }

    @Test func draftedPageSizeIsLimitedToTheMaximumOfTheCatalog() async throws {
        let resource = try await Self.resource(#"[{"id": 1}]"#, "https://api.zoo.test/animals?page=1&limit=999999")
        #expect(resource["rest"]?["list"]?["pagination"]?["size"]?["value"] == .integer(100_000))
    }

    @Test(arguments: ["", "@key"]) func inferenceSkipsKeysThatSelectorsCannotExpress(key: String) async throws {
        let list = try await Self.resource(#"{"\#(key)": [{"id": 1}], "items": [{"id": 2}]}"#)
        #expect(list["rest"]?["list"]?["items"] == "items")
    }

    @Test func listIsDraftedAsAResource() async throws {
        let text = try await Self.text(#"[{"id": 1, "name": "a"}, {"id": 2, "name": "b", "tag": null}]"#)
        #expect(text.hasPrefix("// Drafted by 'larder catalog infer'"))
        #expect(
            text.split(separator: "\n", omittingEmptySubsequences: false).drop { $0.hasPrefix("//") }
                .joined(separator: "\n") == """
                    {
                      "larder": 1,
                      "apis": {"zoo": {"baseURL": "https://api.zoo.test"}},
                      "resources": {
                        // GET /v1/animals: 2 items
                        "animal": {
                          "api": "zoo",
                          "id": "integer",
                          "fields": {
                            "id": "integer",
                            "name": "string",
                            "tag": "any?",  // always null in the answer
                          },
                          "rest": {
                            "list": {
                              "path": "/v1/animals",
                              // found no pagination: the draft treats the answer as the whole list; check it
                            },
                            // found no path for a single item: GET /v1/animals/1 did not return this item; add 'get'
                          },
                        },
                      },
                    }

                    """)
    }

    @Test(
        arguments: [
            ("[1, 2]", #""integer""#), ("[1, 2.5]", #""number""#), (#"["a", null]"#, #""string?""#),
            ("[true, false]", #""boolean""#),
            (#"["2026-01-31T09:05:00Z", "2026-01-31T10:05:00+01:00"]"#, #""date""#),
            (#"["2026-01-31", "x"]"#, #""string""#),
            (#"[1, "a"]"#, #""any""#), (#"[[1], []]"#, #"["integer"]"#), ("[[], []]", #"["any"]"#),
            ("[{}, {}]", #""any""#),
            (#"[{"a": 1}, {"a": 2, "b": "x"}]"#, #"{"a":"integer","b":"string?"}"#),
            (#"[{"2026-01-01": 1, "2026-01-02": 2}, {"2026-01-03": 1}]"#, #"{"*":"integer"}"#),
            (#"[{"type": "x"}, {"type": "y"}]"#, #"{"type":{"type":"string"}}"#),
        ])
    func fieldTypesAreInferredFromAnAnswer(values: String, type: String) async throws {
        let parsed = try JSONValue(parsing: values)
        guard case .array(let values) = parsed else { return }
        let items = values.enumerated().map { index, value in
            JSONValue.object(JSONObject([("id", .integer(index)), ("x", value)]))
        }
        let fields = try #require(try await Self.resource(JSONValue.array(items).text)["fields"])
        #expect((fields["x"] ?? fields["x?"])?.text == type)
    }

    /// A few equal strings do not prove an enumeration. Fifty strings with only two different values do.
    @Test func inferredEnumerationNeedsEnoughValues() async throws {
        func states(_ count: Int) -> String {
            let items = (0..<count).map { #"{"id": \#($0), "state": "\#($0 % 2 == 0 ? "open" : "closed")"}"# }
            return "[\(items.joined(separator: ","))]"
        }
        #expect(try await Self.resource(states(20))["fields"]?["state"] == "string")
        #expect(
            try await Self.text(states(20)).contains(
                #""state": "string",  // an enumeration? the only values among 20: closed, open"#))
        let sure = try await Self.resource(states(50))["fields"]?["state"]
        #expect(sure?.text == #"{"type":["closed","open","other"],"otherwise":"other"}"#)
    }

    @Test(arguments: ["two words", "42", "an-identifier-of-25-letters", ""])
    func fieldWithFreeTextIsNotDraftedAsAnEnumeration(odd: String) async throws {
        let items = (0..<50).map { #"{"id": \#($0), "state": "\#($0 % 2 == 0 ? "open" : odd)"}"# }
        let body = "[\(items.joined(separator: ","))]"
        #expect(try await Self.resource(body)["fields"]?["state"] == "string")
        #expect(try await !Self.text(body).contains("an enumeration?"))
    }

    @Test(
        arguments: [
            (["a": 20, "b": 20], true), (["a": 20, "b": 19], false), (["a": 36, "b": 4], true),
            (["a": 37, "b": 3], false), (["a": 7, "b": 7, "c": 7, "d": 7, "e": 7, "f": 7], true),
            (["a": 7, "b": 7, "c": 7, "d": 7, "e": 7, "f": 7, "g": 7], false),
        ] as [([String: Int], Bool)])
    func inferredEnumerationNeedsManyRepeatedValues(counts: [String: Int], isEnumeration: Bool) async throws {
        let values = counts.flatMap { [String](repeating: $0.key, count: $0.value) }
        let items = values.enumerated().map { #"{"id": \#($0.offset), "kind": "\#($0.element)"}"# }
        let type = try await Self.resource("[\(items.joined(separator: ","))]")["fields"]?["kind"]
        #expect((type?["otherwise"] != nil) == isEnumeration, "\(type?.text ?? "")")
        if !isEnumeration { #expect(type == "string") }
    }

    @Test(
        arguments: [
            (#"{"data": [{"id": 1}]}"#, "data"),
            (#"{"meta": {"tags": ["a"]}, "body": {"rows": [{"id": 1}]}}"#, "body.rows"),
            (#"{"errors": [{"x": 1}], "results": [{"id": 1}]}"#, "results"),
            (#"{"animals": [{"id": 1}], "zoos": [{"id": 2}]}"#, "animals"),
            (#"{"a.b": [{"id": 1}]}"#, #"["a.b"]"#),
        ])
    func itemsAreFoundInTheAnswer(body: String, path: String) async throws {
        let list = try await Self.resource(body)["rest"]?["list"]
        #expect(list?["items"] == (path.hasPrefix("[") ? try JSONValue(parsing: path) : .string(path)))
    }

    @Test(
        arguments: [
            (#"[{"number": 1, "id": 7}, {"number": 2, "id": 7}]"#, #"{"type":"integer","from":"number"}"#),
            (#"[{"name": "a", "size": 1}, {"name": "b", "size": 1}]"#, #"{"type":"string","from":"name"}"#),
            (
                #"[{"url": "https://x.test/pokemon/1/"}, {"url": "https://x.test/pokemon/2/"}]"#,
                #"{"type":"integer","from":"url","match":"*/{id}/"}"#
            ),
            (
                #"[{"id": 71, "number": 1, "url": "https://x.test/i/1"}, {"id": 72, "number": 2, "url": "https://x.test/i/2"}]"#,
                #"{"type":"integer","from":"number"}"#
            ),
            (
                #"[{"metadata": {"name": "a"}}, {"metadata": {"name": "b"}}]"#,
                #"{"type":"string","from":"metadata.name"}"#
            ),
            (#"[{"on": true}, {"on": true, "at": 1}]"#, #"{"type":"string","from":"","hash":true}"#),
            (#"[{"on": true}, {"on": false}, {"on": true}]"#, #""string""#),
        ])
    func itemIDsAreInferredFromAnAnswer(body: String, id: String) async throws {
        #expect(try await Self.resource(body)["id"]?.text == id)
    }

    @Test func resourceIsDraftedFromAnObjectWhoseKeysAreIDs() async throws {
        let resource = try await Self.resource(#"{"BTC": {"rate": 1.5}, "ETH": {"rate": 2}}"#)
        #expect(resource["id"]?.text == #"{"type":"string","from":"@key"}"#)
        #expect(resource["rest"]?["list"]?["items"] == "*")
        #expect(resource["fields"]?.text == #"{"rate":"number"}"#)
    }

    @Test func resourceIsDraftedFromAListOfIDs() async throws {
        let resource = try await Self.resource("[5, 6, 7]")
        #expect(resource["id"] == "integer")
        #expect(resource["rest"]?["list"]?["of"] == "ids")
    }

    @Test func singleItemIsDraftedAsAGetOperation() async throws {
        let resource = try await Self.resource(
            #"{"id": 12, "tags": [{"x": 1}]}"#, "https://api.zoo.test/v1/animals/12?lang=de")
        #expect(resource["rest"]?["get"]?.text == #"{"path":"/v1/animals/{id}","query":{"lang":"de"}}"#)
        #expect(resource["id"] == "integer")
    }

    @Test func idOfASingleItemIsThePropertyWithTheValueInTheURL() async throws {
        let resource = try await Self.resource(
            #"{"id": 12, "number": 4, "slug": "big-cat"}"#, "https://api.zoo.test/v1/animals/big-cat")
        #expect(resource["id"]?.text == #"{"type":"string","from":"slug"}"#)
        #expect(resource["rest"]?["get"]?["path"] == "/v1/animals/{id}")
    }

    @Test func pathOfGetIsInferredFromTheURLsOfTheItems() async throws {
        let body =
            #"[{"id": 1, "url": "https://api.zoo.test/v1/animals/1"}, {"id": 2, "url": "https://api.zoo.test/v1/animals/2"}]"#
        #expect(try await Self.resource(body)["rest"]?["get"]?["path"] == "/v1/animals/{id}")
        // The URLs have a different host but the same path: the request went to a mirror of the API.
        #expect(
            try await Self.resource(body, "http://127.0.0.1:9/v1/animals")["rest"]?["get"]?["path"]
                == "/v1/animals/{id}")
        #expect(try await Self.resource(body, "http://127.0.0.1:9/v2/animals")["rest"]?["get"] == nil)
    }

    @Test(
        arguments: [
            (
                "", #""next_cursor": "abc", "has_more": true"#,
                #"{"style":"cursor","param":"cursor","next":"next_cursor","more":"has_more"}"#
            ),
            ("", #""nextPageToken": "abc""#, #"{"style":"cursor","param":"pageToken","next":"nextPageToken"}"#),
            (
                "?after=x", #""paging": {"next": {"after": "y"}}"#,
                #"{"style":"cursor","param":"after","next":"paging.next.after"}"#
            ),
            (
                "?limit=5", #""next": "https://api.zoo.test/v1/animals?limit=5&x=9""#,
                #"{"style":"nextURL","next":"next","size":{"param":"limit","value":5}}"#
            ),
            // Because of the number of pages, page 1 is the first page, although `next` refers to it.
            (
                "", #""pages": 4, "next": "https://api.zoo.test/v1/animals?page=1""#,
                #"{"style":"page","param":"page","next":"next","pages":"pages"}"#
            ),
            (
                "", #""next": "https://api.zoo.test/v1/animals?page=1""#,
                #"{"style":"page","param":"page","first":0,"next":"next"}"#
            ),
            (
                "?page=3", #""next": "https://api.zoo.test/v1/animals?page=1""#,
                #"{"style":"page","param":"page","next":"next"}"#
            ),
            (
                "", #""info": {"pages": 4, "count": 9, "next": "https://api.zoo.test/v1/animals?page=2"}"#,
                #"{"style":"page","param":"page","next":"info.next","pages":"info.pages","count":"info.count"}"#
            ),
            (
                "", #""count": 9, "next": "/v1/animals?offset=2&limit=2""#,
                #"{"style":"offset","param":"offset","next":"next","size":{"param":"limit","value":2},"count":"count"}"#
            ),
            (
                "?page=1&per_page=2", #""total": 9"#,
                #"{"style":"page","param":"page","size":{"param":"per_page","value":2},"count":"total"}"#
            ),
            ("", #""page": 1, "total_pages": 3"#, #"{"style":"page","param":"page","pages":"total_pages"}"#),
            ("", #""offset": 0, "total": 30"#, #"{"style":"offset","param":"offset","count":"total"}"#),
            ("", #""continue": {"sroffset": 10}"#, #"{"style":"cursor","next":{"merge":"continue"}}"#),
            (
                "", #""links": [{"rel": "self", "href": "/a"}, {"rel": "next", "href": "/v1/animals?after=x"}]"#,
                #"{"style":"nextURL","next":"links.[rel=next].href"}"#
            ),
            (
                "", #""link": [{"relation": "next", "url": "https://api.zoo.test/v1/animals?at=x"}]"#,
                #"{"style":"nextURL","next":"link.[relation=next].url"}"#
            ),
            (
                "", #""meta": {"links": [{"rel": "next", "href": "/v1/animals?page=2"}]}"#,
                #"{"style":"page","param":"page","next":"meta.links.[rel=next].href"}"#
            ),
            ("", #""links": [{"rel": "self", "href": "/a"}]"#, nil),
            ("", #""links": [{"rel": "next", "href": ""}]"#, nil),
            ("", #""has_more": true"#, nil), ("", #""next": null"#, nil), ("", #""count": 2"#, nil),
        ] as [(String, String, String?)])
    func paginationIsInferredFromAnAnswer(query: String, beside: String, pagination: String?) async throws {
        let body = #"{"data": [{"id": 1}, {"id": 2}], \#(beside)}"#
        let list = try await Self.resource(body, "https://api.zoo.test/v1/animals" + query)["rest"]?["list"]
        #expect(list?["pagination"]?.text == pagination)
        #expect(list?["query"] == nil)
    }

    @Test func linkHeaderIsDraftedAsPagination() async throws {
        let link = HTTPHeader("Link", #"<https://api.zoo.test/v1/animals?page=2>; rel="next""#)
        let list = try await Self.resource("[]", headers: [link])["rest"]?["list"]
        #expect(list?["pagination"]?.text == #"{"style":"link"}"#)
    }

    /// Secrets of the request are not shown, even if the answer contains them.
    @Test(
        arguments: [
            ("Authorization: Bearer hunter-22222", #"{"bearer":"${env:HOST_API_ZOO_TEST_TOKEN}"}"#),
            (
                "Authorization: Token hunter-22222",
                #"{"apiKey":{"in":"header","name":"Authorization","value":"${env:HOST_API_ZOO_TEST_AUTHORIZATION}"}}"#
            ),
            (
                "X-Key: hunter-22222",
                #"{"apiKey":{"in":"header","name":"X-Key","value":"${env:HOST_API_ZOO_TEST_KEY}"}}"#
            ),
        ])
    func secretsOfTheRequestAreNotInTheDraft(header: String, auth: String) async throws {
        let text = try await Self.text(#"[{"id": "hunter-22222", "hunter-22222": 1}]"#, sending: [header])
        #expect(!text.contains("hunter-22222"))
        #expect(try DraftText.value(text)["apis"]?["zoo"]?["auth"]?.text == auth)
    }

    @Test func draftKeepsEnvironmentReferencesOfHeaders() async throws {
        let text = try await Self.text("[]", sending: ["Authorization: Bearer ${env:TOKEN}", "X-Api-Version: 3"])
        let api = try DraftText.value(text)["apis"]?["zoo"]
        #expect(api?["auth"]?.text == #"{"bearer":"${env:TOKEN}"}"#)
        #expect(api?["headers"]?.text == #"{"X-Api-Version":"3"}"#)
    }

    /// If a reference such as `${env:HOME}` were expanded, the first request would send a secret of this machine to the
    /// API's host.
    @Test(
        arguments: [
            ##"[{"id": 1, "url": "https://api.zoo.test/v1/${env:HOME}/1"}]"##,
            ##"{"${env:HOME}": [{"id": 1}, {"id": 2}]}"##, ##"[{"${env:HOME}": 1}]"##,
            ##"{"items": [{"id": 1}], "next_${env:HOME}": "x", "${env:HOME}": {"next_cursor": "x"}}"##,
            ##"[{"id": 1, "kind": {"${file:/etc/passwd}": {"a": "${env:HOME}"}}}]"##,
        ])
    func referencesInAnAPIAnswerAreNotExpanded(body: String) async throws {
        guard let text = try? await Self.text(body) else { return }
        func isClean(_ value: JSONValue) -> Bool {
            switch value {
            case .string(let text): !text.contains("${")
            case .array(let values): values.allSatisfy(isClean)
            case .object(let object): object.members.allSatisfy { isClean($0.value) }
            default: true
            }
        }
        #expect(isClean(try DraftText.value(text)), "\(text)")
    }

    @Test func settingWithAReferenceIsOmittedWithAReason() async throws {
        let text = try await Self.text(##"{"items": [{"id": 1}], "next_cursor${}": "abc"}"##)
        #expect(text.contains("'pagination' is left out: the text contains '${', which a catalog would replace"))
        #expect(try DraftText.value(text)["resources"]?["animal"]?["rest"]?["list"]?["items"] == "items")
    }

    @Test func secretsInTheURLAreNotInTheDraft() async throws {
        let text = try await Self.text("[]", "https://api.zoo.test/v1/animals?api_key=hunter-22222&sort=up")
        #expect(!text.contains("hunter"))
        #expect(try DraftText.value(text)["apis"]?["zoo"]?["auth"]?["apiKey"]?["name"] == "api_key")
        #expect(text.contains(#""query": {"sort": "up"}"#))
    }

    @Test func urlSecretsThatAuthDoesNotSendAreReported() async throws {
        let url = "https://api.zoo.test/v1/animals?api_key=hunter-22222&session=hunter-33333&sort=up"
        let alone = try await Self.text("[]", url)
        #expect(alone.contains("'session' was sent too") && !alone.contains("'api_key' was sent too"))
        let beside = try await Self.text("[]", url, sending: ["X-Key: hunter-44444"])
        #expect(beside.contains("'session' was sent too") && beside.contains("'api_key' was sent too"))
        #expect(!beside.contains("hunter") && beside.contains("${env:HOST_API_ZOO_TEST_API_KEY}"))
    }

    @Test(
        arguments: [
            ("ftp://x.test", "", "the URL must begin with http:// or https://"),
            ("https://a:b@x.test/", "", "must not have a user"),
            ("https://x.test/", "no colon hunter-22222", "'Name: value'"),
            ("https://x.test/", "X-Key", "'Name: value'"),
            ("https://x.test/", "X-Key: ${env:NONE}", "is not set"),
            ("https://x.test/ä", "", "percent-encode"),
        ])
    func inferenceRejectsInvalidURLsAndHeaders(url: String, header: String, reason: String) async throws {
        let error = await #expect(throws: CatalogDraftError.self) {
            try await Self.text("[]", url, sending: header.isEmpty ? [] : [header])
        }
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("hunter") == false)
    }

    @Test(
        arguments: [
            (200, "<html>", "the answer is not JSON"), (200, "", "no body"),
            (200, "3", "must be an object or an array"),
            (200, "[[1]]", "not objects"), (404, #"{"message": "gone away"}"#, "gone away"),
            (401, "{}", "denied access"),
        ])
    func inferenceRejectsUnusableAnswers(status: Int, body: String, reason: String) async throws {
        let error = await #expect(throws: CatalogDraftError.self) { try await Self.text(body, status: status) }
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }

    /// Every answer results in a valid catalog or an error.
    @Test func anyAnswerProducesADraftOrAnError() async throws {
        var random = SeededGenerator(seed: 3)
        func value(_ depth: Int) -> JSONValue {
            let keys = ["id", "url", "next", "data", "type", "a.b", "", "*", "x?", "page", "count", "@key", "\u{0}"]
            switch Int.random(in: 0..<(depth > 3 ? 6 : 10), using: &random) {
            case 0: return nil
            case 1: return true
            case 2: return .integer(Int.random(in: -3...3, using: &random))
            case 3: return .number("1e400")
            case 4: return .string(keys.randomElement(using: &random) ?? "")
            case 5: return "https://x.test/things/1?page=2"
            case 6, 7: return .array((0..<Int.random(in: 0..<4, using: &random)).map { _ in value(depth + 1) })
            default:
                return .object(
                    JSONObject(
                        (0..<Int.random(in: 0..<5, using: &random)).map { _ in
                            (keys.randomElement(using: &random) ?? "", value(depth + 1))
                        }))
            }
        }
        var made = 0
        for _ in 0..<400 {
            let body = value(0).text
            do {
                let text = try await Self.text(body, "https://x.test/things")
                #expect(DraftText.faults(in: text) == [], "\(body)")
                made += 1
            } catch {
                #expect(error is CatalogDraftError, "\(body)")
            }
        }
        #expect(made > 100)
    }
}
