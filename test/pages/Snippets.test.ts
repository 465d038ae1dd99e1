import { assert, describe, it } from "@effect/vitest"
import { Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect, Schema } from "effect"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pagesBelow } from "../../scripts/sources.ts"
import { PlanBody } from "../../src/api/Close.ts"
import { ContractsDocument } from "../../src/registry/ContractAddresses.ts"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { Serving } from "../../src/serving/Serving.ts"
import { accountOf } from "../close/support/LedgerView.ts"
import { Service } from "../close/support/Service.ts"
import { startTestService, type TestService } from "../support/TestService.ts"
import { firstOf, isThorough } from "../support/Thorough.ts"
import { type Block, blocksOf, type Command, commandsOf } from "./support/Blocks.ts"
import { checkout, run } from "./support/Session.ts"

const root = new URL("../../", import.meta.url)
const textOf = (path: string): string => readFileSync(new URL(path, root), "utf8")
const pages = ["README.md", ...pagesBelow("docs")]
const blocks = pages.flatMap((page) => blocksOf(page, textOf(page)))

/** Blocks of commands that this file does not run, by their beginning. */
const notRunHere: ReadonlyArray<{ readonly page: string; readonly begins: string; readonly why: string }> = [
  { page: "README.md", begins: "npm ci && npm run demo", why: ".ci/run runs both commands" },
  { page: "README.md", begins: "npm run closeout", why: "it asks on a terminal; test/cli closes accounts without one" },
  { page: "docs/command-line.md", begins: "npm ci && npm run closeout", why: "the same" },
  { page: "README.md", begins: "npm ci && npm test", why: "this test is part of it" },
  { page: "docs/operating.md", begins: "npm run build", why: ".ci/run builds, and test/serving/ThreeInstances.test.ts starts the bundle" },
  {
    page: "docs/operating.md",
    begins: "cp deploy/settings.env.example",
    why: "it writes into the checkout; test/serving/Settings.test.ts compares the example with compose.yaml"
  },
  { page: "docs/operating.md", begins: "docker compose", why: "it needs Docker" },
  {
    page: "docs/operating.md",
    begins: "npm run contracts:scan",
    why: "it reads the public network; test/registry/ContractsScan.test.ts scans the sandbox"
  },
  { page: "docs/operating.md", begins: "DATA_DIR=/data", why: "test/keys/KeyFile.test.ts runs both scripts on databases of its own" },
  { page: "docs/protocols.md", begins: "npx node main.ts", why: "test/outside runs the package of that page, from an installed tarball" }
]

/** Languages of blocks that nothing can run. */
const notCode = ["text", "yaml"]

const isExcused = ({ page, text }: Block): boolean => notRunHere.some((one) => one.page === page && text.startsWith(one.begins))

const decodes = <A, I>(schema: Schema.Schema<A, I>, value: unknown) => {
  const decoded = Schema.decodeUnknownEither(schema, { onExcessProperty: "error" })(value)
  return decoded._tag === "Right" ? null : decoded.left.message
}

/** The names that MCP clients give a server. */
const McpClients = Schema.Struct({
  mcpServers: Schema.Struct({
    closeout: Schema.Struct({
      type: Schema.Literal("http"),
      url: Schema.String.pipe(Schema.pattern(/^https:.*\/mcp$/)),
      headers: Schema.Struct({ Authorization: Schema.String.pipe(Schema.pattern(/^Bearer /)) })
    })
  })
})

/** Checks of JSON that is not an answer, by page: the fault; null: none. */
const judges: Readonly<Record<string, (value: object) => string | null>> = {
  "docs/agents.md": (value) => decodes(McpClients, value),
  "docs/closing.md": (value) => decodes(PlanBody, { source: Keypair.random().publicKey(), ...value }),
  "docs/protocols.md": (value) => decodes(ContractsDocument, value)
}

/** The service of the pages: it closes ledgers on a timer. */
const serving = Serving.layerWith({ closeEvery: "1 second", protocols: true, accounts: true })

const adminToken = "a".repeat(40)

const started = startTestService({ ADMIN_TOKEN: adminToken }, serving)

/** The variables that the start prints, and the operator's token. */
const environmentOf = ({ key, passphrase, ledger, prepared: [, plain], url }: TestService): Readonly<Record<string, string>> => {
  if (plain === undefined) return assert.fail("no plain account is prepared")
  return {
    URL: url,
    KEY: key,
    SOURCE: plain.source.publicKey(),
    SECRET: plain.source.secret(),
    DESTINATION: plain.destination.publicKey(),
    SANDBOX: new URL(ledger.ledgerApiUrl).origin,
    PASSPHRASE: passphrase,
    ADMIN_TOKEN: adminToken
  }
}

const commandsIn = (page: string): ReadonlyArray<Command> => commandsOf(blocks.filter((block) => block.page === page && !isExcused(block)))

const session = (page: string, service: TestService) =>
  Effect.flatMap(checkout, (folder) => run(folder, commandsIn(page), environmentOf(service)))

