import DaybookTestSupport
import Testing

@testable import DaybookModel

@Suite(.hangLimit) struct ExtremeHeapTests {
  private struct Ascending: HeapOrder {
    func precedes(_ a: Int, _ b: Int) -> Bool { a < b }
  }

  @Test func `the first element is the least one that is present`() throws {
    try SeededRandom.run(Rounds.of(200)) { random in
      var heap = ExtremeHeap(Ascending())
      var plain: [Int] = []
      let range = random.pick([3, 20, 200])
      for step in 0..<300 {
        if plain.isEmpty || random.isTrue(percent: step % 100 < 50 ? 75 : 25) {
          let element = random.number(0..<range)
          plain.append(element)
          heap.add(element)
        } else {
          // The least element leaves more often than others.
          let element = random.isOneIn(2) ? plain.min()! : random.pick(plain)
          plain.remove(at: plain.firstIndex(of: element)!)
          heap.remove(element)
        }
        heap.checkInvariants()
        guard heap.first == plain.min() else {
          throw Mismatch("\(String(describing: heap.first)) is first of \(plain)")
        }
      }
    }
  }

  @Test func `an element that is not there is not removed`() {
    var heap = ExtremeHeap(Ascending())
    heap.remove(3)
    heap.add(4)
    heap.remove(3)
    #expect(heap.first == 4)
    heap.remove(4)
    heap.remove(4)
    heap.checkInvariants()
    #expect(heap.first == nil)
  }

  @Test func `elements that left take no more memory than those that are present`() {
    var heap = ExtremeHeap(Ascending())
    heap.add(-1)
    for number in 0..<10_000 {
      heap.add(number)
      heap.remove(number)
      heap.checkInvariants(maximumCount: 4)
    }
    #expect(heap.first == -1)
  }
}
