import DaybookModel
import LMDB

extension StoreError {
  /// What an error of a lower layer means to the caller; an error that is not of one is passed on.
  package static func translating(_ error: any Error) -> any Error {
    switch error {
    case let error as LMDBError: StoreError(error)
    case let error as MalformedBytes:
      StoreError(.damaged, "A row of the store is damaged: \(error).", advice: "Run `daybook verify`.")
    case let error as CommitFault: StoreError(error, at: .empty)
    case let error as ProjectionFault:
      StoreError(.damaged, "The store contradicts itself: \(error).", advice: "Run `daybook verify`.")
    case let error as DerivedOverflow:
      StoreError(
        .constraint,
        "The sum \(error.entity).\(error.attribute) of \(error.object) is not a number that can be stored.",
        advice: "Write smaller numbers, or numbers of fewer digits.")
    default: error
    }
  }

  /// What an error of the storage engine means to the caller.
  package init(_ error: LMDBError) {
    let code: Code =
      switch error.kind {
      case .mapFull, .diskFull, .fileTooLarge: .full
      case .readersFull, .mapResized, .busy, .temporarilyUnavailable: .busy
      case .nestedWrite: .nestedWrite
      case .closed: .closed
      case .alreadyOpen, .alreadyExists: .exists
      case .noSuchFile: .notFound
      case .pageNotFound, .corrupted, .cursorFull, .pageFull: .damaged
      case .invalidFile, .versionMismatch, .notRegularFile: .notAStore
      case .transactionFull: .tooLarge
      default: .inputOutput
      }
    self.init(code, "\(error)")
  }

  init(_ collision: Fold.Collision, in model: ResolvedModel) {
    let entity = model.entities[collision.entity]
    let names = entity.constraints[collision.constraint].fields.map { entity.name(of: $0) }.joined(separator: ", ")
    self.init(
      .constraint,
      "\(entity.name) \(collision.object) has the same \(names) as \(collision.other), but they must be unique.",
      advice: "Choose another value.")
  }
}

extension ResolvedEntity {
  /// The name by which people know a field.
  package func name(of field: ResolvedPath.Field) -> String {
    switch field {
    case .attribute(let number): attributes[number].name
    case .target(let number): relationships[number].name
    case .id: "id"
    case .createdAt: "createdAt"
    case .changedAt: "changedAt"
    case .place(let number, _): relationships[number].name
    }
  }
}
