import { FileSystem } from "@effect/platform"
import { NodeFileSystem } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { ConfigProvider, Effect, Layer } from "effect"
import { readFileSync } from "node:fs"
import { settingProblems } from "../../src/serving/SettingProblems.ts"
import { settings } from "../../src/serving/Settings.ts"
import { startReport } from "../../src/serving/StartReport.ts"

const problemsWith = (set: Readonly<Record<string, string>>) =>
  settingProblems(Object.keys(set)).pipe(
    Effect.provide(Layer.merge(NodeFileSystem.layer, Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(set))))))
  )

const named = (set: Readonly<Record<string, string>>) =>
  Effect.map(problemsWith(set), (all) => all.map(({ setting }) => setting).toSorted())

/** The settings in the operator's guide, except those of other commands. */
const documented = () => {
  const rows = readFileSync(new URL("../../docs/operating.md", import.meta.url), "utf8").split("\n").filter((line) =>
    /^\| `[A-Z]/.test(line)
  )
  return rows.flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name = ""]) => name))
    .filter((name) => name !== "SANDBOX_PORT")
}

describe("settings", () => {
  it.live("of a network without a ledger API take no mediator, whose account would not be watched", () =>
    Effect.gen(function*() {
      const secret = Keypair.random()
      const told = yield* named({
        MAINNET_RPC_URLS: "https://rpc.example.com",
        MAINNET_RPC_ONLY: "on",
        MAINNET_MEDIATOR_SECRET: secret.secret(),
        MAINNET_MEDIATOR_SWEEP_ACCOUNT: Keypair.random().publicKey()
      })
      assert.deepStrictEqual(told, ["MAINNET_MEDIATOR_SECRET"])
    }))

  it("are those that the operator's guide lists", () => {
    assert.deepStrictEqual(settings.flatMap(({ names }) => names).toSorted(), documented().toSorted())
  })

  it("that compose.yaml requires are in settings.env.example without a value, and the others there exist", () => {
    const deployed = (name: string) => readFileSync(new URL(`../../deploy/${name}`, import.meta.url), "utf8")
    const required = new Set([...deployed("compose.yaml").matchAll(/\$\{(\w+):\?/g)].map(([, name = ""]) => name))
    const example = [...deployed("settings.env.example").matchAll(/^(#?)([A-Z0-9_]+)=(.*)$/gm)]
    const named = (isOptional: boolean) => example.filter(([, mark]) => (mark === "#") === isOptional)
    assert.deepStrictEqual(named(false).map(([line]) => line).toSorted(), [...required].map((name) => `${name}=`).toSorted())
    const known = settings.flatMap(({ names }) => names)
    assert.isNotEmpty(named(true))
    assert.deepStrictEqual(named(true).map(([, , name = ""]) => name).filter((name) => !known.includes(name)), [])
  })

  it.live("that are not set are no problem", () => Effect.map(problemsWith({}), (problems) => assert.deepStrictEqual(problems, [])))

  it.live("are all told of that are wrong, each by its own name, those of a network that is off among them", () =>
    Effect.gen(function*() {
      const wrong = {
        PORT: "70000",
        LOG_FORMAT: "xml",
        MAINNET_LEDGER_API_URLS: "ftp://example.com",
        TESTNET_CONTRACTS_FILE: "/nowhere/contracts.json",
        TESTNET_MAX_LEDGER_AGE_SECONDS: "-1",
        MAINNET_MEDIATOR_FORMER: "GABC",
        TESTNET_MEDIATOR_SECRET: "SABC",
        NETWORK_SANDBOX: "mainnet",
        DATA_DIR: "",
        API_KEYS: "nolabel",
        RATE_LIMIT: "0",
        RATE_WINDOW_SECONDS: "1e2",
        TRUSTED_PROXY_HOPS: "one",
        CORS_ORIGINS: "example.com",
        METRICS_TOKEN: "",
        METRICS_PORT: "65536",
        OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4317",
        EXCHANGE_REGISTRY_FILE: "/nowhere/exchanges.json",
        MAX_FEE_STROOPS_PER_OPERATION: "99",
        MAX_RESOURCE_FEE_LUMENS: "501",
        RECOMMENDED_PRICE_IMPACT_BPS: "5001",
        MEDIATOR_WARN_FLOAT_LUMENS: "some",
        LEDGER_API_CONCURRENCY: "65",
        CODE_BY_INTERFACE: "maybe"
      }
      const told = yield* named(wrong)
      // A mediator needs an account for its surplus.
      assert.deepStrictEqual([...new Set(told)], [...Object.keys(wrong), "TESTNET_MEDIATOR_SWEEP_ACCOUNT"].toSorted())
    }))

  it.scopedLive("name a data folder that can be made or written, and the check creates nothing", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const folder = yield* files.makeTempDirectoryScoped()
      yield* files.writeFileString(`${folder}/file`, "")
      const wrong = (path: string) => named({ DATA_DIR: `${folder}${path}` })
      assert.deepStrictEqual(yield* Effect.forEach(["", "/new", "/new/deeper"], wrong), [[], [], []])
      assert.deepStrictEqual(
        yield* Effect.forEach(["/file", "/file/below", "/\u0000"], wrong),
        Array.from({ length: 3 }, () => ["DATA_DIR"])
      )
      assert.deepStrictEqual(yield* files.readDirectory(folder), ["file"])
    }).pipe(Effect.provide(NodeFileSystem.layer)))

  it.live("show no value: it may be a secret", () =>
    Effect.gen(function*() {
      const seed = Keypair.random().secret()
      const problems = yield* problemsWith({
        API_KEYS: seed,
        TESTNET_MEDIATOR_SECRET: `${seed}x`,
        RATE_LIMIT: seed,
        LOG_FORMAT: seed,
        PORT: seed
      })
      assert.isAtLeast(problems.length, 5)
      const report = startReport({ _tag: "Settings", problems }, "pretty", "")
      assert.notInclude(report, seed.slice(0, 20))
    }))

  it.live("that are misspelt are named with what was meant, and those of somebody else are passed over", () =>
    Effect.gen(function*() {
      const set = {
        RATELIMIT: "5",
        MAINNET_RPC_URL: "http://127.0.0.1:1",
        TESTNET_SOMETHING: "1",
        CORS_ORIGIN: "*",
        HOSTNAME: "h",
        PATH: "/bin",
        PORTS: "1",
        DATABASE_URL: "x"
      }
      const problems = yield* problemsWith(set)
      assert.deepStrictEqual(problems.map(({ setting }) => setting), ["RATELIMIT", "MAINNET_RPC_URL", "TESTNET_SOMETHING", "CORS_ORIGIN"])
      assert.deepStrictEqual(problems[0], {
        setting: "RATELIMIT",
        problem: "is not a setting; the nearest one is RATE_LIMIT",
        example: "RATE_LIMIT=120"
      })
      assert.match(problems[1]?.problem ?? "", /MAINNET_RPC_URLS$/)
    }))
})

describe("the report", () => {
  const problems = [{ setting: "PORT", problem: "must be a port", example: "PORT=8080" }, {
    setting: "RATELIMIT",
    problem: "is none",
    example: ""
  }]

  it("is a line a problem for people", () => {
    assert.deepStrictEqual(startReport({ _tag: "Settings", problems }, "pretty", "").split("\n"), [
      "The service does not start: 2 problems with its settings (docs/operating.md has all of them).",
      "  PORT       must be a port. For example PORT=8080",
      "  RATELIMIT  is none"
    ])
  })

  it("is a line of JSON a problem for machines", () => {
    const lines = startReport({ _tag: "Settings", problems }, "json", "2026-01-01T00:00:00Z").split("\n").map((line) => JSON.parse(line))
    assert.deepStrictEqual(lines.map(({ level, message, setting, timestamp }) => [timestamp, level, message, setting]), [
      ["2026-01-01T00:00:00Z", "FATAL", "the service does not start", "PORT"],
      ["2026-01-01T00:00:00Z", "FATAL", "the service does not start", "RATELIMIT"]
    ])
  })
})
