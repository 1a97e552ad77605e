#if Import

import Testing

@testable import DaybookImport

@Suite(.hangLimit)
struct RequiredOrderTests {
  @Test
  func `an entity follows the entities that it requires`() {
    let order = RequiredOrder(["A", "B", "C"], requiring: ["A": ["B"], "B": ["C"]])
    #expect(order.groups.map(\.entities) == [["C"], ["B"], ["A"]])
    #expect(order.groups.map(\.isDivisible) == [true, true, true])
  }

  @Test
  func `a cycle is written together`() {
    let order = RequiredOrder(["A", "B", "C", "D"], requiring: ["A": ["B"], "B": ["A"], "C": ["C"], "D": []])
    #expect(order.groups.map(\.entities) == [["C"], ["D"], ["A", "B"]])
    #expect(order.groups.map(\.isDivisible) == [false, true, false])
  }
}

#endif
