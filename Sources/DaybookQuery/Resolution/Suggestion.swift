/// Finds names similar to an unknown one.
enum Suggestion {
  /// The limit on the length of names that are compared.
  private static let maximumLength = 64

  /// Returns a clause with the closest names, or with all if they are few.
  ///
  /// Empty if there are neither.
  static func text(for name: String, among names: [String]) -> String {
    let close = closest(to: name, among: names)
    if !close.isEmpty { return "; did you mean \(list(close, joinedBy: "or"))?" }
    guard !names.isEmpty, names.count <= 12 else { return "" }
    return "; there are \(list(names, joinedBy: "and"))"
  }

  private static func closest(to name: String, among names: [String]) -> [String] {
    let wanted = Array(name.lowercased())
    guard wanted.count <= maximumLength else { return [] }
    let limit = max(1, wanted.count / 3)
    let near = names.compactMap { candidate -> (name: String, distance: Int)? in
      let letters = Array(candidate.lowercased())
      guard letters.count <= maximumLength else { return nil }
      let distance = distance(wanted, letters)
      return distance <= limit ? (candidate, distance) : nil
    }
    return near.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(3).map(\.name)
  }

  private static func list(_ names: [String], joinedBy word: String) -> String {
    let quoted = names.map { "“\($0)”" }
    guard quoted.count > 1, let last = quoted.last else { return quoted.first ?? "" }
    return quoted.dropLast().joined(separator: ", ") + " \(word) " + last
  }

  /// Returns the number of edits that turn one word into the other.
  ///
  /// An edit inserts, deletes or replaces a letter, or swaps two neighbours.
  private static func distance(_ a: [Character], _ b: [Character]) -> Int {
    var older: [Int] = []
    var old = Array(0...b.count)
    for row in a.indices {
      var new = [row + 1]
      for column in b.indices {
        var cost = min(old[column] + (a[row] == b[column] ? 0 : 1), old[column + 1] + 1, new[column] + 1)
        if row > 0, column > 0, a[row] == b[column - 1], a[row - 1] == b[column] {
          cost = min(cost, older[column - 1] + 1)
        }
        new.append(cost)
      }
      older = old
      old = new
    }
    return old[b.count]
  }
}
