import { assert, describe, it } from "@effect/vitest"
import { Account, Keypair, Operation, StrKey, TransactionBuilder } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { createHash, randomBytes } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  type Bundle,
  InvalidBundle,
  mergeBundles,
  prepareBundle,
  readBundle,
  signBundle,
  signingPlan,
  signWithKey,
  TransactionNotVerified,
  writeBundle
} from "../../src/client/Client.ts"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { Pair } from "../close/support/Accounts.ts"
import { accountOf } from "../close/support/LedgerView.ts"
import { Service } from "../close/support/Service.ts"
import type { TestService } from "../support/TestService.ts"
import { served } from "./support/Closes.ts"

/** An account of which two of three must sign: its own key, another key, and whoever knows a preimage. */
const TwoOfThree = Effect.gen(function*() {
  const { destination, source } = yield* Pair()
  const [second, preimage] = [Keypair.random(), randomBytes(32)]
  const hash = createHash("sha256").update(preimage).digest()
  yield* perform("two of three", {
    as: source,
    operations: [
      Operation.setOptions({ signer: { ed25519PublicKey: second.publicKey(), weight: 1 } }),
      Operation.setOptions({ signer: { sha256Hash: hash, weight: 1 }, lowThreshold: 2, medThreshold: 2, highThreshold: 2 })
    ]
  })
  return { source, destination, second, preimage, hashKey: StrKey.encodeSha256Hash(hash) }
})

const optionsOf = ({ key, passphrase, url }: TestService, source: Keypair, destination: string) => ({
  baseUrl: url,
  apiKey: key,
  network: "testnet" as const,
  networkPassphrase: passphrase,
  source: source.publicKey(),
  destination,
  decisions: [{ id: `destination:${destination}`, choice: "i_control_this_address" }]
})

const hand = (env: Readonly<Record<string, string>>) =>
  Effect.async<string>((resume) => {
    const child = spawn(process.execPath, ["test/client/Hand.ts"], { env: { ...process.env, ...env } })
    let said = ""
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (said += text))
    child.on("close", (code) => resume(code === 0 ? Effect.succeed(said) : Effect.dieMessage(said)))
  })

const prepared = (options: Parameters<typeof prepareBundle>[0]) =>
  Effect.map(Effect.promise(() => prepareBundle(options)), (bundle) => bundle ?? assert.fail("the account is closed"))

describe("many hands", () => {
  it.live("two of three sign over three processes and one file, the preimage last", () =>
    served(
      false,
      Effect.gen(function*() {
        const service = yield* Service
        const { destination, preimage, second, source } = yield* service.on(TwoOfThree)
        const folder = mkdtempSync(join(tmpdir(), "hands-"))
        const env = {
          FILE: join(folder, "bundle.json"),
          URL: service.url,
          KEY: service.key,
          PASSPHRASE: service.passphrase,
          SOURCE: source.publicKey(),
          DESTINATION: destination.publicKey()
        }
        yield* hand({ ...env, PART: "prepare" })
        yield* hand({ ...env, PART: "key", SECRET: second.secret() })
        assert.notInclude(readFileSync(env.FILE, "utf8"), preimage.toString("hex"))
        const ledger = yield* hand({ ...env, PART: "preimage", PREIMAGE: preimage.toString("hex") })
        rmSync(folder, { recursive: true, force: true })
        assert.match(ledger, /^\d+$/)
        assert.strictEqual(yield* accountOf(source), null)
      })
    ), 120_000)

  it.live("says who signs, in what order, and what each sees", () =>
    served(
      false,
      Effect.gen(function*() {
        const service = yield* Service
        const { destination, hashKey, second, source } = yield* service.on(TwoOfThree)
        const bundle = yield* prepared(optionsOf(service, source, destination.publicKey()))
        const plan = signingPlan(bundle, [hashKey, second.publicKey()])
        assert.deepStrictEqual(plan.map(({ by, key, order, requiredWeight, weight }) => ({ by, key, order, requiredWeight, weight })), [
          { by: "signer", key: second.publicKey(), order: 1, requiredWeight: 2, weight: 1 },
          { by: "signer", key: hashKey, order: 2, requiredWeight: 2, weight: 1 }
        ])
        for (const { sees } of plan) assert.include(sees.join("\n"), destination.publicKey())
      })
    ), 120_000)

  it.live("signs no bundle that pays another than the signer names, whatever the bundle says", () =>
    served(
      false,
      Effect.gen(function*() {
        const service = yield* Service
        const { destination, second, source } = yield* service.on(TwoOfThree)
        const honest = yield* prepared(optionsOf(service, source, destination.publicKey()))
        const thief = Keypair.random().publicKey()
        const { sequence, timeBounds } = TransactionBuilder.fromXdr(honest.envelope, service.passphrase) as unknown as {
          sequence: string
          timeBounds: { maxTime: string }
        }
        const forged = new TransactionBuilder(new Account(source.publicKey(), (BigInt(sequence) - 1n).toString()), {
          fee: "100",
          networkPassphrase: service.passphrase,
          timebounds: { minTime: 0, maxTime: Number(timeBounds.maxTime) }
        }).addOperation(Operation.accountMerge({ destination: thief })).build()
        const hostile: Bundle = { ...honest, envelope: forged.toXdr(), hash: Buffer.from(forged.hash()).toString("hex") }
        const options = { ...optionsOf(service, source, destination.publicKey()), sign: signWithKey(second) }
        const refused = yield* Effect.flip(Effect.tryPromise({ try: () => signBundle(hostile, options), catch: (failure) => failure }))
        assert.instanceOf(refused, TransactionNotVerified)
        // A hash that is not the envelope's, and what is no bundle at all, are not even read.
        assert.throws(() => readBundle(writeBundle({ ...honest, envelope: forged.toXdr() })), InvalidBundle)
        assert.throws(() => readBundle("{}"), InvalidBundle)
        assert.throws(() => mergeBundles(honest, hostile), InvalidBundle)
      })
    ), 120_000)
})
