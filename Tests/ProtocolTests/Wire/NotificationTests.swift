import JSON
import TestSupport
import Testing

@testable import Protocol

@Suite(.limited) struct NotificationTests {
    @Test func notificationIsOneObjectWithoutAnID() {
        let message = Notification.message("R/changed") { params in
            params.beginObject()
            params.key("a")
            params.string("two\nlines\u{2028}")
            params.endObject()
        }
        #expect(
            String(decoding: message, as: UTF8.self)
                == #"{"jsonrpc":"2.0","method":"R/changed","params":{"a":"two\nlines\u2028"}}"#)
    }
}
