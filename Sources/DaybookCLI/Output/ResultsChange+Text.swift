import Daybook

extension ResultsChange {
  /// The explanation of a reset for users.
  var resetText: String { "the model changed in what the request reaches, or too much happened: fetch the result anew" }
}
