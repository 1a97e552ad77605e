#if Command

import Testing

@testable import Daybook
@testable import DaybookCLI
@testable import DaybookRuntime

@Suite(.hangLimit) struct TextTableTests {
  @Test(arguments: [
    ("", 0), ("Cake", 4), ("Crème", 5), ("Cre\u{300}me", 5), ("寿司", 4), ("ﾊﾝｶｸ", 4), ("🍰", 2), ("👩‍👩‍👧‍👦", 2), ("🇮🇹", 2),
    ("❤", 1), ("❤️", 2), ("한국", 4), ("\u{200b}", 0), ("（", 2), ("é…→", 3),
  ])
  func widthsFollowTheTerminal(text: String, width: Int) {
    #expect(DisplayWidth.of(text) == width)
  }

  @Test func columnsLineUp() {
    var table = TextTable(["id", "name", .right("n")])
    table.add(["a", "寿司", "1"])
    table.add(["bb", "Cre\u{300}me", "20"])
    #expect(table.lines(width: nil) == ["id  name    n", "a   寿司    1", "bb  Cre\u{300}me  20"])
  }

  @Test func theWidestColumnsGiveWay() {
    var table = TextTable(["id", "name"])
    table.add(["12345678", "a very long name indeed"])
    table.add(["12345678", "寿司寿司寿司"])
    #expect(table.lines(width: 18) == ["id        name", "12345678  a very …", "12345678  寿司寿…"])
    #expect(table.lines(width: 100)[1] == "12345678  a very long name indeed")
  }

  @Test func nothingBreaksTheLine() {
    var table = TextTable(["name"])
    table.add(["a\nb\tc\u{1b}[31m"])
    #expect(table.lines(width: nil) == ["name", "a b c [31m"])
  }
}

@Suite(.hangLimit) struct ProgressBarTests {
  @Test func theBarSaysHowFarAndHowLong() {
    let progress = StoreProgress(activity: "folding events", completed: 500, total: 2_000, unit: "commits")
    #expect(
      ProgressBar.line(progress, since: 0, seconds: 2)
        == "folding events [██████░░░░░░░░░░░░░░░░░░] 25 % 250/s 6 s left")
    let open = StoreProgress(activity: "building views", completed: 12_345, total: nil, unit: "rows")
    #expect(ProgressBar.line(open, since: 0, seconds: 0) == "building views 12\u{202f}345 rows")
  }

  @Test func durationsAreShort() {
    #expect(ProgressBar.duration(0.2) == "1 s")
    #expect(ProgressBar.duration(125) == "2:05 min")
    #expect(ProgressBar.duration(3_725) == "1:02 h")
  }
}

#endif
