// swift-tools-version: 6.2

import CompilerPluginSupport
import PackageDescription

/// What this file describes: the package, or one in `Tools` that builds some of the same targets in another way, and has links
/// to this file and to the sources.
enum Part: String {
  case whole
  /// The tests below the macros and the commands: what is built with optimisation, or for a sanitizer, need not build swift-syntax,
  /// which takes three times as long as all of this.
  case randomTests = "Tools/RandomTests"
  /// The fuzzer measures coverage, so its counters are in all code under test.
  case fuzzer = "Tools/Fuzz"
  /// The benchmarks, whose peers no program that uses Daybook gets.
  case benchmarks = "Tools/Benchmarks"
  /// Applications that are read and tried, and are part of no program.
  case examples = "Examples"

  /// Creates the part that a directory holds, by the end of its path.
  init(directory: String) {
    let folders = directory.split(separator: "/")
    self =
      Part(rawValue: folders.suffix(2).joined(separator: "/")) ?? Part(rawValue: folders.last.map(String.init) ?? "")
      ?? .whole
  }

  /// The targets that are wanted, with all below them; `nil` for all.
  var roots: [String]? {
    switch self {
    case .whole: nil
    case .examples: ["Applications", "ExamplesTests"]
    case .randomTests:
      [
        "DaybookDiffTests", "DaybookModelTests", "DaybookQueryTests", "DaybookEngineTests", "DaybookTests",
        "DaybookGitTests", "DaybookImportTests",
      ]
    case .fuzzer: ["DaybookFuzz"]
    case .benchmarks: ["DaybookBench"]
    }
  }
}

let part = Part(directory: Context.packageDirectory)

/// Where the environment has `DAYBOOK_EVERYTHING`, the whole package has the examples and the benchmarks too: what tests everything then
/// builds the library once, and not once more in each of their packages.
let hasEverything = Context.environment["DAYBOOK_EVERYTHING"] != nil

/// What a package that uses Daybook may add to the library. None is on unless it is named, and what only one that is off needs is neither
/// fetched nor built; see `docs/packages.md`. The files of a target that needs one are inside `#if`, because the package itself builds
/// all of its targets.
let traits: Set<Trait> = [
  .trait(name: "Macros", description: "@Entity and @Event, in the product DaybookMacros; needs swift-syntax"),
  .trait(name: "Collation", description: "Orders of languages, in the product DaybookCollation; needs ICU"),
  .trait(name: "JetStream", description: "Journals on NATS JetStream, in the product DaybookJetStream; needs libnats"),
  .trait(
    name: "Server", description: "A store over HTTP, in the product DaybookServer and in the command; needs Hummingbird"
  ),
  .trait(name: "Git", description: "The command imports git histories"),
  .trait(
    name: "Import",
    description: "The command imports files of Core Data, SQLite, CSV and JSON; needs GRDB and zlib"),
  .trait(name: "Command", description: "The command daybook; needs swift-argument-parser"),
]

/// Returns dependencies that only a trait needs.
func when(_ trait: String, _ dependencies: [Target.Dependency]) -> [Target.Dependency] {
  dependencies.map { dependency in
    switch dependency {
    case .productItem(let name, let package?, _, _):
      .product(name: name, package: package, condition: .when(traits: [trait]))
    case .byNameItem(let name, _): .byName(name: name, condition: .when(traits: [trait]))
    default: fatalError("\(dependency) has no trait")
    }
  }
}

/// Every target decodes borrowed bytes through `RawSpan`; types that hold such a span need lifetimes.
let plainSettings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableExperimentalFeature("Lifetimes"),
  .enableUpcomingFeature("ExistentialAny"),
]

let settings = plainSettings + (part == .fuzzer ? [.unsafeFlags(["-sanitize=fuzzer"])] : [])

/// Where the environment has `DAYBOOK_OPTIMISED_STORE`, a debug build optimises what a store is busy in, and keeps the checks of a
/// debug build: tests then take less than half of their time, which is more than the compiler takes for it.
let optimisation: [SwiftSetting] =
  Context.environment["DAYBOOK_OPTIMISED_STORE"] == nil
  ? []
  : [
    .unsafeFlags(
      ["-O", "-whole-module-optimization", "-num-threads", "2", "-assert-config", "Debug"],
      .when(configuration: .debug))
  ]

