/// The index that stands beside a long list: a few characters, each of which leads to a section.
enum SectionIndex {
  /// The title of a section: the first character of its name in upper case, nothing for the section without a name.
  static func title(of name: String) -> String {
    name.first.map { $0.uppercased() } ?? ""
  }

  /// The titles of sections in their order, each once.
  static func titles(of names: some Sequence<String>) -> [String] {
    var seen: Set<String> = []
    return names.map(title).filter { !$0.isEmpty && seen.insert($0).inserted }
  }
}
