/// Which things of a store's model the things of a new one are, by name or by former name.
///
/// A `renamedFrom` may stay in a model file after the rename was done. So a former name counts only while the store
/// has it, and has not the new name as well; unless that name is itself being taken away by another rename.
struct NameMatch {
  /// For each new thing the number of the old one; nil for one that is added.
  private(set) var numbers: [Int?] = []
  /// What is unclear, by the numbers of the new things.
  private(set) var complaints: [(number: Int, message: String)] = []

  init(_ things: [(name: String, from: String?)], among old: [String: Int]) {
    let renamed = NameMatch.renames(things, among: old)
    let taken = Set(renamed.map { things[$0].from! })
    numbers = things.enumerated().map { number, thing in
      if renamed.contains(number) { return old[thing.from!] }
      return taken.contains(thing.name) ? nil : old[thing.name]
    }
    let kept = Set(numbers.compactMap { $0 })
    for (number, thing) in things.enumerated() where !renamed.contains(number) {
      guard let from = thing.from else { continue }
      if let former = old[from], !kept.contains(former) {
        complaints.append(
          (number, "is to be renamed from “\(from)”, but the store has both; remove one in a change of its own"))
      } else if numbers[number] == nil, kept.count < old.count {
        let lost = old.filter { !kept.contains($0.value) }.keys.sorted().joined(separator: "”, “")
        let problem = "is renamed from “\(from)”, which the store does not have, while “\(lost)” is removed"
        complaints.append((number, "\(problem); correct “renamedFrom”, or leave it out"))
      }
    }
  }

  /// The numbers of the things whose rename is still to be done.
  private static func renames(_ things: [(name: String, from: String?)], among old: [String: Int]) -> Set<Int> {
    var renamed: Set<Int> = []
    var taken: Set<String> = []
    var isChanging = true
    while isChanging {
      isChanging = false
      for (number, thing) in things.enumerated() where !renamed.contains(number) {
        guard let from = thing.from, old[from] != nil, old[thing.name] == nil || taken.contains(thing.name) else {
          continue
        }
        renamed.insert(number)
        taken.insert(from)
        isChanging = true
      }
    }
    return renamed
  }
}
