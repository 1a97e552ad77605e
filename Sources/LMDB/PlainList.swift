/// A growing list of plain values, for the hottest paths.
///
/// An array in a class is checked for exclusive access and unique ownership at each step, and its elements are copied
/// through a reference that is retained. A list of plain values with one owner needs none of these; only the index is
/// checked. An empty list has no memory: a write makes a dozen lists, of which it uses a few.
@safe
@usableFromInline
package struct PlainList<Element: BitwiseCopyable>: ~Copyable {
  @usableFromInline var elements: UnsafeMutablePointer<Element>
  @usableFromInline var capacity: Int
  @usableFromInline package internal(set) var count = 0

  package init() {
    capacity = 0
    // No address of an element, which is never used as long as there is no capacity.
    unsafe elements = UnsafeMutablePointer(bitPattern: MemoryLayout<Element>.alignment)!
  }

  deinit { if capacity > 0 { unsafe elements.deallocate() } }
}

extension PlainList {
  @inlinable package var isEmpty: Bool { count == 0 }
  @inlinable package var indices: Range<Int> { 0..<count }

  @inlinable
  package subscript(index: Int) -> Element {
    // Addresses and not coroutines, because the compiler neither inlines nor specialises the coroutine calls.
    @_transparent
    unsafeAddress {
      precondition(index >= 0 && index < count, "A list has no such index")
      return unsafe UnsafePointer(elements + index)
    }
    @_transparent
    unsafeMutableAddress {
      precondition(index >= 0 && index < count, "A list has no such index")
      return unsafe elements + index
    }
  }

  @inlinable
  package mutating func append(_ element: Element) {
    if count == capacity { grow(to: max(capacity * 2, 16)) }
    unsafe elements[count] = element
    count += 1
  }

  /// Removes and returns the last element.
  package mutating func removeLast() -> Element {
    let last = self[count - 1]
    count -= 1
    return last
  }

  /// Replaces the contents by a number of copies of an element.
  package mutating func fill(_ element: Element, count: Int) {
    if count > capacity || count < capacity / 16 {
      if capacity > 0 { unsafe elements.deallocate() }
      capacity = max(count, 16)
      unsafe elements = .allocate(capacity: capacity)
    }
    unsafe elements.update(repeating: element, count: count)
    self.count = count
  }

  /// Removes all elements; keeps the capacity unless they needed far less.
  package mutating func removeAll() {
    let mayShrink = capacity > 1 << 16 && count < capacity / 16
    count = 0
    if mayShrink { grow(to: capacity / 4) }
  }

  @usableFromInline
  mutating func grow(to capacity: Int) {
    let former = unsafe elements
    unsafe elements = .allocate(capacity: capacity)
    if self.capacity > 0 {
      unsafe elements.update(from: former, count: count)
      unsafe former.deallocate()
    }
    self.capacity = capacity
  }
}
