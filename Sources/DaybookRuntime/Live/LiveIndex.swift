import DaybookEngine
import DaybookModel
import DaybookQuery

/// Finds the live requests that a commit may touch, by what they depend on.
///
/// Requests whose filter demands that a value equals a constant, such as `category == ID`, are indexed by that
/// constant. For a row that a commit changed, the index reads the values of the row before and after the commit and
/// finds the requests that compare with these values, however many requests compare with others.
struct LiveIndex {
  /// The model by which all requests were resolved, or `nil` if there is no such model.
  private(set) var model: ResolvedModel?
  private var buckets: [BucketKey: Bucket] = [:]
  private var watchers: [Dependency.Trigger: [Watcher]] = [:]

  fileprivate struct BucketKey: Hashable {
    let entity: Int
    /// The value that the filters compare; `nil` if any change of a row may touch the requests.
    let path: ResolvedPath?
  }

  private final class Bucket {
    let key: BucketKey
    var requests: [Value: [ObjectIdentifier: LiveRequest]] = [:]
    var others: [ObjectIdentifier: LiveRequest] = [:]
    /// The number of requests that have each dependency.
    var dependencies: [Dependency: Int] = [:]

    init(_ key: BucketKey) {
      self.key = key
    }

    /// Returns the requests that may contain some rows, by their values in the readers' states.
    func requests(asking ids: Set<ObjectID>, in readers: [Reader?]) throws -> [LiveRequest] {
      guard let path = key.path else { return Array(others.values) }
      var values: Set<Value> = []
      for id in ids {
        for reader in readers {
          if let reader, let value = try reader.value(of: path, at: id) { values.insert(value) }
        }
      }
      return values.flatMap { (requests[$0] ?? [:]).values }
    }
  }

  private struct Watcher {
    let inversePath: [RelationshipReference]
    let bucket: Bucket
  }

  /// The place of a request in the index.
  struct Entry {
    fileprivate let key: BucketKey
    fileprivate let value: Value?
    fileprivate let dependencies: Set<Dependency>

    /// The kinds of change on which the request depends.
    var triggers: Set<Dependency.Trigger> { Set(dependencies.map(\.trigger)) }
  }

  /// Adds a request to the index.
  ///
  /// - Throws: `StoreError` with the code `badRequest` if the request names what the model lacks.
  mutating func adding(_ request: LiveRequest, in model: ResolvedModel) throws -> Entry {
    let resolved = try ResolvedRequest(checking: request.request.atAnyTime, in: model).objects
    // If requests were resolved by different models, all are resolved again at the next commit.
    if buckets.isEmpty { self.model = model } else if model !== self.model { self.model = nil }
    let equality = resolved.filter?.equality
    let entry = Entry(
      key: BucketKey(entity: resolved.entity, path: equality?.path), value: equality?.value,
      dependencies: Dependency.recorded(of: resolved, in: model))
    let bucket = buckets[entry.key] ?? Bucket(entry.key)
    buckets[entry.key] = bucket
    if let value = entry.value {
      bucket.requests[value, default: [:]][ObjectIdentifier(request)] = request
    } else {
      bucket.others[ObjectIdentifier(request)] = request
    }
    for dependency in entry.dependencies {
      bucket.dependencies[dependency, default: 0] += 1
      if bucket.dependencies[dependency] == 1 {
        watchers[dependency.trigger, default: []].append(Watcher(inversePath: dependency.inversePath, bucket: bucket))
      }
    }
    return entry
  }

  mutating func remove(_ request: LiveRequest, _ entry: Entry) {
    guard let bucket = buckets[entry.key] else { return }
    if let value = entry.value {
      bucket.requests[value]?[ObjectIdentifier(request)] = nil
      if bucket.requests[value]?.isEmpty ?? false { bucket.requests[value] = nil }
    } else {
      bucket.others[ObjectIdentifier(request)] = nil
    }
    for dependency in entry.dependencies {
      guard let count = bucket.dependencies[dependency] else {
        preconditionFailure("a request that is in the index has a dependency that was not counted")
      }
      bucket.dependencies[dependency] = count > 1 ? count - 1 : nil
      if count == 1 {
        watchers[dependency.trigger]?.removeAll { $0.bucket === bucket && $0.inversePath == dependency.inversePath }
      }
    }
    if bucket.dependencies.isEmpty { buckets[entry.key] = nil }
  }

