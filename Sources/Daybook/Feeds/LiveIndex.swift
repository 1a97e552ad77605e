import DaybookModel
import DaybookQuery

/// Finds the live requests that a commit may touch, by what they depend on.
///
/// Requests whose filter demands that a value equals a constant, such as `category == ID`, are kept by that constant: a
/// commit that changes one row looks at the values that the row had and has, and finds the requests that ask for these,
/// however many ask for others.
struct LiveIndex {
  /// The model by which the requests were resolved; nil for none.
  private var model: ResolvedModel?
  private var buckets: [BucketKey: Bucket] = [:]
  private var watchers: [Watch.Trigger: [Watcher]] = [:]

  fileprivate struct BucketKey: Hashable {
    let entity: Int
    /// The value that the filters compare; nil for requests that are looked at whenever a row changes.
    let route: Route?
  }

  private final class Bucket {
    let key: BucketKey
    var requests: [Value: [ObjectIdentifier: LiveRequest]] = [:]
    var others: [ObjectIdentifier: LiveRequest] = [:]
    /// How many requests have a watch.
    var watches: [Watch: Int] = [:]

    init(_ key: BucketKey) {
      self.key = key
    }
  }

  private struct Watcher {
    let wayBack: [RelationshipReference]
    let bucket: Bucket
  }

  /// Where a request is kept.
  struct Entry {
    fileprivate let key: BucketKey
    fileprivate let value: Value?
    fileprivate let watches: Set<Watch>
  }

  /// Takes a request in.
  ///
  /// - Parameter isUnhashed: Whether the request must be found by each commit alone, even if several come at once and
  ///   cancel out.
  /// - Throws: `StoreError` with the code `badRequest` if the request names what the model lacks.
  mutating func adding(_ request: LiveRequest, in model: ResolvedModel, isUnhashed: Bool) throws -> Entry {
    let resolved = try ResolvedRequest(checking: request.request, in: model)
    // Those that were resolved by another model are resolved again when the next commits are looked at.
    if buckets.isEmpty { self.model = model }
    let equality = isUnhashed ? nil : resolved.filter?.equality
    let entry = Entry(
      key: BucketKey(entity: resolved.entity, route: equality?.route), value: equality?.value,
      watches: resolved.watches(in: model))
    let bucket = buckets[entry.key] ?? Bucket(entry.key)
    buckets[entry.key] = bucket
    if let value = entry.value {
      bucket.requests[value, default: [:]][ObjectIdentifier(request)] = request
    } else {
      bucket.others[ObjectIdentifier(request)] = request
    }
    for watch in entry.watches {
      bucket.watches[watch, default: 0] += 1
      if bucket.watches[watch] == 1 {
        watchers[watch.trigger, default: []].append(Watcher(wayBack: watch.wayBack, bucket: bucket))
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
    for watch in entry.watches {
      bucket.watches[watch]! -= 1
      if bucket.watches[watch] == 0 {
        bucket.watches[watch] = nil
        watchers[watch.trigger]?.removeAll { $0.bucket === bucket && $0.wayBack == watch.wayBack }
      }
    }
    if bucket.watches.isEmpty { buckets[entry.key] = nil }
  }

  /// The requests that the commits between a position and the reader's may touch; nil if they cannot be told apart
  /// cheaply, because the model changed or the span is long.
  ///
  /// - Complexity: O(*e* + *k* log *n*) for *e* events and *k* changed rows, whatever the number of requests that
  ///   compare with other values.
  func requestsTouched(since start: Position, in reader: borrowing StoreReader) throws -> [LiveRequest]? {
    guard reader.resolvedModel === model, reader.position.number - start.number <= LiveIndex.maximumSpan else {
      return nil
    }
    var rows: [ObjectIdentifier: (bucket: Bucket, ids: Set<ObjectID>)] = [:]
    try reader.journal.forEachCommit(from: start.next, through: reader.position) { commit in
      try commit.forEachTouch(in: reader.resolvedModel) { touch in
        for watcher in watchers[touch.trigger] ?? [] {
          for id in try reader.reader.objects(along: watcher.wayBack, from: touch.object) {
            rows[ObjectIdentifier(watcher.bucket), default: (watcher.bucket, [])].ids.insert(id)
          }
        }
      }
      return true
    }
    guard !rows.isEmpty else { return [] }
    let former =
      rows.values.contains { $0.bucket.key.route != nil } && start > .empty
      ? try reader.present.rewound(to: start, in: reader.journal, parts: .derived).reader : nil
    var touched: [LiveRequest] = []
    for (bucket, ids) in rows.values {
      touched += bucket.others.values
      guard let route = bucket.key.route else { continue }
      var values: Set<Value> = []
      for id in ids {
        for side in [former, reader.reader] {
          if let side, let value = try side.value(of: route, at: id) { values.insert(value) }
        }
      }
      for value in values { touched += (bucket.requests[value] ?? [:]).values }
    }
    return touched
  }

  /// Behind more commits than this, all requests count as touched.
  private static let maximumSpan: UInt64 = 1_024
}

extension Reader {
  /// The value at the end of a route from an object; nil if there is no such object.
  fileprivate func value(of route: Route, at id: ObjectID) throws -> Value? {
    let object = ObjectKey(entity: route.start, id: id)
    guard let record = try record(of: object), try !RecordView(record).isTombstone else { return nil }
    var source = ReaderSource(reader: self)
    return try route.value(of: object, in: &source)
  }
}

extension ResolvedFilter {
  /// A value that every row which meets the filter has, and where it has it.
  fileprivate var equality: (route: Route, value: Value)? {
    let parts: [Node] = if case .all(let parts) = node { parts } else { [node] }
    for case .test(let test) in parts where test.quantifier == nil {
      if case .route(let route) = test.subject, !route.isMany,
        case .compare(.equal, .value(let value), _) = test.condition
      {
        return (route, value)
      }
    }
    return nil
  }
}
