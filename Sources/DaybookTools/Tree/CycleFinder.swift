import DaybookModel

/// Finds the objects in cycles during a walk that follows each object's links once, from the top down.
///
/// It is the algorithm of Tarjan for strongly connected components: an object that leads back to none of the objects
/// above it ends a component, and the objects of a component with several objects are below themselves.
struct CycleFinder {
  /// The objects found to be below themselves.
  private(set) var members: Set<ObjectID> = []
  /// The order in which objects were entered.
  private var numbers: [ObjectID: Int] = [:]
  /// The first entered object that each object of an open component is known to lead to.
  private var lows: [ObjectID: Int] = [:]
  /// The objects of open components.
  private var open: [ObjectID] = []

  /// Notes that the walk visits an object for the first time.
  mutating func enter(_ id: ObjectID) {
    lows[id] = numbers.count
    numbers[id] = numbers.count
    open.append(id)
  }

  /// Notes that a visited object leads to one that was visited before.
  mutating func note(_ parent: ObjectID, leadsTo id: ObjectID) {
    if parent == id { members.insert(id) }
    guard let low = lows[parent], lows[id] != nil, let number = numbers[id] else { return }
    lows[parent] = min(low, number)
  }

  /// Notes that the walk has visited everything below an object.
  ///
  /// - Parameter parent: The object above it in the walk.
  mutating func leave(_ id: ObjectID, below parent: ObjectID?) {
    guard let low = lows[id] else { return }
    if let parent, let above = lows[parent] { lows[parent] = min(above, low) }
    guard low == numbers[id], let start = open.lastIndex(of: id) else { return }
    if open.count - start > 1 { members.formUnion(open[start...]) }
    for member in open[start...] { lows[member] = nil }
    open.removeLast(open.count - start)
  }
}
