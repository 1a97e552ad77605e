#if Import

/// An archive of `NSKeyedArchiver`: records that refer to each other by number.
///
/// A value is an object of the property list; a reference stands for another object of the archive. Reading is bounded
/// by ``maximumWork``, because a small archive can refer a million times to one large list.
struct KeyedArchive {
  private let plist: BinaryPlist
  private let objects: [Int]
  private let tops: [String: Int]
  private var work = 0

  /// The limit on the elements that all calls together decode.
  static let maximumWork = 20_000_000

  /// Reads the outer dictionary of an archive.
  ///
  /// - Throws: ``ImportError`` for a property list that is not a keyed archive.
  init(_ plist: BinaryPlist) throws(ImportError) {
    self.plist = plist
    guard case .dictionary(let keys, let values) = try plist.object(plist.top) else {
      throw ImportError(.data, "\(plist.name) is not a keyed archive; it is damaged, so take it from a backup")
    }
    var outer: [String: Int] = [:]
    for (key, value) in zip(keys, values) {
      if case .string(let name) = try plist.object(key) { outer[name] = value }
    }
    guard let list = outer["$objects"], case .array(let objects) = try plist.object(list), let top = outer["$top"],
      case .dictionary(let topKeys, let topValues) = try plist.object(top)
    else { throw ImportError(.data, "\(plist.name) is not a keyed archive; it is damaged, so take it from a backup") }
    self.objects = objects
    var tops: [String: Int] = [:]
    for (key, value) in zip(topKeys, topValues) {
      if case .string(let name) = try plist.object(key) { tops[name] = value }
    }
    self.tops = tops
  }

  /// The archived object; archives of models name it `root`.
  var root: Int? { tops["root"] ?? tops.values.min() }

  /// Returns the object that a value is or refers to; null for a missing value and for the archive's own null.
  mutating func object(_ number: Int?) throws(ImportError) -> BinaryPlist.Object {
    guard let number else { return .null }
    var object = try decoded(number)
    if case .uid(let target) = object {
      guard target < objects.count else { throw fault("refers to a missing object") }
      object = try decoded(objects[target])
    }
    if object == .string("$null") { return .null }
    // A reference to a reference does not occur, and could be a circle.
    if case .uid = object { throw fault("refers to a reference") }
    return object
  }

  private mutating func decoded(_ number: Int) throws(ImportError) -> BinaryPlist.Object {
    let object = try plist.object(number)
    switch object {
    case .array(let elements): work += elements.count
    case .dictionary(let keys, _): work += keys.count
    case .string(let text): work += text.utf8.count / 64
    case .data(let bytes): work += bytes.count / 64
    default: break
    }
    work += 1
    guard work <= KeyedArchive.maximumWork else { throw fault("refers too often to the same objects") }
    return object
  }

  func fault(_ text: String) -> ImportError {
    ImportError(.data, "\(plist.name) \(text); it is damaged, so take it from a backup")
  }
}

// MARK: - Forms of objects

extension KeyedArchive {
  /// Returns the fields of a record, or `nil` for a value that is not a record.
  mutating func record(_ number: Int?) throws(ImportError) -> [String: Int]? {
    guard case .dictionary(let keys, let values) = try object(number) else { return nil }
    var fields: [String: Int] = [:]
    fields.reserveCapacity(keys.count)
    for (key, value) in zip(keys, values) {
      if case .string(let name) = try decoded(key) { fields[name] = value }
    }
    return fields
  }

  /// Returns a string, in either form of an archive; `nil` for another value.
  mutating func text(_ number: Int?) throws(ImportError) -> String? {
    switch try object(number) {
    case .string(let text): return text
    case .dictionary:
      guard let field = try record(number)?["NS.string"], case .string(let text) = try object(field) else { return nil }
      return text
    default: return nil
    }
  }

  mutating func integer(_ number: Int?) throws(ImportError) -> Int? {
    switch try object(number) {
    case .integer(let value): return Int(value)
    case .boolean(let flag): return flag ? 1 : 0
    default: return nil
    }
  }

  /// Returns whether a flag is set; a missing one is not.
  mutating func flag(_ number: Int?) throws(ImportError) -> Bool { try integer(number) ?? 0 != 0 }

  /// Returns the name of an object's class.
  mutating func className(_ number: Int?) throws(ImportError) -> String? {
    guard let type = try record(number)?["$class"] else { return nil }
    return try text(try record(type)?["$classname"])
  }

  /// Returns the elements of an archived list or set.
  mutating func elements(_ number: Int?) throws(ImportError) -> [Int] {
    if case .array(let elements) = try object(number) { return elements }
    guard let fields = try record(number), let list = fields["NS.objects"] else { return [] }
    guard case .array(let elements) = try object(list) else { return [] }
    return elements
  }

  /// Returns the keys and values of an archived dictionary, sorted by key.
  mutating func entries(_ number: Int?) throws(ImportError) -> [(key: String, value: Int)] {
    guard let fields = try record(number) else { return [] }
    var (keys, values): ([Int], [Int]) = ([], [])
    if let mapping = fields["searchMapping"] {
      // The keys are a list that several dictionaries share.
      keys = try elements(try record(mapping)?["keys"])
      values = try elements(fields["values"])
    } else if let list = fields["NS.keys"], case .array(let found) = try object(list) {
      keys = found
      values = try elements(number)
    }
    var entries: [(key: String, value: Int)] = []
    for (key, value) in zip(keys, values) {
      if let name = try text(key) { entries.append((key: name, value: value)) }
    }
    return entries.sorted { $0.key.unicodeScalars.lexicographicallyPrecedes($1.key.unicodeScalars) }
  }
}

#endif
