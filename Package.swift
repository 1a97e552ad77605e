// swift-tools-version: 6.2

import CompilerPluginSupport
import PackageDescription

/// Every target decodes borrowed bytes through `RawSpan`; types that hold such a span need lifetimes.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableExperimentalFeature("Lifetimes"),
  .enableUpcomingFeature("ExistentialAny"),
]

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

let package = Package(
  name: "daybook",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "Daybook", targets: ["Daybook"]),
    .library(name: "DaybookMacros", targets: ["DaybookMacros"]),
    .library(name: "DaybookCollation", targets: ["DaybookCollation"]),
    .library(name: "DaybookJetStream", targets: ["DaybookJetStream"]),
    .library(name: "DaybookServer", targets: ["DaybookServer"]),
    .library(name: "DaybookTestSupport", targets: ["DaybookTestSupport"]),
    .executable(name: "daybook", targets: ["DaybookCLI"]),
  ],
  dependencies: [
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
  ],
  targets: [
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
      name: "LMDB", dependencies: ["CLMDB", "CChecksum", "CLMDBGuard", "WorkLimits"], swiftSettings: strictSettings),
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
      name: "Daybook",
      dependencies: [
        "LMDB", "DaybookDiff", "DaybookEngine", "DaybookModel", "DaybookQuery", "WorkLimits",
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "Logging", package: "swift-log"),
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
        "Daybook", "DaybookModel", "DaybookPage", "DaybookQuery", "DaybookTools", "WorkLimits",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "HummingbirdTLS", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
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
    .target(name: "DaybookTestSupport", dependencies: ["Daybook"], swiftSettings: storeSettings),
    .target(
      name: "ApplicationSupport",
      dependencies: [
        "DaybookDiff", "DaybookMacros", "DaybookModel", "DaybookPage", "DaybookServer", "DaybookTools",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      path: "Sources/Examples/Support", resources: [.embedInCode("Assets")], swiftSettings: settings),
    .executableTarget(
      name: "Applications",
      dependencies: [
        "ApplicationSupport", "Daybook", "DaybookJetStream", "DaybookTools",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ] + applications.map { .target(name: $0) },
      path: "Sources/Examples/Applications", swiftSettings: settings),
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
      name: "DaybookQueryTests", dependencies: ["DaybookQuery", "DaybookTestSupport", "WorkLimits"],
      swiftSettings: settings),
    .executableTarget(
      name: "CrashWriter", dependencies: ["Daybook", "DaybookTestSupport"], path: "Tests/CrashWriter",
      swiftSettings: settings),
    .target(
      name: "DecoderChecks",
      dependencies: ["Daybook", "DaybookEngine", "DaybookGit", "DaybookTestSupport", "DaybookTools"],
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
        "CrashWriter", "Daybook", "DaybookEngine", "DaybookTestSupport", "DaybookTools", "DecoderChecks", "DiskWriter",
        "DifferenceCases", "WorkLimits",
        .product(name: "InMemoryLogging", package: "swift-log"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "DaybookEngineTests", dependencies: ["DaybookDiff", "DaybookEngine", "DaybookTestSupport", "LMDB"],
      swiftSettings: settings),
    .testTarget(
      name: "DaybookCollationTests", dependencies: ["DaybookCollation", "DaybookMacros", "DaybookTestSupport"],
      exclude: ["Data"], swiftSettings: settings),
    .testTarget(
      name: "DaybookJetStreamTests",
      dependencies: [
        "CNATS", "Daybook", "DaybookEngine", "DaybookJetStream", "DaybookModel", "DaybookTestSupport",
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "DaybookToolsTests", dependencies: ["DaybookTestSupport", "DaybookTools"], swiftSettings: settings),
    .testTarget(
      name: "DaybookServerTests",
      dependencies: [
        "DaybookPage", "DaybookServer", "DaybookTestSupport", "DaybookTools", "DifferenceCases",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdTesting", package: "hummingbird"),
        .product(name: "InMemoryLogging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "DaybookGitTests",
      dependencies: [
        "DaybookGit", "DaybookTestSupport", "DaybookTools", .product(name: "Crypto", package: "swift-crypto"),
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
        "CrashWriter", "DaybookCLI", "DaybookTestSupport", "DaybookTools", "DifferenceCases", "PlainClient",
        "ReadmeExample",
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      swiftSettings: settings),
    // The tests run the plugin: with the compiler's modules of their own they would build all of swift-syntax once more.
    .testTarget(
      name: "DaybookMacrosTests", dependencies: ["DaybookMacros", "DaybookTestSupport"], swiftSettings: settings),
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
        path: "Sources/Examples/\(name)", resources: [.embedInCode("Page")] + (readyMade[name] ?? []),
        swiftSettings: settings)
    }
)
