#if Command

import DaybookTestSupport
import Testing

/// A program that is compiled without experimental features reads raw events, and has a projection.
@Suite(.hangLimit) struct PlainClientTests {
  @Test func `a client needs no experimental feature for raw events and a projection`() throws {
    let directory = try TemporaryDirectory()
    let run = try shell("cd '\(directory.path)' && \"$(dirname \"$DAYBOOK\")/PlainClient\"")
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.output == """
        2 inserted [Cake, 4]
        3 set [4, 6]
        Cake 2 6

        """)
  }
}

#endif
