import CCurl
import JSON
import Repositories
import TestSupport
import Testing

@testable import Catalog
@testable import DataSources
@testable import HTTP
@testable import Model
@testable import RPCServer

/// Tests the guarantees of every implementation of `MapperContract`.
@Suite(.limited) struct MapperContractTests {
    @Test(arguments: MapperSubject.all)
    func everyMapperReturnsTheExpectedOutputForItsSamples(subject: MapperSubject) {
        #expect(subject.outputs(subject.samples.indices.map { $0 }) == subject.expected)
    }

    @Test(arguments: MapperSubject.all)
    func mappersMapDifferentInputsToDifferentOutputs(subject: MapperSubject) {
        #expect(subject.expected.count > 1)
        #expect(Set(subject.expected).count == subject.expected.count)
    }

    /// Earlier inputs, even if their conversion failed, do not affect later outputs.
    @Test(arguments: MapperSubject.all)
    func mapperOutputDoesNotDependOnEarlierInputs(subject: MapperSubject) {
        let indices = subject.samples.indices
        let order = indices.reversed() + indices.flatMap { [$0, $0] }
        #expect(subject.outputs(order) == order.map { subject.expected[$0] })
    }

    @Test(arguments: MapperSubject.all)
    func concurrentMapperCallsHaveTheSameOutputs(subject: MapperSubject) async {
        let indices = Array(subject.samples.indices)
        await withTaskGroup(of: [String].self) { group in
            for _ in 0..<8 { group.addTask { (0..<20).flatMap { _ in subject.outputs(indices) } } }
            let expected = (0..<20).flatMap { _ in subject.expected }
            for await outputs in group { #expect(outputs == expected) }
        }
    }
}

/// An implementation of `MapperContract`, with inputs and the outputs that they must have.
struct MapperSubject: Sendable, CustomTestStringConvertible {
    let name: String
    /// Closures that each map one input through the contract, and describe the output or the error.
    let samples: [@Sendable () -> String]
    let expected: [String]
    var testDescription: String { name }

    /// - Parameter samples: the inputs, each with the description of its output or error.
    init<Input: Sendable, Output, Failure: Error>(
        _ mapper: some MapperContract<Input, Output, Failure>, _ samples: [(input: Input, expected: String)],
        output: @escaping @Sendable (Output) -> String, failure: @escaping @Sendable (Failure) -> String = { "\($0)" }
    ) {
        name = "\(type(of: mapper))"
        self.samples = samples.map { sample in
            {
                do throws(Failure) {
                    return output(try mapper.map(sample.input))
                } catch {
                    return failure(error)
                }
            }
        }
        expected = samples.map(\.expected)
    }

    /// Maps the samples in the given order, and returns the descriptions of their outputs.
    func outputs(_ order: [Int]) -> [String] { order.map { samples[$0]() } }

    /// A subject for each mapper of the product.
    static let all: [MapperSubject] = {
        do { return try [item(), page(), pageInfo, curl, http, graphQL, rpc] } catch { return [] }
    }()

    private static func resource() throws -> ResourceDefinition {
        let text = """
            {"larder": 1, "apis": {"a": {"baseURL": "https://a.test"}}, "resources": {"thing": {
              "api": "a", "id": "integer", "fields": {"id": "integer", "name": "string"},
              "rest": {"list": {"path": "/things", "items": "results"}}}}}
            """
        return try CatalogDecoder.decode(Array(text.utf8), secrets: .empty).resources[0]
    }

    private static func dto(_ text: String) throws -> ItemDTO {
        ItemDTO(json: try JSONDocument(Array(text.utf8)).root, path: "", url: "https://a.test/things")
    }

    @Sendable private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Sendable private static func describe(_ error: APIError) -> String { "\(error.kind): \(error.path ?? "")" }

    private static func item() throws -> MapperSubject {
        MapperSubject(
            ItemMapper(try resource()),
            [
                (try dto(#"{"name": "a", "id": "7"}"#), #"7: {"id":7,"name":"a"}"#),
                (try dto(#"{"id": 8}"#), "decodingFailed: name"),
                (try dto(#"{"id": 9, "name": "c", "more": 1}"#), #"9: {"id":9,"name":"c"}"#),
            ],
            output: { "\($0.id): \(text($0.json))" }, failure: describe)
    }

    private static func page() throws -> MapperSubject {
        let info = PageInfoDTO(current: .number(1))
        return MapperSubject(
            PageMapper(try resource()),
            [
                (PageDTO(items: [try dto(#"{"id": 1, "name": "a"}"#)], info: info), #"1: {"id":1,"name":"a"}"#),
                (PageDTO(items: [try dto(#"{"name": "a"}"#)], info: info), "decodingFailed: id"),
                (PageDTO(items: [], info: info), ": "),
            ],
            output: { page in
                "\(page.ids.joined(separator: " ")): \(page.items.map { text($0) }.joined(separator: " "))"
            }, failure: describe)
    }

    private static let pageInfo = MapperSubject(
        PageInfoMapper(),
        [
            (
                PagePosition(PageInfoDTO(current: .number(2), pages: 3)),
                #"{"current":2,"pages":3,"count":null,"next":null,"previous":null}"#
            ),
            (
                PagePosition(PageInfoDTO(current: .number(1), next: .opaque("x"))),
                #"{"current":1,"pages":null,"count":null,"next":"x","previous":null}"#
            ),
        ],
        output: text)

    private static let curl = MapperSubject(
        CurlErrorMapper(environment: HTTPEnvironment { _ in nil }),
        [
            (CurlFailure(code: CURLE_OPERATION_TIMEDOUT, message: "", timeout: 5, part: .none, encoding: nil), "5 ms"),
            (CurlFailure(code: CURLE_COULDNT_CONNECT, message: "no", timeout: 5, part: .none, encoding: nil), "no"),
        ],
        output: { error in
            switch error.reason {
            case .timeout(let milliseconds): "\(milliseconds) ms"
            case .network(let message): message
            default: "\(error)"
            }
        })

    private static let http = MapperSubject(
        HTTPErrorMapper(redactor: .none),
        [
            (HTTPError.status(HTTPResponse(status: 404)), "notFound: "),
            (HTTPError(.network("no route"), attempts: 2), "network: "),
            (HTTPError(.cancelled), "cancelled: "),
        ],
        output: describe)

    private static let graphQL = MapperSubject(
        GraphQLErrorMapper(redactor: .none),
        [
            (GraphQLError.http(HTTPError(.cancelled)), "cancelled: "),
            (GraphQLError(.missingData), "invalidResponse: "),
            (GraphQLError(.envelope("text")), "decodingFailed: "),
        ],
        output: describe)

    private static let rpc = MapperSubject(
        RPCErrorMapper(redactor: .none),
        [
            (RepositoryError.busy(limit: 3), "-31011"), (.notCached(resource: "thing"), "-31010"),
            (.remote(APIError(.notFound, "gone")), "-31003"),
        ],
        output: { "\($0.code.rawValue)" })
}
