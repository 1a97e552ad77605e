import DaybookDiff
import DaybookMacros
import DaybookModel
import DaybookServer
import DaybookTools
import Hummingbird

/// A stream that shows a form to one page: the form's state, and the differences of its lists.
/// Several edits may become one difference.
final class FormStream: Sendable {
  private let form: OpenForm
  private let stream = WokenStream()
  private let shown = Locked(Shown())

  private struct Shown {
    /// The lists as the page has them; none before the first event.
    var lists: [LiveResults<StoredObject>] = []
    var form: JSONValue?
  }

  init(_ form: OpenForm) {
    self.form = form
  }

  func wake() { stream.wake() }

  func end() { stream.end() }

  /// Writes the stream until it ends, and follows the commits of other windows.
  func run(to writer: inout any ResponseBodyWriter, for request: ServerRequest) async throws {
    try await stream.run(to: &writer, for: request) { [form] in
      for try await _ in form.context.store.commits(from: form.context.position.next) {
        try form.rebase()
        form.wakeStreams()
      }
    } news: {
      try self.news()
    }
  }

  /// Returns the events since the last call; all of the form at the first call.
  func news() throws -> String {
    try shown.withLock { shown in
      var events = ""
      if shown.lists.isEmpty {
        shown.lists = try form.form.lists.map { try form.context.liveResults(of: $0.request(form.object)) }
        for number in shown.lists.indices { events += try state(of: number, shown.lists[number]) }
      }
      for (number, list) in shown.lists.enumerated() {
        for change in try changes(of: list, isHeld: form.holds(form.form.lists[number].name)) {
          events += try change.isReset ? state(of: number, list) : difference(change, of: number, list)
        }
      }
      let state = try FormState.json(of: form)
      if state != shown.form {
        shown.form = state
        events += FormStream.event("form", state)
      }
      return events
    }
  }

  /// Moves a list to the present edits, and holds or releases its order.
  private func changes(of list: LiveResults<StoredObject>, isHeld: Bool) throws -> [ResultsChange] {
    var changes = [try list.update()]
    if isHeld {
      try list.freezeOrder(appendingNewRows: true)
    } else if list.isOrderFrozen {
      changes.append(try list.thawOrder())
    }
    return changes.compactMap { $0 }
  }

  private func state(of number: Int, _ list: LiveResults<StoredObject>) throws -> String {
    let sections = try list.ids.sections.map { section -> JSONValue in
      ["name": .string(section.name), "objects": .array(try objects(section.rows, of: list).map(\.json))]
    }
    return event(
      "state", of: number, [("position", list.position.json), ("sections", .array(sections))], try list.count)
  }

  private func difference(_ change: ResultsChange, of number: Int, _ list: LiveResults<StoredObject>) throws -> String {
    let ids = change.difference.rows.compactMap { $0.to == nil ? nil : $0.id }
    let rows = try objects(ids, of: list).map { (key: "\($0.id)", value: $0.json) }
    return event("difference", of: number, (change.json.members ?? []) + [("objects", .object(rows))], try list.count)
  }

  private func objects(_ ids: [ObjectID], of list: LiveResults<StoredObject>) throws -> [(
    id: ObjectID, json: JSONValue
  )] {
    var encoder = try form.context.store.read { ObjectEncoder($0.resolvedModel) }
    return try ids.compactMap { id in
      try form.context.get(id).map { (id, .object(encoder.members(of: $0))) }
    }
  }

  private func event(
    _ name: String, of number: Int, _ members: [(key: String, value: JSONValue)], _ count: Int
  ) -> String {
    let more: [(key: String, value: JSONValue)] = [
      ("total", .integer(Int64(count))), ("list", .string(form.form.lists[number].name)),
    ]
    return FormStream.event(name, .object(members + more))
  }

  private static func event(_ name: String, _ value: JSONValue) -> String {
    var bytes: [UInt8] = []
    value.write(to: &bytes)
    return "event: \(name)\ndata: \(String(decoding: bytes, as: UTF8.self))\n\n"
  }
}
