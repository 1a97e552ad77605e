import DaybookDiff
import Testing

@Suite struct RowPathTests {
  @Test func sectionsCountBeforeRows() {
    #expect(RowPath(section: 0, row: 9) < RowPath(section: 1, row: 0))
    #expect(RowPath(section: 1, row: 0) < RowPath(section: 1, row: 1))
  }
}