/** An account with two signers, and the next transaction of its close. */
const signedByTwo = (service: TestService) =>
  Effect.gen(function*() {
    const [, plain] = service.prepared
    if (plain === undefined) return assert.fail("no plain account is prepared")
    const second = Keypair.random()
    const signer = { ed25519PublicKey: second.publicKey(), weight: 1 }
    yield* service.on(
      perform("a second signer", { as: plain.source, operations: [Operation.setOptions({ signer, medThreshold: 2, highThreshold: 2 })] })
    )
    const next = yield* service.call("POST", "/v1/testnet/close/transactions", {
      source: plain.source.publicKey(),
      destination: plain.destination.publicKey(),
      decisions: [{ id: `destination:${plain.destination.publicKey()}`, choice: "i_control_this_address" }]
    })
    return { first: plain.source, second, next: next.body }
  })

describe("the code blocks of the pages", () => {
  it("are run by a test, are copies of tested files, are JSON of the contract, or have a reason", () => {
    const sessions = [
      "README.md",
      "docs/agents.md",
      "docs/exchanges.md",
      "docs/testing.md",
      "docs/operating.md",
      "docs/closing/multisig.md"
    ]
    const copies = readdirSync(new URL("test/outside/package/", root)).filter((name) => name.endsWith(".ts")).map((name) =>
      textOf(`test/outside/package/${name}`).trim()
    )
    const fates: Readonly<Record<string, (block: Block) => boolean>> = {
      sh: (block) => sessions.includes(block.page) || isExcused(block),
      console: ({ page }) => sessions.includes(page),
      json: ({ follows, page }) => follows?.language === "sh" || page in judges,
      // Integrating.test.ts runs the programs of that page.
      ts: ({ page, text }) => page === "docs/integrating.md" || copies.includes(text.trim()),
      // Run by test/verify/Snippet.test.ts.
      js: ({ page }) => page === "docs/verifying.md"
    }
    // The programs and commands of the guides are run by Guides.test.ts.
    const astray = blocks.filter(({ page }) => !page.startsWith("docs/guides/")).filter((block) =>
      !(notCode.includes(block.language) || fates[block.language]?.(block) === true)
    )
    assert.deepStrictEqual(astray.map(({ line, page }) => `${page}:${line}`), [])
    assert.isAbove(blocks.length, 40)
    const stale = notRunHere.filter(({ begins, page }) => !blocks.some((block) => block.page === page && block.text.startsWith(begins)))
    assert.deepStrictEqual(stale, [])
  })

  it("hold JSON that the contract's schemas decode, where they are no answers", () => {
    const judged = blocks.filter(({ follows, language }) => language === "json" && follows?.language !== "sh")
    assert.sameMembers(judged.map(({ page }) => page), Object.keys(judges))
    for (const { line, page, text } of judged) assert.isNull(judges[page]?.(JSON.parse(text)) ?? null, `${page}:${line}`)
  })

  for (const page of firstOf(1, ["README.md", "docs/exchanges.md"])) {
    it.scopedLive(`of ${page} close an account, with the answers that it shows`, () =>
      Effect.gen(function*() {
        const service = yield* started
        const outputs = yield* session(page, service)
        assert.include(outputs.at(-1), "\"status\":\"success\"")
        if (page === "README.md") {
          const source = service.prepared[1]?.source ?? assert.fail("no plain account is prepared")
          assert.isNull(yield* Effect.provideService(accountOf(source), Service, service))
        }
      }))
  }

  for (const page of firstOf(2, ["docs/agents.md", "docs/operating.md", "docs/testing.md"])) {
    it.scopedLive(`of ${page} have the answers that it shows`, () => Effect.flatMap(started, (service) => session(page, service)))
  }

  it.scopedLive.runIf(isThorough)("of docs/closing/multisig.md sign with two keys", () =>
    Effect.gen(function*() {
      const service = yield* started
      const { first, next, second } = yield* signedByTwo(service)
      const folder = yield* checkout
      writeFileSync(join(folder, "next.json"), JSON.stringify(next))
      const secrets = { FIRST: first.secret(), SECOND: second.secret() }
      yield* run(folder, commandsIn("docs/closing/multisig.md"), { ...environmentOf(service), ...secrets })
      const body = JSON.parse(readFileSync(join(folder, "signed.json"), "utf8"))
      const submitted = yield* service.call<{ readonly status: string }>("POST", "/v1/testnet/submit", body)
      assert.strictEqual(submitted.body.status, "success", JSON.stringify(submitted.body))
    }))

  it.scopedLive("of GET /docs close an account", () =>
    Effect.gen(function*() {
      const service = yield* started
      const html = yield* Effect.promise(() => fetch(`${service.url}/docs`).then((answer) => answer.text()))
      const loop = /<ol class="loop">([^]*?)<\/ol>/.exec(html)?.[1] ?? ""
      const characters: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": "\"" }
      const [plan = "", build = "", submit = ""] = [...loop.matchAll(/<pre>([^]*?)<\/pre>/g)].map(([, code = ""]) =>
        code.replaceAll(/&\w+;/g, (name) => characters[name] ?? name)
      )
      const sign = "export SIGNED=$(npm run --silent sign < next.json | node -pe 'JSON.parse(fs.readFileSync(0)).signedXdr')"
      const commands = [plan, `${build.trimEnd()} > next.json`, sign, submit].map((code, index) => ({
        page: "/docs",
        line: index + 1,
        section: "",
        code,
        answer: null
      }))
      const outputs = yield* Effect.flatMap(checkout, (folder) => run(folder, commands, environmentOf(service)))
      assert.include(outputs.at(-1), "\"status\":\"success\"")
    }))
})
