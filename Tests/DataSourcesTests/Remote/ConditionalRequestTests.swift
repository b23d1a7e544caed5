import Catalog
import DataSources
import HTTP
import Mocks
import Model
import TestSupport
import Testing

/// Tests conditional requests and status 304 (RFC 9110, section 13; RFC 9111, section 4.3).
@Suite(.limited) struct ConditionalRequestTests {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    /// A read of a page or an item. Its result omits the contents.
    private enum Call: CaseIterable {
        case item, page

        func ask(
            _ source: any RemoteDataSourceContract, _ validators: Validators?
        ) async throws(APIError) -> (isChanged: Bool, validators: Validators?) {
            switch self {
            case .item: Self.told(try await source.item("1", since: validators))
            case .page:
                switch try await source.page(PageRequest(), since: validators) {
                case .page(_, let validators): (true, validators)
                case .notModified(let validators): (false, validators)
                case .pastTheEnd(let error): throw error
                }
            }
        }

        private static func told<DTO>(_ answer: RemoteAnswer<DTO>) -> (isChanged: Bool, validators: Validators?) {
            switch answer {
            case .changed(_, let validators): (true, validators)
            case .notModified(let validators): (false, validators)
            }
        }

        var body: String {
            switch self {
            case .item: RemoteSubject.rest.itemBody(1)
            case .page: RemoteSubject.rest.pageBody([1], info: #"{"pages":1,"count":1}"#)
            }
        }
    }

    private static func headers(_ etag: String?, _ lastModified: String?) -> [HTTPHeader] {
        [etag.map { HTTPHeader("eTag", $0) }, lastModified.map { HTTPHeader("last-modified", $0) }].compactMap { $0 }
    }

    private static let validators: [(etag: String?, lastModified: String?)] = [
        ("\"a\"", nil), ("W/\"a\"", nil), (nil, date), ("W/\"a\"", date), ("\"é\"", nil), (nil, nil),
        ("\"\(String(repeating: "a", count: 1022))\"", nil),
    ]

    @Test(arguments: Call.allCases, Array(validators.indices))
    private func validatorsAreSentInTheNextRequest(call: Call, index: Int) async throws {
        let (etag, lastModified) = Self.validators[index]
        let mock = HTTPClientMock(.success(.of(200, call.body, Self.headers(etag, lastModified))))
        let source = try RemoteSubject.rest.source(mock)
        let answer = try await call.ask(source, nil)
        #expect(answer.isChanged)
        #expect(answer.validators == Validators(etag: etag, lastModified: lastModified))
        #expect(mock.requests.first?.headers["If-None-Match"] == nil)
        #expect(mock.requests.first?.headers["If-Modified-Since"] == nil)
        _ = try await call.ask(source, answer.validators)
        #expect(mock.requests.last?.headers["If-None-Match"] == etag)
        #expect(mock.requests.last?.headers["If-Modified-Since"] == lastModified)
    }

    @Test(
        arguments: Call.allCases,
        ["a\r\nX: y", "a\nb", "a\u{0}", "a\tb", "a\u{7F}", "", String(repeating: "a", count: 1025)])
    private func unsafeValidatorsAreDropped(call: Call, bad: String) async throws {
        let mock = HTTPClientMock(.success(.of(200, call.body, Self.headers(bad, Self.date))))
        let source = try RemoteSubject.rest.source(mock)
        #expect(try await call.ask(source, nil).validators == Validators(etag: nil, lastModified: Self.date))
        _ = try await call.ask(source, Validators(etag: bad, lastModified: bad))
        #expect(mock.requests.last?.headers["If-None-Match"] == nil)
        #expect(mock.requests.last?.headers["If-Modified-Since"] == nil)
        // A 304 answers only conditional requests. This request is unconditional, so a 304 is an error.
        mock.set(.success(HTTPResponse(status: 304)))
        let error = await failure { () throws(APIError) in
            try await call.ask(source, Validators(etag: bad, lastModified: nil))
        }
        #expect(error?.status == 304)
    }

