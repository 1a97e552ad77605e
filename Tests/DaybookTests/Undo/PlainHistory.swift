import Daybook

/// A history of states, each kept whole, in which undo and redo follow the rules word by word.
struct PlainHistory {
  struct Node: Equatable {
    var values: [String: Value] = [:]
    var up: ObjectID?
    var peers: Set<ObjectID> = []
  }

  typealias State = [ObjectID: Node]

  struct Entry {
    let author: String?
    /// The commit that it undoes or redoes, and which of both it does.
    var undoes: Position?
    var redoes: Position?
    var isModel = false
    let before: State
    let after: State
  }

  static let attributes = ["a", "b", "key", "blob"]

  /// The commits, from position 1.
  private(set) var entries: [Entry] = [Entry(author: nil, isModel: true, before: [:], after: [:])]

  var now: State { entries[entries.count - 1].after }
  var head: Position { Position(UInt64(entries.count)) }

  subscript(position: Position) -> Entry { entries[Int(position.number) - 1] }

  mutating func add(_ entry: Entry) { entries.append(entry) }

  /// The commit to undo, or `nil` if there is none.
  func undoTarget(of author: String?) -> Position? {
    positions.reversed().first { isOrdinary($0, author) && !isUndone($0) }
  }

  /// The commit to redo, or `nil` if there is none.
  func redoTarget(of author: String?) -> Position? {
    let last = positions.last { isOrdinary($0, author) } ?? .empty
    let undone = positions.filter { position in
      isUndone(position) && (author == nil || self[position].author == author)
    }
    let dated = undone.compactMap { position in lastNaming(position).map { (position, $0) } }
    return dated.filter { $0.1 > last }.max { $0.1 < $1.1 }?.0
  }

  private var positions: [Position] { (1...entries.count).map { Position(UInt64($0)) } }

  private func isOrdinary(_ position: Position, _ author: String?) -> Bool {
    let entry = self[position]
    return !entry.isModel && entry.undoes == nil && entry.redoes == nil && (author == nil || entry.author == author)
  }

  private func lastNaming(_ position: Position) -> Position? {
    positions.last { self[$0].undoes == position || self[$0].redoes == position }
  }

  private func isUndone(_ position: Position) -> Bool {
    lastNaming(position).map { self[$0].undoes == position } ?? false
  }

  /// Returns the state after restoring what a commit changed, or `nil` for a conflict.
  func restoring(_ position: Position, isRedo: Bool) -> State? {
    let entry = self[position]
    return isRedo
      ? PlainHistory.restored(left: entry.before, goal: entry.after, now: now)
      : PlainHistory.restored(left: entry.after, goal: entry.before, now: now)
  }

  private static func restored(left: State, goal: State, now: State) -> State? {
    var result = now
    let ids = Set(left.keys).union(goal.keys)
    let coming = ids.filter { left[$0] == nil && goal[$0] != nil && now[$0] == nil }
    let going = ids.filter { left[$0] != nil && goal[$0] == nil && now[$0] != nil }
    func willExist(_ id: ObjectID) -> Bool { coming.contains(id) || (now[id] != nil && !going.contains(id)) }
    for id in going {
      if attributes.contains(where: { now[id]?.values[$0] != left[id]?.values[$0] }) { return nil }
      if !links(of: id, in: now).isSubset(of: links(of: id, in: left)) { return nil }
    }
    for id in coming { result[id] = Node(values: goal[id]?.values ?? [:]) }
    for id in ids where goal[id] != nil && !coming.contains(id) {
      for name in attributes {
        let (former, aim) = (left[id]?.values[name], goal[id]?.values[name])
        if former == aim { continue }
        guard let present = now[id]?.values[name] else { return nil }
        if present == aim { continue }
        if present != former { return nil }
        result[id]?.values[name] = aim
      }
    }
    for id in ids {
      let (former, aim, present) = (left[id]?.up, goal[id]?.up, now[id]?.up)
      if former != aim, present != aim {
        if let aim { guard willExist(id), willExist(aim) else { return nil } }
        if present != former, !going.contains(id) { return nil }
        result[id]?.up = aim
      }
      for peer in (left[id]?.peers ?? []).union(goal[id]?.peers ?? []) {
        let was = left[id]?.peers.contains(peer) ?? false
        let isAim = goal[id]?.peers.contains(peer) ?? false
        if was == isAim || now[id]?.peers.contains(peer) ?? false == isAim { continue }
        if isAim {
          guard willExist(id), willExist(peer) else { return nil }
          result[id]?.peers.insert(peer)
        } else {
          result[id]?.peers.remove(peer)
        }
      }
    }
    for id in going { delete(id, in: &result) }
    let keys = result.values.compactMap { $0.values["key"] }.filter { !$0.isNull }
    return Set(keys).count == keys.count ? result : nil
  }

  /// The links of an object, of all relationships and in both directions.
  private static func links(of id: ObjectID, in state: State) -> Set<[String]> {
    var links: Set<[String]> = []
    for (other, node) in state {
      if other == id, let up = node.up { links.insert(["up", "\(up)"]) }
      if node.up == id { links.insert(["downs", "\(other)"]) }
      if other == id { for peer in node.peers { links.insert(["peers", "\(peer)"]) } }
      if node.peers.contains(id) { links.insert(["others", "\(other)"]) }
    }
    return links
  }

  static func delete(_ id: ObjectID, in state: inout State) {
    state[id] = nil
    for other in state.keys {
      if state[other]?.up == id { state[other]?.up = nil }
      state[other]?.peers.remove(id)
    }
  }
}
