#if Import

/// The version of a bundle that wrote some store files, found by their tables.
struct VersionChoice {
  /// The name of the version; `nil` if the stores are read by the model that they carry.
  let version: String?
  let lookup: SourceLookup
  let notes: [SourceNote]

  /// Finds the version.
  ///
  /// - Throws: ``ImportError`` if none fits, with the nearest version and its differences.
  init(
    _ bundle: ModelBundle, _ stores: [CoreDataStore], version name: String?, _ unknown: CoreDataImport.UnknownVersion
  ) throws {
    if let name {
      let version = try bundle.version(name)
      (self.version, lookup) = (name, version.lookup)
      notes = VersionChoice.misfitNotes(version, stores)
      return
    }
    guard let version = VersionChoice.fitting(bundle, stores) else {
      let refusal = try VersionChoice.refusal(bundle, stores)
      guard unknown == .readByCompiledModel, let lookup = try VersionChoice.compiled(stores) else { throw refusal }
      (self.version, self.lookup) = (nil, lookup)
      notes = [
        SourceNote(
          .general, bundle.path,
          "\(bundle.path) lacks the version that wrote the store, so the store is read by the compiled model that it carries"
        )
      ]
      return
    }
    (self.version, lookup) = (version.name, version.lookup)
    notes =
      bundle.oldVersions.map {
        SourceNote(.general, $0, "\(bundle.path): the version “\($0)” is in the form of Xcode 3 and was skipped")
      }
      + bundle.faults.sorted { $0.key < $1.key }.map {
        SourceNote(.general, $0.key, "\(bundle.path): the version “\($0.key)” was skipped (\($0.value))")
      }
  }

  /// Returns the current version if it fits all files, else the newest one that does; a whole fit is better than a part.
  private static func fitting(_ bundle: ModelBundle, _ stores: [CoreDataStore]) -> ModelBundle.Version? {
    let current = bundle.versions.filter { $0.name == bundle.currentName }
    let byAge = current + bundle.versions.filter { $0.name != bundle.currentName }.reversed()
    for isPart in [false, true] {
      let found = byAge.first { version in
        stores.allSatisfy { isFit($0.fit(version.lookup), version.lookup, isPart: isPart) }
      }
      if let found { return found }
    }
    return nil
  }

  /// Returns whether a store has the columns of a model: all of them, or the columns of a configuration's entities.
  static func isFit(_ fit: LayoutFit, _ lookup: SourceLookup, isPart: Bool) -> Bool {
    if fit.isExact { return true }
    guard isPart, fit.hasSameColumns else { return false }
    let present = Set(lookup.model.entities.map(\.name)).subtracting(fit.missingEntities)
    return lookup.model.configurations.contains { configuration in
      // Some files list a parent only by its children.
      let members = configuration.entities.flatMap { lookup.chain(of: $0) + lookup.family(of: $0) }
      return present.isSubset(of: members)
    }
  }

  private static func misfitNotes(_ version: ModelBundle.Version, _ stores: [CoreDataStore]) -> [SourceNote] {
    stores.compactMap { store in
      let fit = store.fit(version.lookup)
      guard !fit.isExact else { return nil }
      return SourceNote(
        .general, store.path,
        "\(store.path) is read by the version “\(version.name)”, which does not fit it: \(fit.explanation)")
    }
  }

  /// Makes the error that names the nearest version.
  private static func refusal(_ bundle: ModelBundle, _ stores: [CoreDataStore]) throws(ImportError) -> ImportError {
    // With only old versions, the current one explains why nothing fits.
    if bundle.versions.isEmpty { _ = try bundle.current() }
    let fits = bundle.versions.reversed().map { version in
      (name: version.name, fits: stores.map { (store: $0.path, fit: $0.fit(version.lookup)) })
    }
    let nearest = fits.min { a, b in
      a.fits.reduce(0) { $0 + $1.fit.distance } < b.fits.reduce(0) { $0 + $1.fit.distance }
    }
    let (name, misfit) = (nearest?.name ?? "", nearest?.fits.first { !$0.fit.isExact })
    let old = bundle.oldVersions.isEmpty ? "" : " (\(bundle.oldVersions.joined(separator: ", ")) cannot be read)"
    return ImportError(
      .usage,
      "No version in \(bundle.path)\(old) has the tables of \(misfit?.store ?? "the store"). The nearest is “\(name)”: "
        + "\(misfit?.fit.explanation ?? ""). Give the bundle that has the store's version, omit --model to read it by the "
        + "model that it carries, or name a version with --version.")
  }

  private static func compiled(_ stores: [CoreDataStore]) throws -> SourceLookup? {
    guard let first = stores.first, let model = try first.compiledModel() else { return nil }
    let lookup = try SourceLookup(model, origin: "the compiled model in \(first.path)")
    return stores.allSatisfy { isFit($0.fit(lookup), lookup, isPart: stores.count > 1) } ? lookup : nil
  }
}

#endif
