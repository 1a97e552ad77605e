#if Command

import DaybookTestSupport
import Testing

/// A program that is compiled without experimental features reads raw events.
@Suite(.hangLimit) struct PlainClientTests {
  @Test func `a client needs no experimental feature to read raw events`() throws {
    let directory = try TemporaryDirectory()
    let run = try shell("cd '\(directory.path)' && \"$(dirname \"$DAYBOOK\")/PlainClient\"")
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.output == """
        2 inserted [Cake, 4]
        3 set [4, 6]
        3 [12]

        """)
  }
}

#endif
