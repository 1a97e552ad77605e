#if Command

/// The error of a command that this build of `daybook` has no code for.
struct MissingTrait: Error, CustomStringConvertible {
  /// The trait of the package that adds the code.
  let name: String
  let feature: String

  var description: String { "This daybook was built without \(feature)." }

  var advice: String {
    let traits = Set(MissingTrait.present + [name]).sorted().joined(separator: ",")
    return "Build it again: swift build --configuration release --product daybook --traits \(traits)"
  }

  /// The traits that this build has.
  private static var present: [String] {
    var traits = ["Command"]
    #if Collation
    traits.append("Collation")
    #endif
    #if Git
    traits.append("Git")
    #endif
    #if Import
    traits.append("Import")
    #endif
    #if JetStream
    traits.append("JetStream")
    #endif
    #if Server
    traits.append("Server")
    #endif
    return traits
  }
}

#endif