/// The settings of the targets that a store is busy in. Of `DaybookModel` that is what other modules inline.
let storeSettings = settings + optimisation

/// The settings of the targets that handle borrowed memory: the compiler demands that each unsafe expression is marked.
let strictSettings = storeSettings + [.strictMemorySafety()]

/// The folders of the applications that `swift run Applications` serves.
let applications = ["First", "Todo", "Recipes", "Topics", "Events"]

/// What the application Recipes has at its first start.
let readyMade: [String: [Resource]] = ["Recipes": [.copy("ReadyMade")]]

let products: [Product] = [
  .library(name: "Daybook", targets: ["Daybook"]),
  .library(name: "DaybookMacros", targets: ["DaybookMacros"]),
  .library(name: "DaybookCollation", targets: ["DaybookCollation"]),
  .library(name: "DaybookJetStream", targets: ["DaybookJetStream"]),
  .library(name: "DaybookServer", targets: ["DaybookServer"]),
  .library(name: "DaybookTestSupport", targets: ["DaybookTestSupport"]),
  .executable(name: "daybook", targets: ["DaybookCLI"]),
]

let benchmarkProducts: [Product] = [.executable(name: "daybook-bench", targets: ["DaybookBench"])]

let dependencies: [Package.Dependency] = [
  .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
  .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
  .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
  .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
  .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
  .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
  .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
  .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
  .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
]

