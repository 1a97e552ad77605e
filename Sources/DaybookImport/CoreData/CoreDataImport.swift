#if Import

/// The store files and the model of one import, with the version that wrote the files.
///
///     let source = try CoreDataImport(stores: ["Recipes.sqlite"], model: "Recipes.xcdatamodeld")
///     for objects in source.objects { … }        // read by the version that wrote them
///     translate(source.target)                   // the model to create
///
/// The layout decides the version: the current one if it fits the files, else the one that fits, and of several the newest.
package struct CoreDataImport: Sendable {
  /// The model that an import creates: the current version of the bundle, or the model that the store carries.
  package let target: SourceLookup
  /// The name of the version that wrote the files; `nil` for the model that a store carries.
  package let storeVersion: String?
  /// The objects of each file, in the order of the files.
  package let objects: [CoreDataObjects]
  /// How the versions were chosen, and the versions that were skipped.
  package let notes: [SourceNote]

  /// The answer to a bundle without the version that wrote a store.
  package enum UnknownVersion: Sendable {
    /// An error that names the nearest version.
    case refused
    /// The store is read by the compiled model that it carries, if that fits; otherwise as for `refused`.
    case readByCompiledModel
  }

  /// Opens store files and reads the model.
  ///
  /// - Parameters:
  ///   - stores: The files of one application: several where configurations put entities into different files.
  ///   - model: A bundle, a version or a file `contents`; `nil` for the compiled model that the store carries.
  ///   - version: The version that wrote the files, in place of the one that fits.
  ///   - unknownVersion: The answer to a store that no version fits.
  /// - Throws: ``ImportError`` for a file or model that cannot be read, and files that no version fits.
  package init(
    stores paths: [String], model: String?, version: String? = nil, unknownVersion: UnknownVersion = .refused
  ) throws {
    // The model first: a wrong path is found before large files are checked.
    let bundle = try model.map { path throws(ImportError) in try ModelBundle(path) }
    let stores = try paths.map { try CoreDataStore($0) }
    guard version == nil || bundle != nil else {
      throw ImportError(.usage, "--version names a version of a bundle; give the bundle with --model")
    }
    guard let bundle else {
      let lookup = try CoreDataImport.compiledModel(of: stores)
      (target, storeVersion, notes) = (lookup, nil, [])
      objects = stores.map { CoreDataObjects($0, lookup) }
      return
    }
    let choice = try VersionChoice(bundle, stores, version: version, unknownVersion)
    // A named version is the target where the bundle names none, or no store is read.
    let isNamed = version != nil && (stores.isEmpty || bundle.currentName == nil)
    target = isNamed ? choice.lookup : try bundle.current().lookup
    storeVersion = choice.version
    notes = choice.notes + stores.flatMap { CoreDataImport.differences(choice.lookup, $0) }
    objects = stores.map { CoreDataObjects($0, choice.lookup) }
  }

  /// Returns the model that the first of the stores carries, which fits all of them.
  private static func compiledModel(of stores: [CoreDataStore]) throws -> SourceLookup {
    guard let first = stores.first else { throw ImportError(.usage, "there is no store; give its path with --store") }
    guard let model = try first.compiledModel() else {
      throw ImportError(
        .usage, "\(first.path) carries no compiled model, as stores of iOS 8 and older; give the model with --model")
    }
    let lookup = try SourceLookup(model, origin: "the compiled model in \(first.path)")
    for store in stores {
      let fit = store.fit(lookup)
      guard VersionChoice.isFit(fit, lookup, isPart: stores.count > 1) else {
        throw ImportError(
          .data,
          "\(store.path) does not fit the compiled model in \(first.path): \(fit.explanation). Give the model with --model."
        )
      }
    }
    return lookup
  }

  /// Returns the differences between the XML that is read and the model that a store carries.
  private static func differences(_ lookup: SourceLookup, _ store: CoreDataStore) -> [SourceNote] {
    do {
      guard let compiled = try store.compiledModel() else { return [] }
      return ModelDifference.differences(lookup.model, compiled).map { difference in
        SourceNote(
          .general, difference.place,
          "\(difference.place): the model and the compiled model in \(store.path) differ (\(difference.text)); the model counts"
        )
      }
    } catch {
      // The compiled model is not needed here, so damage of it is only reported.
      return [SourceNote(.general, store.path, "\(error)")]
    }
  }
}

#endif
