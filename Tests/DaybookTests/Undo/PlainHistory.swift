import Daybook

/// A history of states, each kept whole, in which undo and redo follow the rules word by word.
struct PlainHistory {
  struct Node: Equatable {
    var values: [String: Value] = [:]
    var up: ObjectID?
    var peers: Set<ObjectID> = []
    /// The target of the one-to-one relationship, which is the mate of no other node.
    var mate: ObjectID?
    /// The targets of relationships that are their own inverses: these nodes have this one, too.
    var pals: Set<ObjectID> = []
    var spouse: ObjectID?
  }

  typealias State = [ObjectID: Node]

  struct Entry {
    let author: String?
    /// The commits that it undoes or redoes, and which of both it does.
    var undoes: ClosedRange<Position>?
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

  /// The commit to undo, or `nil` without one.
  func undoTarget(of author: String?) -> Position? {
    positions.reversed().first { isOrdinary($0, author) && !isUndone($0) }
  }

  /// The commit to redo, or `nil` without one.
  func redoTarget(of author: String?) -> Position? {
    let last = positions.last { isOrdinary($0, author) } ?? .empty
    let undone = positions.filter { position in
      isUndone(position) && (author == nil || self[position].author == author)
    }
    let dated = undone.compactMap { position in lastNaming(position).map { (position, $0) } }
    // Of the commits that one revert undid, the first one was undone last.
    return dated.filter { $0.1 > last }.max { ($0.1, $1.0) < ($1.1, $0.0) }?.0
  }

  private var positions: [Position] { (1...entries.count).map { Position(UInt64($0)) } }

  private func isOrdinary(_ position: Position, _ author: String?) -> Bool {
    let entry = self[position]
    return !entry.isModel && entry.undoes == nil && entry.redoes == nil && (author == nil || entry.author == author)
  }

  private func lastNaming(_ position: Position) -> Position? {
    positions.last { self[$0].undoes?.contains(position) ?? false || self[$0].redoes == position }
  }

  private func isUndone(_ position: Position) -> Bool {
    lastNaming(position).map { self[$0].undoes != nil } ?? false
  }

  /// Returns the state after restoring what a commit changed, or `nil` for a conflict.
  func restoring(_ position: Position, isRedo: Bool) -> State? {
    let entry = self[position]
    return isRedo
      ? PlainHistory.restored(left: entry.before, goal: entry.after, now: now)
      : PlainHistory.restored(left: entry.after, goal: entry.before, now: now)
  }

  /// Returns the state after undoing commits together, or `nil` for a conflict.
  func reverting(_ first: Position, through last: Position) -> State? {
    PlainHistory.restored(left: self[last].after, goal: self[first].before, now: now)
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
    var mates: [(ObjectID, ObjectID?)] = []
    var spouses: [(ObjectID, ObjectID?)] = []
    for id in ids {
      let (former, aim, present) = (left[id]?.up, goal[id]?.up, now[id]?.up)
      if former != aim, present != aim {
        if let aim { guard willExist(id), willExist(aim) else { return nil } }
        if present != former, !going.contains(id) { return nil }
        result[id]?.up = aim
      }
      let (ownMate, aimedMate, presentMate) = (left[id]?.mate, goal[id]?.mate, now[id]?.mate)
      if ownMate != aimedMate, presentMate != aimedMate {
        if let aimedMate {
          guard willExist(id), willExist(aimedMate) else { return nil }
          // The mate would be taken from the node that has it now.
          let owner = mateOf(aimedMate, in: now)
          if owner != id, owner != mateOf(aimedMate, in: left), now[aimedMate] != nil { return nil }
        }
        if presentMate != ownMate, !going.contains(id) { return nil }
        mates.append((id, aimedMate))
      }
      let (ownSpouse, aimedSpouse, presentSpouse) = (left[id]?.spouse, goal[id]?.spouse, now[id]?.spouse)
      if ownSpouse != aimedSpouse, presentSpouse != aimedSpouse {
        if let aimedSpouse { guard willExist(id), willExist(aimedSpouse) else { return nil } }
        if presentSpouse != ownSpouse, !going.contains(id) { return nil }
        spouses.append((id, aimedSpouse))
      }
      for pal in (left[id]?.pals ?? []).union(goal[id]?.pals ?? []) where id <= pal {
        let (was, isAim) = (left[id]?.pals.contains(pal) ?? false, goal[id]?.pals.contains(pal) ?? false)
        if was == isAim || now[id]?.pals.contains(pal) ?? false == isAim { continue }
        if isAim { guard willExist(id), willExist(pal) else { return nil } }
        setPals(id, pal, isAim, in: &result)
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
    for (id, _) in mates { result[id]?.mate = nil }
    for (id, mate) in mates { if let mate { setMate(of: id, to: mate, in: &result) } }
    for (id, _) in spouses { setSpouse(of: id, to: nil, in: &result) }
    for (id, spouse) in spouses { if let spouse { setSpouse(of: id, to: spouse, in: &result) } }
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
      if other == id, let mate = node.mate { links.insert(["mate", "\(mate)"]) }
      if node.mate == id { links.insert(["mateOf", "\(other)"]) }
      if node.pals.contains(id) { links.insert(["pals", "\(other)"]) }
      if node.spouse == id { links.insert(["spouse", "\(other)"]) }
    }
    return links
  }

  static func delete(_ id: ObjectID, in state: inout State) {
    state[id] = nil
    for other in state.keys {
      if state[other]?.up == id { state[other]?.up = nil }
      state[other]?.peers.remove(id)
      if state[other]?.mate == id { state[other]?.mate = nil }
      state[other]?.pals.remove(id)
      if state[other]?.spouse == id { state[other]?.spouse = nil }
    }
  }

  /// Makes or removes the link of two nodes, which may be one.
  static func setPals(_ id: ObjectID, _ pal: ObjectID, _ areLinked: Bool, in state: inout State) {
    for (one, other) in [(id, pal), (pal, id)] {
      if areLinked { state[one]?.pals.insert(other) } else { state[one]?.pals.remove(other) }
    }
  }

  /// Links two nodes, which lose their former links, or removes the link of a node.
  static func setSpouse(of id: ObjectID, to spouse: ObjectID?, in state: inout State) {
    for end in [id, spouse] {
      guard let end, let former = state[end]?.spouse else { continue }
      state[former]?.spouse = nil
      state[end]?.spouse = nil
    }
    guard let spouse else { return }
    state[id]?.spouse = spouse
    state[spouse]?.spouse = id
  }

  /// Returns the node whose mate a node is.
  static func mateOf(_ id: ObjectID, in state: State) -> ObjectID? { state.first { $0.value.mate == id }?.key }

  /// Takes a mate from the node that has it.
  static func setMate(of id: ObjectID, to mate: ObjectID, in state: inout State) {
    if let owner = mateOf(mate, in: state) { state[owner]?.mate = nil }
    state[id]?.mate = mate
  }
}
