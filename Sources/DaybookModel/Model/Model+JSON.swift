extension Model {
  /// Reads a model file.
  ///
  ///     let recipes = try Model(parsing: [UInt8](Data(contentsOf: file)))
  ///
  /// Absent keys mean empty or false; unknown keys are refused. A store checks later that the names in the model refer
  /// to something.
  ///
  /// - Throws: All faults of the model's form, each with its place; or the place where the text is not JSON.
  public init(parsing text: [UInt8]) throws(ModelError) {
    try self.init(json: JSONValue.model(parsing: text))
  }

  /// Reads a model from JSON; see ``init(parsing:)``.
  package init(json: JSONValue) throws(ModelError) {
    var reader = ModelReader(isStored: false)
    let model = reader.model(json)
    guard reader.faults.isEmpty else { throw ModelError(reader.faults) }
    self = model
  }

  /// The model in the form of a model file.
  package var json: JSONValue { ModelWriter.json(of: self) }

  /// The text of a model file.
  public var text: String { json.prettyText }
}

private extension JSONValue {
  /// Parses the text of a model, and reports the place where it is not JSON.
  static func model(parsing text: [UInt8]) throws(ModelError) -> JSONValue {
    do throws(JSONError) {
      return try JSONValue(parsing: text)
    } catch {
      throw ModelError([ModelError.Fault("line \(error.line), column \(error.column)", error.message)])
    }
  }
}