    @Test(arguments: Call.allCases)
    private func notModifiedAnswerUpdatesTheValidators(call: Call) async throws {
        let known = try #require(Validators(etag: "\"a\"", lastModified: Self.date))
        let cases: [(headers: [HTTPHeader], new: Validators?)] = [
            ([], nil), (Self.headers("\"a\"", nil), nil), (Self.headers("\"a\"", Self.date), nil),
            (Self.headers("\"b\"", nil), Validators(etag: "\"b\"", lastModified: Self.date)),
            (Self.headers(nil, "later"), Validators(etag: "\"a\"", lastModified: "later")),
            (Self.headers("a\nb", nil), nil),
        ]
        let mock = HTTPClientMock()
        let source = try RemoteSubject.rest.source(mock)
        for (headers, new) in cases {
            mock.set(.success(HTTPResponse(status: 304, headers: headers)))
            let answer = try await call.ask(source, known)
            #expect(!answer.isChanged)
            #expect(answer.validators == new)
        }
    }

    @Test(arguments: Call.allCases)
    private func status304WithoutAConditionalRequestIsAnError(call: Call) async throws {
        let source = try RemoteSubject.rest.source(HTTPClientMock(.success(HTTPResponse(status: 304))))
        let error = await failure { () throws(APIError) in try await call.ask(source, nil) }
        #expect(error?.kind == .serverError)
        #expect(error?.status == 304)
        #expect(error?.fallsBackToCache == false)
    }

    /// A conditional header field in the catalog takes precedence over the stored validators.
    @Test func declaredConditionalHeaderIsNotReplaced() throws {
        let catalog = try RemoteSubject.rest.catalog()
        let endpoint = Endpoint(
            path: "/", headers: [HTTPHeader("if-none-match", "\"mine\"")],
            validators: Validators(etag: "\"a\"", lastModified: nil))
        let request = endpoint.request(to: catalog.apis[0])
        #expect(request.headers["If-None-Match"] == nil)
        #expect(request.credentials["If-None-Match"] == "\"mine\"")
    }

    @Test(arguments: Call.allCases)
    private func postIsNeverConditional(call: Call) async throws {
        let subject = RemoteSubject.graphql
        let body = call == .item ? subject.itemBody(1) : subject.pageBody([1], info: #"{"pages":1,"count":1}"#)
        let mock = HTTPClientMock(.success(.of(200, body, Self.headers("\"a\"", Self.date))))
        let source = try subject.source(mock)
        let answer = try await call.ask(source, Validators(etag: "\"a\"", lastModified: Self.date))
        #expect(answer.isChanged)
        #expect(answer.validators == nil)
        #expect(mock.requests.map { $0.headers.map(\.name) } == [["Accept", "Content-Type"]])
        mock.set(.success(HTTPResponse(status: 304)))
        let error = await failure { () throws(APIError) in
            try await call.ask(source, Validators(etag: "\"a\"", lastModified: nil))
        }
        #expect(error?.status == 304)
    }

    /// With a real client and server, validators are sent back unchanged, and a 304 has no body.
    @Test(arguments: Call.allCases, ["\"a\"", "W/\"a\""])
    private func validatorsSurviveARoundTripOverASocket(call: Call, etag: String) async throws {
        let body = Array(call.body.utf8)
        let server = try LoopbackServer { request in
            let isKnown =
                request.headers["If-None-Match"] == etag && request.headers["If-Modified-Since"] == Self.date
            let headers = [HTTPHeader("ETag", etag), HTTPHeader("Last-Modified", Self.date)]
            return isKnown ? .normal(status: 304, headers: headers) : .normal(headers: headers, body: body)
        }
        let counters = RemoteCounters()
        let client = APIClient(HTTPClient(version: "test"), counters: counters)
        let source = try RemoteSubject.rest.source(client, at: server.origin)
        let first = try await call.ask(source, nil)
        #expect(first.isChanged)
        #expect(counters.statistics.notModified == 0)
        let second = try await call.ask(source, first.validators)
        #expect(!second.isChanged)
        #expect(second.validators == nil)
        #expect(try await call.ask(source, Validators(etag: "\"b\"", lastModified: nil)).isChanged)
        #expect(server.connections == 1)
        #expect(counters.statistics.requests == 3)
        #expect(counters.statistics.notModified == 1)
        #expect(counters.statistics.failures == 0)
    }
}
