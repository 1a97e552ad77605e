import DaybookDiff
import Testing

@Suite(.hangLimit) struct ViewPlanTests {
  @Test func movesThatTouchASectionChangeAreSplit() {
    let difference = Difference<Int>(
      sections: [.delete(index: 0, name: "A"), .insert(index: 1, name: "C")],
      rows: [
        .delete(1, from: path(0, 0)),
        .insert(2, to: path(1, 2)),
        .move(3, from: path(0, 1), to: path(1, 0)),
        .move(4, from: path(0, 2), to: path(0, 0)),
        .move(5, from: path(1, 0), to: path(1, 1)),
        .move(6, from: path(1, 1), to: path(2, 0)),
        .update(7, from: path(1, 2), to: path(0, 1)),
      ])
    #expect(
      difference.viewPlan.rows == [
        .delete(5, from: path(1, 0)), .insert(4, to: path(0, 0)), .move(6, from: path(1, 1), to: path(2, 0)),
        .update(7, from: path(1, 2), to: path(0, 1)),
      ])
    #expect(difference.viewPlan.sections == difference.sections)
  }
}