let targets: [Target] =
  [
    .systemLibrary(
      name: "CLMDB", pkgConfig: "lmdb",
      providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
    .systemLibrary(
      name: "CICULibrary", pkgConfig: "icu-i18n",
      providers: [.apt(["libicu-dev"]), .brew(["icu4c"])]),
    .systemLibrary(
      name: "CNATS", pkgConfig: "libnats",
      providers: [.apt(["libnats-dev"]), .brew(["cnats"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .target(
      name: "CICU", dependencies: when("Collation", ["CICULibrary"]),
      cSettings: [.define("COLLATION", .when(traits: ["Collation"]))],
      cxxSettings: [.define("COLLATION", .when(traits: ["Collation"]))]),
    // In C, because Swift has no name for the processor's instruction.
    .target(name: "CChecksum"),
    // In C, because Swift cannot leave a call in the middle.
    .target(name: "CLMDBGuard", dependencies: ["CLMDB"]),
    .target(name: "WorkLimits", swiftSettings: storeSettings),
    .target(
      name: "LMDB", dependencies: ["CLMDB", "CChecksum", "CLMDBGuard", "WorkLimits"],
      // The fuzzer counts no lines here: it finds what others make of the bytes.
      swiftSettings: plainSettings + optimisation + [.strictMemorySafety()]),
    .target(name: "DaybookDiff", dependencies: ["WorkLimits"], swiftSettings: storeSettings),
    .target(
      name: "DaybookModel", dependencies: [.product(name: "Crypto", package: "swift-crypto")],
      swiftSettings: settings),
    .target(name: "DaybookQuery", dependencies: ["DaybookModel", "WorkLimits"], swiftSettings: storeSettings),
    .target(
      name: "DaybookEngine",
      dependencies: [
        "LMDB", "DaybookDiff", "DaybookModel", "DaybookQuery", "WorkLimits",
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      swiftSettings: strictSettings),
    .target(
      name: "DaybookRuntime",
      dependencies: [
        "LMDB", "DaybookDiff", "DaybookEngine", "DaybookModel", "DaybookQuery", "WorkLimits",
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ],
      swiftSettings: storeSettings),
    .target(
      name: "Daybook",
      dependencies: [
        "DaybookDiff", "DaybookEngine", "DaybookModel", "DaybookQuery", "DaybookRuntime", "WorkLimits",
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ],
      swiftSettings: storeSettings),
    .target(
      name: "DaybookCollation", dependencies: ["Daybook"] + when("Collation", ["CICU"]), swiftSettings: settings),
    .target(
      name: "DaybookJetStream",
      dependencies: ["Daybook", "DaybookEngine", "DaybookModel"] + when("JetStream", ["CNATS"]),
      swiftSettings: settings),
    .target(
      name: "DaybookTools",
      dependencies: [
        "Daybook", "DaybookDiff", "DaybookEngine", "DaybookModel", "DaybookQuery", "LMDB",
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      swiftSettings: settings),
    .target(name: "DaybookGit", dependencies: ["Daybook"], swiftSettings: settings),
    .target(
      name: "DaybookImport",
      dependencies: [
        "Daybook", "DaybookEngine", "DaybookModel", "DaybookQuery",
        .product(name: "Crypto", package: "swift-crypto"),
      ]
        + when("Import", ["CZlib", .product(name: "GRDB", package: "GRDB.swift")]),
      swiftSettings: settings),
    // The files of the page become arrays of bytes: the binary needs nothing beside it.
    .target(name: "DaybookPage", resources: [.embedInCode("Assets")], swiftSettings: settings),
    .target(
      name: "DaybookServer",
      dependencies: [
        "Daybook", "DaybookEngine", "DaybookModel", "DaybookPage", "DaybookQuery", "DaybookTools", "WorkLimits",
        .product(name: "Crypto", package: "swift-crypto"), .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ]
        + when(
          "Server",
          [
            .product(name: "HTTPTypes", package: "swift-http-types"),
            .product(name: "Hummingbird", package: "hummingbird"),
            .product(name: "HummingbirdCore", package: "hummingbird"),
            .product(name: "HummingbirdTLS", package: "hummingbird"),
            .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
            .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
            .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
            .product(name: "NIOPosix", package: "swift-nio"), .product(name: "NIOSSL", package: "swift-nio-ssl"),
            .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
          ]) + when("Import", ["DaybookImport"]),
      swiftSettings: settings),
    .macro(
      name: "DaybookMacrosPlugin",
      dependencies: when(
        "Macros",
        [
          .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
          .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
        ]),
      swiftSettings: settings),
    .target(
      name: "DaybookMacros", dependencies: ["Daybook"] + when("Macros", ["DaybookMacrosPlugin"]),
      swiftSettings: settings),
    .executableTarget(
      name: "DaybookCLI",
      dependencies: [
        "Daybook", "DaybookTools", .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
      ]
        + when("Command", [.product(name: "ArgumentParser", package: "swift-argument-parser")])
        + when("Collation", ["DaybookCollation"]) + when("Git", ["DaybookGit"])
        + when("Import", ["DaybookImport"]) + when("JetStream", ["DaybookJetStream"])
        + when(
          "Server",
          [
            "DaybookServer", .product(name: "NIOCore", package: "swift-nio"),
            .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
          ]),
      swiftSettings: settings),
    .target(
      name: "DaybookTestSupport", dependencies: ["Daybook", "DaybookEngine", "DaybookModel", "DaybookQuery"],
      swiftSettings: storeSettings),
    .testTarget(
      name: "LMDBTests", dependencies: ["CChecksum", "DaybookTestSupport", "LMDB"], swiftSettings: settings),
    .testTarget(
      name: "DaybookModelTests", dependencies: ["DaybookModel", "DaybookTestSupport"], swiftSettings: settings),
    .target(
      name: "DifferenceCases", dependencies: ["DaybookDiff"], path: "Tests/DifferenceCases", exclude: ["Data"],
      swiftSettings: settings),
    .testTarget(
      name: "DaybookDiffTests", dependencies: ["DaybookDiff", "DaybookTestSupport", "DifferenceCases"],
      swiftSettings: settings),
    .testTarget(
      name: "DaybookQueryTests", dependencies: ["DaybookModel", "DaybookQuery", "DaybookTestSupport", "WorkLimits"],
      swiftSettings: settings),
    .executableTarget(
      name: "CrashWriter", dependencies: ["Daybook", "DaybookTestSupport"], path: "Tests/CrashWriter",
      swiftSettings: settings),
    .target(
      name: "DecoderChecks",
      dependencies: [
        "Daybook", "DaybookEngine", "DaybookGit", "DaybookModel", "DaybookQuery", "DaybookTestSupport", "DaybookTools",
      ],
      path: "Tests/DecoderChecks", swiftSettings: settings),
    .executableTarget(
      name: "DiskWriter", dependencies: ["Daybook", "DaybookTestSupport"], path: "Tests/DiskWriter",
      swiftSettings: settings),
    .executableTarget(
      name: "ClusterWriter", dependencies: ["Daybook", "DaybookJetStream"], path: "Tests/ClusterWriter",
      swiftSettings: settings),
    .testTarget(
      name: "DaybookTests",
      dependencies: [
        "CrashWriter", "Daybook", "DaybookEngine", "DaybookModel", "DaybookQuery", "DaybookRuntime",
        "DaybookTestSupport", "DaybookTools", "DecoderChecks", "DifferenceCases", "DiskWriter", "LMDB", "WorkLimits",
        .product(name: "InMemoryLogging", package: "swift-log"), .product(name: "Logging", package: "swift-log"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "DaybookEngineTests",
      dependencies: ["DaybookDiff", "DaybookEngine", "DaybookModel", "DaybookQuery", "DaybookTestSupport", "LMDB"],
      swiftSettings: settings),
    .testTarget(
      name: "DaybookCollationTests",
      dependencies: ["Daybook", "DaybookCollation", "DaybookMacros", "DaybookTestSupport"],
      exclude: ["Data"], swiftSettings: settings),
    .testTarget(
      name: "DaybookJetStreamTests",
      dependencies: [
        "Daybook", "DaybookEngine", "DaybookJetStream", "DaybookModel", "DaybookTestSupport",
        .product(name: "Crypto", package: "swift-crypto"),
      ] + when("JetStream", ["CNATS"]),
      swiftSettings: settings),
    .testTarget(
      name: "DaybookToolsTests",
      dependencies: [
        "Daybook", "DaybookEngine", "DaybookModel", "DaybookRuntime", "DaybookTestSupport", "DaybookTools", "LMDB",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "DaybookServerTests",
      dependencies: [
        "Daybook", "DaybookEngine", "DaybookModel", "DaybookPage", "DaybookRuntime", "DaybookServer",
        "DaybookTestSupport", "DaybookTools", "DifferenceCases",
        .product(name: "InMemoryLogging", package: "swift-log"), .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
      ]
        + when(
          "Server",
          [
            .product(name: "HTTPTypes", package: "swift-http-types"),
            .product(name: "Hummingbird", package: "hummingbird"),
            .product(name: "HummingbirdTesting", package: "hummingbird"),
            .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOEmbedded", package: "swift-nio"),
            .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
            .product(name: "NIOPosix", package: "swift-nio"),
            .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
          ]),
      swiftSettings: settings),
    .testTarget(
      name: "DaybookGitTests",
      dependencies: [
        "Daybook", "DaybookEngine", "DaybookGit", "DaybookTestSupport", "DaybookTools",
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      exclude: ["Data"], swiftSettings: settings),
    .testTarget(
      name: "DaybookImportTests",
      dependencies: [
        "Daybook", "DaybookImport", "DaybookModel", "DaybookTestSupport",
        .product(name: "Crypto", package: "swift-crypto"),
      ] + when("Import", ["CZlib", .product(name: "GRDB", package: "GRDB.swift")]),
      swiftSettings: settings),
    .executableTarget(
      name: "ReadmeExample", dependencies: ["DaybookMacros"], path: "Tests/ReadmeExample", swiftSettings: settings),
    // Without `Lifetimes`: a package that uses Daybook needs no experimental feature.
    .executableTarget(
      name: "PlainClient", dependencies: ["Daybook"], path: "Tests/PlainClient",
      swiftSettings: [.swiftLanguageMode(.v6)]),
    .testTarget(
      name: "DaybookCLITests",
      dependencies: [
        "CrashWriter", "Daybook", "DaybookCLI", "DaybookDiff", "DaybookEngine", "DaybookModel", "DaybookRuntime",
        "DaybookTestSupport", "DaybookTools", "DifferenceCases", "LMDB", "PlainClient", "ReadmeExample",
        .product(name: "Crypto", package: "swift-crypto"),
      ] + when("Command", [.product(name: "ArgumentParser", package: "swift-argument-parser")]),
      swiftSettings: settings),
    // The tests run the plugin: with the compiler's modules of their own they would build all of swift-syntax once more.
    .testTarget(
      name: "DaybookMacrosTests",
      dependencies: ["DaybookMacros", "DaybookModel", "DaybookTestSupport", "DaybookTools"], swiftSettings: settings),
    .testTarget(
      name: "MainActorTests", dependencies: ["DaybookMacros", "DaybookTestSupport"],
      swiftSettings: settings + [.defaultIsolation(MainActor.self)]),
  ]

/// The examples are in a folder of the repository, and of their own package they are all that the links do not lead to.
let examplesFolder = part == .examples ? "" : "Examples/"

/// The applications with what they share, and their tests.
let examples: [Target] =
  [
    .target(
      name: "ApplicationSupport",
      dependencies: [
        "DaybookDiff", "DaybookMacros", "DaybookModel", "DaybookPage", "DaybookServer", "DaybookTools",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      path: "\(examplesFolder)Support", resources: [.embedInCode("Assets")], swiftSettings: settings),
    .executableTarget(
      name: "Applications",
      dependencies: [
        "ApplicationSupport", "Daybook", "DaybookJetStream", "DaybookTools",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ] + applications.map { .byName(name: $0) },
      path: "\(examplesFolder)Applications", swiftSettings: settings),
    .testTarget(
      name: "ExamplesTests",
      dependencies: [
        "ApplicationSupport", "DaybookMacros", "DaybookModel", "DaybookServer", "DaybookTestSupport",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdTesting", package: "hummingbird"),
      ] + applications.map { .byName(name: $0) },
      swiftSettings: settings),
  ]
  + applications.map { name in
    .target(
      name: name, dependencies: ["ApplicationSupport", "DaybookMacros", "DaybookTools"],
      path: "\(examplesFolder)\(name)", resources: [.embedInCode("Page")] + (readyMade[name] ?? []),
      swiftSettings: settings)
  }

/// As `examplesFolder`, of the benchmarks.
let benchmarksFolder = part == .benchmarks ? "" : "Tools/Benchmarks/"

/// The benchmarks with their peers. They have the settings of a program that uses Daybook.
let benchmarks: [Target] = [
  .systemLibrary(
    name: "CBaselineLMDB", path: "\(benchmarksFolder)CBaselineLMDB", pkgConfig: "lmdb",
    providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
  .target(name: "CBaseline", dependencies: ["CBaselineLMDB"], path: "\(benchmarksFolder)CBaseline"),
  .executableTarget(
    name: "DaybookBench",
    dependencies: [
      "CBaseline", "Daybook", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      .product(name: "GRDB", package: "GRDB.swift"),
    ],
    path: "\(benchmarksFolder)DaybookBench",
    swiftSettings: [.swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny")]),
]

/// The targets that only the fuzzer's package has. Its own `main` calls the fuzzer's loop, so it is linked with the library that has
/// none: see `Tools/fuzz`.
let fuzzing: [Target] = [
  .executableTarget(name: "DaybookFuzz", dependencies: ["DecoderChecks"], path: "DaybookFuzz", swiftSettings: settings)
]

/// Returns targets with all that they depend on.
func closure(of roots: [String], in targets: [Target]) -> [Target] {
  var (names, wanted) = (Set(roots), roots)
  while let name = wanted.popLast(), let target = targets.first(where: { $0.name == name }) {
    for case .byNameItem(let name, _) in target.dependencies where names.insert(name).inserted { wanted.append(name) }
  }
  return targets.filter { names.contains($0.name) }
}

/// Returns the packages whose products targets use.
func packages(of targets: [Target]) -> Set<String> {
  var names: Set<String> = []
  for case .productItem(_, let package?, _, _) in targets.flatMap(\.dependencies) { names.insert(package) }
  return names
}

let hasMore = part != .whole || hasEverything
let all = targets + (hasMore ? examples + benchmarks : []) + (part == .fuzzer ? fuzzing : [])
let parts = part.roots.map { closure(of: $0, in: all) } ?? all
let used = packages(of: parts)

let package = Package(
  name: part == .whole ? "daybook" : "daybook-\(part)",
  platforms: [.macOS(.v15)],
  products: (part == .whole ? products : [])
    + (parts.contains { $0.name == "DaybookBench" } ? benchmarkProducts : []),
  // What builds the examples or an index's documentation names no traits.
  traits: part == .examples || Context.environment["SPI_GENERATE_DOCS"] != nil
    ? traits.union([.default(enabledTraits: Set(traits.map(\.name)))]) : traits,
  dependencies: dependencies.filter { dependency in
    guard case .sourceControl(_, let location, _) = dependency.kind else { return true }
    return used.contains { location.hasSuffix("/\($0)") }
  },
  targets: parts
)
