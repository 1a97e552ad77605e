import DaybookDiff
import DifferenceCases
import Testing

/// The cases of the file, from tests of other fetched-results controllers.
@Suite(.hangLimit) struct FeedCaseTests {
  @Test func thereAreSixty() throws {
    #expect(try FeedCase.all().count == 60)
  }

  @Test(arguments: try FeedCase.all())
  func isAsExpected(_ feedCase: FeedCase) throws {
    let situation = feedCase.situation
    #expect(situation.new == feedCase.final)
    #expect(try situation.built() == feedCase.expected)
    #expect(situation.reference().isTie == feedCase.isTie)
    try situation.checkEverything()
  }
}
