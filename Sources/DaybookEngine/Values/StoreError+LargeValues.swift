import DaybookModel

extension StoreError {
  /// Makes the error for a value over the limit.
  package init(tooLarge size: Int) {
    self.init(
      .tooLarge, "The value has \(size) bytes; \(LargeValue.maximumSizeInBytes) are allowed.",
      advice: "Store a smaller value, or several.")
  }
}
