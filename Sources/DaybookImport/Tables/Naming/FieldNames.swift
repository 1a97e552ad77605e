#if Import

import DaybookModel

/// Gives the fields of one entity, or the entities of one model, names that Daybook allows.
///
///     var names = FieldNames()
///     names.name(for: "Order Details")   // Order_Details
///     names.name(for: "id")              // id_
///
/// Runs of other characters become one underscore, and at the ends they are left out. A name that begins with a digit begins
/// with an underscore. A name that Daybook reserves, or that another field has, gets a trailing underscore, two if that is
/// taken too, and then a number.
package struct FieldNames {
  private var taken: Set<String>
  /// The names that are kept for the source names equal to them.
  private var held: Set<String>
  /// The next number of each name that was taken with two underscores.
  private var numbers: [String: Int] = [:]
  private let isReserved: (String) -> Bool

  /// Creates the names of an entity's fields.
  ///
  /// - Parameters:
  ///   - unchanged: All names of the source. A source name that is allowed stays unchanged, also if another name would become
  ///     the same before it.
  ///   - inherited: The names of the fields of its ancestors, which no field gets.
  package init(fieldsOf unchanged: [String] = [], inherited: Set<String> = []) {
    self.init(unchanged.filter { !inherited.contains($0) }, taken: inherited) {
      ModelNames.builtIn.contains($0) || ModelNames.keywords.contains($0.lowercased())
    }
  }

  /// Creates the names of a model's entities.
  package init(entitiesOf unchanged: [String]) {
    self.init(unchanged, taken: []) { _ in false }
  }

  private init(_ unchanged: [String], taken: Set<String>, isReserved: @escaping (String) -> Bool) {
    self.isReserved = isReserved
    self.taken = taken
    held = Set(unchanged.filter { FieldNames.plain($0) == $0 && !isReserved($0) })
  }

  /// Returns the name for a name of the source, which no other name is given.
  package mutating func name(for source: String) -> String {
    if held.remove(source) != nil, taken.insert(source).inserted { return source }
    let name = FieldNames.plain(source)
    let free = isFree(name) ? name : longer(name)
    taken.insert(free)
    return free
  }

  /// Returns the name of an entity for the rows of a file: `CountryCodes` for `data/country-codes.csv`.
  package static func entity(ofFile path: String) -> String {
    let file = path.split(separator: "/").last ?? "Row"
    let base = file.split(separator: ".", omittingEmptySubsequences: false).dropLast().first ?? file
    let words = base.split { character in !character.unicodeScalars.allSatisfy(ModelNames.isPart) }
    let name = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    return name.isEmpty ? "Row" : plain(name)
  }

  private func isFree(_ name: String) -> Bool { !isReserved(name) && !taken.contains(name) && !held.contains(name) }

  /// Returns a free name that begins with a name.
  private mutating func longer(_ name: String) -> String {
    for end in ["_", "__"] {
      let longer = FieldNames.cut(name, to: ModelNames.maximumByteCount - end.utf8.count) + end
      if isFree(longer) { return longer }
    }
    let start = FieldNames.cut(name, to: ModelNames.maximumByteCount - 10)
    var number = numbers[start] ?? 3
    while !isFree("\(start)_\(number)") { number += 1 }
    numbers[start] = number + 1
    return "\(start)_\(number)"
  }

  /// Returns a name with letters, digits and underscores only.
  private static func plain(_ source: String) -> String {
    var name = String.UnicodeScalarView()
    var isPending = false
    for scalar in source.unicodeScalars {
      guard ModelNames.isPart(scalar) else {
        isPending = true
        continue
      }
      if isPending, !name.isEmpty { name.append("_") }
      isPending = false
      name.append(scalar)
    }
    guard let first = name.first else { return "_" }
    let text = String(name)
    return cut(ModelNames.isStart(first) ? text : "_" + text, to: ModelNames.maximumByteCount)
  }

  private static func cut(_ name: String, to size: Int) -> String {
    guard name.utf8.count > size else { return name }
    var scalars = name.unicodeScalars
    while scalars.reduce(0, { $0 + UTF8.width($1) }) > size { scalars.removeLast() }
    return String(scalars)
  }
}

#endif
