extension Entity {
  /// Its place in a hierarchy, as an addition to its name: `, abstract, with the parent Vehicle`.
  var kindText: String { (isAbstract ? ", abstract" : "") + (parent.map { ", with the parent \($0)" } ?? "") }
}
