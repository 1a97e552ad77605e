import DaybookMacros
import DaybookModel
import DaybookServer
import DaybookTools

/// What a page keeps of an open form, so that the form can be opened again after the server has dropped it.
///
/// The page receives the record with each state of the form, keeps it as it is, and sends it back.
struct FormRecord {
  /// The name of the form in the application.
  var form: String
  var object: ObjectID
  var isNew: Bool
  /// The position of the store that the edits are on top of.
  var position: Position
  /// The edits, as `EditingContext.recording()` returns them.
  var steps: [JSONValue]
  /// The edits of pages that `steps` include.
  var numbers: [String: Int]
  /// The lists whose order is held.
  var held: Set<String>
}

extension FormRecord {
  var json: JSONValue {
    .object([
      ("form", .string(form)), ("object", .string("\(object)")), ("isNew", .boolean(isNew)),
      ("position", position.json), ("steps", .array(steps)),
      ("numbers", .object(numbers.sorted { $0.key < $1.key }.map { ($0.key, .integer(Int64($0.value))) })),
      ("held", .array(held.sorted().map { .string($0) })),
    ])
  }

  /// - Throws: `Problem` with the status 400 for JSON that is no record.
  init(_ json: JSONValue) throws {
    let input = try Input(json)
    guard let isNew = input.json("isNew").booleanValue, let position = UInt64(exactly: try input.number("position")),
      let steps = input.json("steps").elements, let numbers = input.json("numbers").members,
      let held = input.json("held").elements
    else { throw Problem(.badRequest, "This is no record of a form.", advice: "Send it as the form's stream had it.") }
    self.init(
      form: try input.text("form"), object: try input.object("object"), isNew: isNew, position: Position(position),
      steps: steps,
      numbers: Dictionary(
        numbers.map { ($0.key, Int(clamping: $0.value.integerValue ?? 0)) }, uniquingKeysWith: { $1 }),
      held: Set(held.compactMap(\.stringValue)))
  }
}
