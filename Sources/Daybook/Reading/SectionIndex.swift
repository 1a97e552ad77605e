/// The index beside a long list: short titles, each of which leads to a section.
enum SectionIndex {
  /// Returns a section's title: the first character of its name in upper case, or nothing.
  static func title(of name: String) -> String {
    name.first.map { $0.uppercased() } ?? ""
  }

  /// Returns the titles of sections in their order, each title once.
  static func titles(of names: some Sequence<String>) -> [String] {
    var seen: Set<String> = []
    return names.map(title).filter { !$0.isEmpty && seen.insert($0).inserted }
  }
}