  /// What the commits of a span touch.
  struct Touched {
    var requests: [LiveRequest] = []
    /// The watched objects that each commit touched, in rising order.
    var objects: [(position: Position, objects: [ObjectID])] = []
  }

  /// Returns what the commits since a position may touch; `nil` for all requests.
  ///
  /// All requests count as touched if finding them would not be cheap: the model changed in the span, or the span is
  /// long. A request that the model before the span could not resolve is not in the index, even if the index was empty
  /// and has since been filled under the present model.
  ///
  /// Each commit is examined separately: a consumer that read the store between two of them has a result that may show
  /// a value which no row had before the first commit or has after the last.
  ///
  /// - Complexity: O(*e* + *k* log *n*) for *e* events and *k* changed rows, whatever the number of requests that
  ///   compare with other values.
  func touched(since start: Position, in reader: borrowing StoreReader) throws -> Touched? {
    guard reader.resolvedModel === model, reader.modelPosition <= start,
      reader.position.number - start.number <= LiveIndex.maximumSpan
    else { return nil }
    var touched: [ObjectIdentifier: LiveRequest] = [:]
    var objects: [(position: Position, objects: [ObjectID])] = []
    var present = reader.present
    var position = reader.position
    while position > start {
      let changes = try triggered(by: position, in: reader)
      let former = Position(position.number - 1)
      if !changes.isEmpty {
        objects.append((position, Array(Set(changes.map(\.object)))))
        present = try present.rewound(to: position, in: reader.journal, parts: .derived)
        let rows = try rows(changes, in: present.reader)
        let hasPaths = rows.contains { $0.bucket.key.path != nil }
        let before =
          hasPaths && former > .empty ? try present.rewound(to: former, in: reader.journal, parts: .derived) : nil
        for (bucket, ids) in rows {
          for request in try bucket.requests(asking: ids, in: [before?.reader, present.reader]) {
            touched[ObjectIdentifier(request)] = request
          }
        }
        if let before { present = before }
      }
      position = former
    }
    return Touched(requests: Array(touched.values), objects: objects.reversed())
  }

  /// Returns the changes of a commit that are watched.
  private func triggered(by position: Position, in reader: borrowing StoreReader) throws -> Set<ObjectChange> {
    let model = reader.resolvedModel
    return try reader.journal.withCommit(at: position) { commit in
      var changes: Set<ObjectChange> = []
      guard !commit.header.isModel else { return [] }
      try commit.events.forEachChange(in: model) { change in
        if watchers[change.trigger] != nil { changes.insert(change) }
      }
      return changes
    }
  }

  /// Returns the rows that changes lead to, for each bucket.
  private func rows(_ changes: Set<ObjectChange>, in reader: Reader) throws -> [(bucket: Bucket, ids: Set<ObjectID>)] {
    var rows: [ObjectIdentifier: (bucket: Bucket, ids: Set<ObjectID>)] = [:]
    var walks: [ObjectIdentifier: InverseWalk] = [:]
    for change in changes {
      for watcher in watchers[change.trigger] ?? [] {
        let bucket = ObjectIdentifier(watcher.bucket)
        for id in try walks[bucket, default: InverseWalk(reader)].objects(
          along: watcher.inversePath, from: change.object)
        {
          rows[bucket, default: (watcher.bucket, [])].ids.insert(id)
        }
      }
    }
    return Array(rows.values)
  }

  /// The most commits that are examined; after a longer span, all requests count as touched.
  private static let maximumSpan: UInt64 = 1_024
}

private extension Reader {
  /// Returns the value that a path reaches from an object, or `nil` if the object is absent.
  func value(of path: ResolvedPath, at id: ObjectID) throws -> Value? {
    let object = ObjectKey(entity: path.start, id: id)
    guard let record = try unsafeRecord(of: object), try !RecordView(record).isTombstone else { return nil }
    var source = ReaderSource(reader: self)
    return try path.value(of: object, in: &source)
  }
}

private extension ResolvedFilter {
  /// A value that the filter requires of every row, and the path to this value.
  var equality: (path: ResolvedPath, value: Value)? {
    let parts: [Node] = if case .all(let parts) = node { parts } else { [node] }
    for case .test(let test) in parts where test.quantifier == nil && test.time == nil {
      if case .path(let path) = test.subject, !path.isMany,
        case .compare(.equal, .value(let value), _) = test.condition
      {
        return (path, value)
      }
    }
    return nil
  }
}
