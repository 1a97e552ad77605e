import DaybookEngine
import DaybookModel
import DaybookQuery
import DaybookRuntime
import WorkLimits

/// Reads the values that a request shows of its rows: the values at the ends of its paths.
///
///     var shown = try ShownReader(request, in: reader)
///     for shown in try shown.values(of: cake) { print(shown.path.name, shown.values) }
package struct ShownReader {
  /// The shown paths, each once, in the order of the request.
  package let paths: [ShownPath]
  private let entity: Int
  private var source: ReaderSource
  private var work = WorkCounter()

  /// The limit on the values of one row at the end of one path.
  ///
  /// Paths over several to-many relationships can reach more values than there are objects.
  package static let maximumValueCount = 10_000

  /// - Parameters:
  ///   - request: The request; without `shows` it has no paths here, since each form of an object has
  ///     the values that are shown by default.
  ///   - reader: The state to read.
  /// - Throws: `StoreError` with the code `badRequest` if the request names what the model lacks.
  package init(_ request: FetchRequest, in reader: borrowing StoreReader) throws {
    self = try reader.reading([request.entity]) { try ShownReader(request, in: $0.reader) }
  }

  init(_ request: FetchRequest, in reader: Reader) throws {
    let resolved = try reader.resolve(request.atAnyTime)
    entity = resolved.entity
    // The request's own paths are the first of all shown ones.
    var seen: Set<[String]> = []
    paths = zip(request.shows ?? [], resolved.shown).filter { seen.insert($0.0).inserted }.map {
      ShownPath(name: $0.joined(separator: "."), path: $1)
    }
    source = ReaderSource(reader: reader)
  }

  /// Returns the values of a row, which must exist, by path.
  ///
  /// - Throws: `StoreError` with the code `tooLarge` for more values than ``maximumValueCount``; `WorkLimitExceeded`.
  /// - Complexity: O(*m* log *n*) for *m* objects that the paths reach.
  package mutating func values(of id: ObjectID) throws -> [ShownValue] {
    var values: [ShownValue] = []
    values.reserveCapacity(paths.count)
    for path in paths { values.append(ShownValue(path: path, values: try self.values(of: id, path))) }
    return values
  }

  private mutating func values(of id: ObjectID, _ path: ShownPath) throws -> [Value] {
    let object = ObjectKey(entity: entity, id: id)
    guard path.path.isMany else { return [try path.path.value(of: object, in: &source)] }
    var values: [Value] = []
    var work = work
    defer { self.work = work }
    _ = try path.path.forEach(from: object, in: &source) { value in
      try work.step()
      guard values.count < ShownReader.maximumValueCount else {
        throw StoreError(
          .tooLarge,
          "“\(path.name)” leads to more than \(ShownReader.maximumValueCount) values of the object \(id), and cannot be shown.",
          advice: "Show a path over fewer relationships to many, or a derived attribute.")
      }
      values.append(value)
      return true
    }
    return values
  }
}

/// A path that a request shows.
package struct ShownPath: Sendable {
  /// The names of the path with dots between them.
  package let name: String
  package let path: ResolvedPath

  /// Whether the values are identities of related objects.
  package var leadsToObjects: Bool {
    switch path.field {
    case .target: true
    case .id: !path.steps.isEmpty
    case .attribute, .createdAt, .changedAt, .entity, .place: false
    }
  }
}

/// The values of a row at the end of a shown path.
package struct ShownValue: Sendable {
  package let path: ShownPath
  /// One value for a path over to-one relationships, null if one of them is empty; any number of values for other paths.
  package let values: [Value]
}
