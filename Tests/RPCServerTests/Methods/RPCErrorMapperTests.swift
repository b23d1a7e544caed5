import DataSources
import JSON
import Protocol
import Repositories
import TestSupport
import Testing

@testable import Model
@testable import RPCServer

@Suite(.limited) struct RPCErrorMapperTests {
    private static let mapper = RPCErrorMapper(redactor: Redactor(secrets: ["s3cr3t key"]))

    /// The error codes by `data.kind`.
    private static let codes: [String: Int] = [
        "invalidRequest": -31001, "invalidResponse": -31002, "notFound": -31003, "serverError": -31004,
        "decodingFailed": -31005, "unauthorized": -31006, "rateLimited": -31007, "network": -31008, "timeout": -31009,
        "busy": -31011, "tooLarge": -31012, "notReplayed": -31013, "cancelled": -32800,
    ]

    private static func text(_ error: RPCError) -> String {
        var writer = JSONWriter()
        error.write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test func everyErrorKindIsInTheTestTable() {
        #expect(Set(APIError.Kind.allCases.map(\.rawValue)) == Set(Self.codes.keys))
    }

    @Test(arguments: APIError.Kind.allCases)
    func everyErrorKindHasItsCodeAndAllDetails(kind: APIError.Kind) throws {
        let code = try #require(Self.codes[kind.rawValue])
        let expected = """
            {"code":\(code),"message":"it failed","data":{"kind":"\(kind.rawValue)","api":"rickandmorty",\
            "resource":"character","status":503,"path":"results[3]","retryAfter":7,"attempts":3,\
            "url":"http://127.0.0.1/x?key="}}
            """
        #expect(Self.text(Self.mapper.map(.remote(Answers.error(kind)))) == expected)
        #expect(Self.text(Self.mapper.remote(Answers.error(kind))) == expected)
    }

    @Test func unknownErrorDetailsAreOmitted() {
        #expect(
            Self.text(Self.mapper.remote(APIError(.network, "no route")))
                == #"{"code":-31008,"message":"no route","data":{"kind":"network"}}"#)
    }

    @Test func repositoryErrorsAreMapped() {
        #expect(
            Self.text(Self.mapper.map(.notCached(resource: "episode"))) == """
                {"code":-31010,"message":"not cached: the cache policy or --offline forbids a request to the API; \
                use another policy, or remove --offline",\
                "data":{"kind":"notCached","resource":"episode"}}
                """)
        #expect(
            Self.text(Self.mapper.map(.busy(limit: 5))) == """
                {"code":-31011,"message":"too many requests: 5 already wait for APIs; try again later, \
                or raise --max-in-flight","data":{"kind":"busy"}}
                """)
    }

    @Test func errorsOfLocalDataSourcesAreMapped() {
        #expect(
            Self.text(Self.mapper.local(LocalDataError("the disk is full")))
                == #"{"code":-32603,"message":"the disk is full"}"#)
    }

    @Test(arguments: ["s3cr3t key", "s3cr3t%20key", "czNjcjN0IGtleQ=="])
    func secretsInErrorMessagesAreRedacted(form: String) {
        for kind in APIError.Kind.allCases {
            let text = Self.text(Self.mapper.map(.remote(Answers.error(kind, secret: form))))
            #expect(!text.contains(form))
            #expect(text.contains(#""path":"results[3]***""#))
            #expect(text.contains(#""url":"http://127.0.0.1/x?key=***""#))
            #expect(text.contains(#""message":"it failed***""#))
        }
        #expect(!Self.text(Self.mapper.local(LocalDataError("at \(form)"))).contains(form))
    }
}
