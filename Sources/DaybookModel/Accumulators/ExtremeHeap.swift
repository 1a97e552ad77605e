/// An order of elements in which the first one is of interest.
package protocol HeapOrder: Sendable {
  associatedtype Element: Hashable & Sendable
  /// Whether an element precedes another one; of two different elements one does.
  func precedes(_ a: Element, _ b: Element) -> Bool
}

/// A multiset with its first element in an order, from which each element can be taken out again.
///
/// The different elements are in a heap. An element that is taken out stays there, with the count 0, until it is the
/// first one, or until half of the heap is such elements: so it need not be searched.
package struct ExtremeHeap<Order: HeapOrder>: Sendable {
  package typealias Element = Order.Element

  private let order: Order
  private var heap: [Element] = []
  /// How often each element of the heap is in the multiset.
  private var counts: [Element: Int] = [:]
  /// The number of elements with the count 0.
  private var absentCount = 0

  package init(_ order: Order) {
    self.order = order
  }

  /// The first element; `nil` for an empty heap.
  package var first: Element? { heap.first }

  /// Adds an element.
  ///
  /// - Complexity: O(log *d*) for *d* different elements.
  package mutating func add(_ element: Element) { add(element, count: 1) }

  mutating func add(_ element: Element, count: Int) {
    guard let present = counts[element] else {
      counts[element] = count
      heap.append(element)
      moveUp(heap.count - 1)
      return
    }
    if present == 0 { absentCount -= 1 }
    counts[element] = present + count
  }

  /// Takes out an element; one that is not there changes nothing.
  ///
  /// - Complexity: O(log *d*), on average over all changes.
  package mutating func remove(_ element: Element) {
    guard let present = counts[element], present > 0 else { return }
    counts[element] = present - 1
    guard present == 1 else { return }
    absentCount += 1
    if absentCount > heap.count / 2 { return dropAbsent() }
    while let first = heap.first, counts[first] == 0 {
      counts[first] = nil
      absentCount -= 1
      removeFirst()
    }
  }

  /// The different elements, in no order, each with its number.
  var elements: [(element: Element, count: Int)] { counts.lazy.filter { $0.value > 0 }.map { ($0.key, $0.value) } }

  private mutating func dropAbsent() {
    counts = counts.filter { $0.value > 0 }
    heap.removeAll { counts[$0] == nil }
    absentCount = 0
    for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { moveDown(index) }
  }

  private mutating func removeFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    moveDown(0)
  }

  private mutating func moveUp(_ start: Int) {
    var index = start
    while index > 0, order.precedes(heap[index], heap[(index - 1) / 2]) {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private mutating func moveDown(_ start: Int) {
    var index = start
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2] where child < heap.count {
        if order.precedes(heap[child], heap[least]) { least = child }
      }
      if least == index { return }
      heap.swapAt(index, least)
      index = least
    }
  }
}

extension ExtremeHeap {
  /// Traps if the heap is not in order, has more elements than allowed, or the counts differ from it; for tests.
  func checkInvariants(maximumCount: Int = .max) {
    precondition(heap.count <= maximumCount)
    precondition(counts.count == heap.count && Set(heap) == Set(counts.keys))
    precondition(absentCount == counts.values.count { $0 == 0 } && counts.values.allSatisfy { $0 >= 0 })
    precondition(heap.first.map { counts[$0] ?? 0 > 0 } ?? true)
    for index in heap.indices.dropFirst() { precondition(!order.precedes(heap[index], heap[(index - 1) / 2])) }
  }
}
