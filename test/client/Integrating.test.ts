import { assert, describe, it } from "@effect/vitest"
import { Keypair, Operation, TransactionBuilder } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { join } from "node:path"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { Pair } from "../close/support/Accounts.ts"
import { accountOf } from "../close/support/LedgerView.ts"
import { Service } from "../close/support/Service.ts"
import { served } from "./support/Closes.ts"

const page = readFileSync("docs/integrating.md", "utf8")

const snippets = [...page.matchAll(/^## (.+)$|```ts\n([\s\S]*?)```/gm)].reduce<
  ReadonlyArray<{ readonly title: string; readonly code: string }>
>(
  (found, [, title, code]) => {
    const last = found.at(-1)?.title ?? "the first page"
    if (title !== undefined) return [...found, { title, code: "" }]
    return [...found, { title: last, code: code ?? "" }]
  },
  []
).filter(({ code }) => code !== "")

/** Runs a snippet as it is in this process, and returns its output. */
const run = (code: string, env: Readonly<Record<string, string>>) =>
  Effect.promise(async () => {
    const printed: Array<string> = []
    const { log } = console
    const before = { ...process.env }
    const resolved = code.replaceAll(/from "(effect)"/g, (_, name: string) => `from "${import.meta.resolve(name)}"`)
      .replaceAll("\"account-closeout/client\"", `"${new URL("../../src/client/Client.ts", import.meta.url).href}"`)
    try {
      console.log = (...values: ReadonlyArray<unknown>) => void printed.push(values.map(String).join(" "))
      Object.assign(process.env, env)
      await import(`data:text/javascript,${encodeURIComponent(stripTypeScriptTypes(resolved))}#${printed.length}${env["SOURCE"]}`)
    } finally {
      console.log = log
      for (const name of Object.keys(env)) {
        if (before[name] === undefined) delete process.env[name]
        else process.env[name] = before[name]
      }
    }
    return printed
  })

/** A second signer, without which nothing can be signed. */
const withSecond = (source: Keypair) =>
  Effect.gen(function*() {
    const second = Keypair.random()
    const signer = { ed25519PublicKey: second.publicKey(), weight: 1 }
    yield* perform("a second signer", {
      as: source,
      operations: [Operation.setOptions({ signer, masterWeight: 1, lowThreshold: 2, medThreshold: 2, highThreshold: 2 })]
    })
    return second
  })

describe("docs/integrating.md", () => {
  it("shows the programs that the type check reads", () => {
    const programs = readdirSync("test/client/programs").map((name) => readFileSync(join("test/client/programs", name), "utf8"))
    assert.sameMembers(snippets.map(({ code }) => code), programs)
    const [first = ""] = snippets.map(({ code }) => code)
    assert.isAtMost(first.split("\n").filter((line) => line.trim() !== "").length, 20)
  })

  it.live("has snippets that close an account as they stand", () =>
    served(
      false,
      Effect.gen(function*() {
        const service = yield* Service
        assert.lengthOf(snippets, 6)
        for (const { code, title } of snippets) {
          const { destination, source } = yield* service.on(Pair())
          const second = title === "Many hands" ? yield* service.on(withSecond(source)) : Keypair.random()
          Object.assign(globalThis, {
            wallet: {
              signTransaction: async (envelope: string, { networkPassphrase }: { networkPassphrase: string }) => {
                const transaction = TransactionBuilder.fromXdr(envelope, networkPassphrase)
                transaction.sign(source)
                return { signedTxXdr: transaction.toXdr() }
              }
            }
          })
          const printed = yield* run(code, {
            URL: service.url,
            KEY: service.key,
            PASSPHRASE: service.passphrase,
            RPC: service.ledger.rpcUrl,
            LEDGER_API: service.ledger.ledgerApiUrl,
            SOURCE: source.publicKey(),
            SECRET: source.secret(),
            SECOND: second.secret(),
            DESTINATION: destination.publicKey()
          })
          assert.isAbove(printed.length, 0, title)
          if (title !== "The rest of the API") assert.strictEqual(yield* accountOf(source), null, title)
        }
      })
    ), 120_000)
})
