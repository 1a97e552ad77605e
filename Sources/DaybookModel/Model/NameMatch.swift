/// Matches the parts of a new model with a store's parts, by name or by former name.
///
/// A `renamedFrom` may stay in a model file after the rename. So a former name counts only while the store has it and
/// lacks the new name, unless another rename takes that new name away.
struct NameMatch {
  /// The number of the old part for each new part, or `nil` for an added part.
  private(set) var numbers: [Int?] = []
  /// The ambiguous renames, by the numbers of the new parts.
  private(set) var complaints: [(number: Int, message: String)] = []

  init(_ things: [(name: String, from: String?)], among old: [String: Int]) {
    let renamed = NameMatch.renames(things, among: old)
    let taken = Set(renamed.values)
    numbers = things.enumerated().map { number, thing in
      if let from = renamed[number] { return old[from] }
      return taken.contains(thing.name) ? nil : old[thing.name]
    }
    let kept = Set(numbers.compactMap { $0 })
    for (number, thing) in things.enumerated() where renamed[number] == nil {
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

  /// Returns the former names of the parts whose rename is still pending, by the numbers of the parts.
  private static func renames(_ things: [(name: String, from: String?)], among old: [String: Int]) -> [Int: String] {
    var renamed: [Int: String] = [:]
    var taken: Set<String> = []
    var isChanging = true
    while isChanging {
      isChanging = false
      for (number, thing) in things.enumerated() where renamed[number] == nil {
        guard let from = thing.from, old[from] != nil, old[thing.name] == nil || taken.contains(thing.name) else {
          continue
        }
        renamed[number] = from
        taken.insert(from)
        isChanging = true
      }
    }
    return renamed
  }
}
