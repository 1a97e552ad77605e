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

  /// The targets that are wanted, with all below them; `nil` for all.
  var roots: [String]? {
    switch self {
    case .whole: nil
    case .randomTests:
      [
        "DaybookDiffTests", "DaybookModelTests", "DaybookQueryTests", "DaybookEngineTests", "DaybookTests",
        "DaybookGitTests",
      ]
    case .fuzzer: ["DaybookFuzz"]
    }
  }
}

let part = Part(rawValue: Context.packageDirectory.split(separator: "/").suffix(2).joined(separator: "/")) ?? .whole

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

/// The folders of the applications that `swift run Applications` serves. They are no products, so packages that use Daybook
/// do not get them.
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
    .target(name: "CICU", dependencies: ["CICULibrary"]),
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
    .target(name: "DaybookCollation", dependencies: ["CICU", "Daybook"], swiftSettings: settings),
    .target(
      name: "DaybookJetStream", dependencies: ["CNATS", "Daybook", "DaybookEngine", "DaybookModel"],
      swiftSettings: settings),
    .target(
      name: "DaybookTools",
      dependencies: [
        "Daybook", "DaybookDiff", "DaybookEngine", "DaybookModel", "DaybookQuery", "LMDB",
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      swiftSettings: settings),
    .target(name: "DaybookGit", dependencies: ["Daybook"], swiftSettings: settings),
    // The files of the page become arrays of bytes: the binary needs nothing beside it.
    .target(name: "DaybookPage", resources: [.embedInCode("Assets")], swiftSettings: settings),
    .target(
      name: "DaybookServer",
      dependencies: [
        "Daybook", "DaybookEngine", "DaybookModel", "DaybookPage", "DaybookQuery", "DaybookTools", "WorkLimits",
        .product(name: "Crypto", package: "swift-crypto"), .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "HummingbirdTLS", package: "hummingbird"), .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"), .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"), .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
        .product(name: "NIOPosix", package: "swift-nio"), .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ],
      swiftSettings: settings),
    .macro(
      name: "DaybookMacrosPlugin",
      dependencies: [
        .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
      ],
      swiftSettings: settings),
    .target(name: "DaybookMacros", dependencies: ["Daybook", "DaybookMacrosPlugin"], swiftSettings: settings),
    .executableTarget(
      name: "DaybookCLI",
      dependencies: [
        "Daybook", "DaybookCollation", "DaybookGit", "DaybookJetStream", "DaybookServer", "DaybookTools",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      swiftSettings: settings),
    .target(
      name: "DaybookTestSupport", dependencies: ["Daybook", "DaybookEngine", "DaybookModel", "DaybookQuery"],
      swiftSettings: storeSettings),
    .target(
      name: "ApplicationSupport",
      dependencies: [
        "DaybookDiff", "DaybookMacros", "DaybookModel", "DaybookPage", "DaybookServer", "DaybookTools",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      path: "Examples/Support", resources: [.embedInCode("Assets")], swiftSettings: settings),
    .executableTarget(
      name: "Applications",
      dependencies: [
        "ApplicationSupport", "Daybook", "DaybookJetStream", "DaybookTools",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ] + applications.map { .target(name: $0) },
      path: "Examples/Applications", swiftSettings: settings),
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
        "CNATS", "Daybook", "DaybookEngine", "DaybookJetStream", "DaybookModel", "DaybookTestSupport",
        .product(name: "Crypto", package: "swift-crypto"),
      ],
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
        .product(name: "HTTPTypes", package: "swift-http-types"), .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdTesting", package: "hummingbird"),
        .product(name: "InMemoryLogging", package: "swift-log"), .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"), .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"), .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "DaybookGitTests",
      dependencies: [
        "Daybook", "DaybookEngine", "DaybookGit", "DaybookTestSupport", "DaybookTools",
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      exclude: ["Data"], swiftSettings: settings),
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
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      swiftSettings: settings),
    // The tests run the plugin: with the compiler's modules of their own they would build all of swift-syntax once more.
    .testTarget(
      name: "DaybookMacrosTests",
      dependencies: ["DaybookMacros", "DaybookModel", "DaybookTestSupport", "DaybookTools"], swiftSettings: settings),
    .testTarget(
      name: "MainActorTests", dependencies: ["DaybookMacros", "DaybookTestSupport"],
      swiftSettings: settings + [.defaultIsolation(MainActor.self)]),
    .testTarget(
      name: "ExamplesTests",
      dependencies: [
        "ApplicationSupport", "DaybookMacros", "DaybookModel", "DaybookServer", "DaybookTestSupport",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdTesting", package: "hummingbird"),
      ] + applications.map { .target(name: $0) },
      swiftSettings: settings),
  ]
  + applications.map { name in
    .target(
      name: name, dependencies: ["ApplicationSupport", "DaybookMacros", "DaybookTools"],
      path: "Examples/\(name)", resources: [.embedInCode("Page")] + (readyMade[name] ?? []),
      swiftSettings: settings)
  }

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

let parts = part.roots.map { closure(of: $0, in: targets + fuzzing) } ?? targets
let used = packages(of: parts)

let package = Package(
  name: part == .whole ? "daybook" : "daybook-\(part)",
  platforms: [.macOS(.v15)],
  products: part == .whole ? products : [],
  dependencies: dependencies.filter { dependency in
    guard case .sourceControl(_, let location, _) = dependency.kind else { return true }
    return used.contains { location.hasSuffix("/\($0)") }
  },
  targets: parts
)
