import DaybookModel

extension Store: RowOrigins {
  func origin(at position: Position) -> any RowOrigin { StoreOrigin(store: self, position: position) }
}
