#if JetStream

import DaybookEngine
import Testing

@testable import DaybookJetStream

/// What servers answer to a request for a message.
@Suite(.hangLimit) struct StoredMessageTests {
  private func bytes(_ text: String, _ number: UInt64 = 7) throws -> [UInt8]? {
    try EncodedMessage.bytes(in: Array(text.utf8), number)
  }

  @Test func aMessageIsDecodedOrAbsent() throws {
    #expect(try bytes(#"{"type":"t","message":{"subject":"s","seq":7,"data":"AQID","time":"x"}}"#) == [1, 2, 3])
    #expect(try bytes(#"{"message":{"subject":"s","seq":7}}"#) == [])
    #expect(try bytes(#"{"error":{"code":404,"err_code":10037,"description":"no message found"}}"#) == nil)
  }

  @Test(arguments: [
    #"{"error":{"code":503,"err_code":10008,"description":"system temporarily unavailable"}}"#,
    #"{"error":{}}"#, #"{"message":{"seq":8,"data":"AQID"}}"#, #"{"message":{"seq":7,"data":"!"}}"#, "{}", "", "[]",
    #"{"message":{"seq":-1,"data":""}}"#,
  ])
  func anythingElseIsNoProofThatTheMessageIsAbsent(text: String) {
    #expect(throws: StreamUnavailable.self) { try bytes(text) }
  }
}

#endif
