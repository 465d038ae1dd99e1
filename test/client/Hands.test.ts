import { assert, describe, it } from "@effect/vitest"
import { Account, Keypair, Operation, StrKey, Transaction, TransactionBuilder } from "@stellar/stellar-sdk"
import { Effect, Layer } from "effect"
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
  type SigningRequest,
  signWithKey,
  TransactionNotVerified,
  writeBundle
} from "../../src/client/Client.ts"
import { RpcError } from "../../src/sandbox/faults/ServerErrors.ts"
import { LendingNewcomer } from "../../src/sandbox/scenarios/LendingNewcomer.ts"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { depositInto, Issued, Pair } from "../close/support/Accounts.ts"
import { answersTo } from "../close/support/Answering.ts"
import { plan } from "../close/support/Client.ts"
import { accountOf } from "../close/support/LedgerView.ts"
import { Service } from "../close/support/Service.ts"
import { Sources, sourcesServiceAt } from "../close/support/Sources.ts"
import { VaultsShort } from "../support/scenarios/VaultsShort.ts"
import type { TestService } from "../support/TestService.ts"
import { isThorough } from "../support/Thorough.ts"
import { sandboxContracts } from "./support/CarefulOwner.ts"
import { served } from "./support/Closes.ts"

/** An account that needs two of three signers: its own key, another key, and the preimage of a hash. */
const twoOfThree = ({ destination, source }: { readonly source: Keypair; readonly destination: Keypair }) =>
  Effect.gen(function*() {
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

const TwoOfThree = Effect.flatMap(Pair(), twoOfThree)

/** The same with so few shares that their pool pays nothing of one asset. */
const FewShares = Effect.gen(function*() {
  const pair = yield* Pair("200")
  const { asset, issuer } = yield* Issued("USD", [pair.source, "0.0000001"])
  yield* depositInto(issuer, asset, "50", "0.0000010")
  yield* depositInto(pair.source, asset, "4.9", "0.0000001")
  return yield* twoOfThree(pair)
})

const withdrawalIn = ({ envelope, networkPassphrase }: Bundle) => {
  const { operations } = TransactionBuilder.fromXdr(envelope, networkPassphrase) as Transaction
  const [made] = operations.flatMap((one) => (one.type === "liquidityPoolWithdraw" ? [one] : []))
  return { minimum: made === undefined ? assert.fail("nothing is withdrawn") : [made.minAmountA, made.minAmountB] }
}

/** A bundle whose withdrawal of shares has other minima. */
const withMinima = (bundle: Bundle, minAmountA: string, minAmountB: string): Bundle => {
  const transaction = TransactionBuilder.fromXdr(bundle.envelope, bundle.networkPassphrase)
  if (!(transaction instanceof Transaction) || transaction.timeBounds === undefined) return assert.fail("it is no transaction of a close")
  const made = new TransactionBuilder(new Account(transaction.source, (BigInt(transaction.sequence) - 1n).toString()), {
    fee: "100",
    networkPassphrase: bundle.networkPassphrase,
    timebounds: { minTime: 0, maxTime: Number(transaction.timeBounds.maxTime) },
    ...(transaction.ledgerBounds === undefined ? {} : { ledgerbounds: transaction.ledgerBounds })
  })
  for (const operation of transaction.operations) {
    if (operation.type === "liquidityPoolWithdraw") {
      made.addOperation(Operation.liquidityPoolWithdraw({ ...operation, minAmountA, minAmountB }))
    }
  }
  const forged = made.build()
  return { ...bundle, envelope: forged.toXdr(), hash: Buffer.from(forged.hash()).toString("hex") }
}

const refusalOf = (bundle: Bundle, options: Parameters<typeof signBundle>[1]) =>
  Effect.map(
    Effect.flip(Effect.tryPromise({ try: () => signBundle(bundle, options), catch: (failure) => failure })),
    (failure) => failure instanceof TransactionNotVerified ? failure.violations.map(({ rule }) => rule) : failure
  )

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

/** Signs a bundle, and returns the codes of the warnings that the signer was shown. */
const shownTo = (signer: Keypair, bundle: Bundle, options: Parameters<typeof prepareBundle>[0]) =>
  Effect.promise(async () => {
    const shown: Array<SigningRequest["warnings"]> = []
    const sign = (request: SigningRequest) => (shown.push(request.warnings), signWithKey(signer)(request))
    const signed = await signBundle(bundle, { ...options, sign })
    return { signed, warnings: shown.flat() }
  })

describe("many hands", () => {
  it.live.runIf(isThorough)("two of three sign over three processes and one file, the preimage last", () =>
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
        // A bundle with another hash than its envelope's, and a text that is no bundle, are rejected at the read.
        assert.throws(() => readBundle(writeBundle({ ...honest, envelope: forged.toXdr() })), InvalidBundle)
        assert.throws(() => readBundle("{}"), InvalidBundle)
        assert.throws(() => mergeBundles(honest, hostile), InvalidBundle)
      })
    ), 120_000)

  it.live("sign no merge that guarantees less than the signer accepts", () =>
    served(
      false,
      Effect.gen(function*() {
        const service = yield* Service
        const { destination, second, source } = yield* service.on(TwoOfThree)
        const own = optionsOf(service, source, destination.publicKey())
        const bundle = yield* prepared(own)
        const options = { ...own, sign: signWithKey(second) }
        const refused = yield* refusalOf(bundle, { ...options, accept: "100" })
        assert.deepInclude(refused, { _tag: "BelowAcceptedMinimum" })
        yield* Effect.promise(() => signBundle(bundle, { ...options, accept: "99" }))
      })
    ), 120_000)

  it.live("sign the withdrawal of shares that a pool pays nothing of one asset for, and none for less than they are worth", () =>
    served(
      false,
      Effect.gen(function*() {
        const service = yield* Service
        const { destination, second, source } = yield* service.on(FewShares)
        const own = optionsOf(service, source, destination.publicKey())
        const honest = yield* prepared(own)
        const options = { ...own, sign: signWithKey(second) }
        const { minimum } = withdrawalIn(honest)
        assert.deepStrictEqual([minimum.filter((one) => Number(one) > 0).length, minimum.length], [1, 2])
        const signed = yield* Effect.promise(() => signBundle(readBundle(writeBundle(honest)), options))
        assert.strictEqual(signed.hash, honest.hash)
        assert.deepStrictEqual(yield* refusalOf(withMinima(honest, "0.0000001", "0"), options), ["sale_floor"])
        assert.deepStrictEqual(yield* refusalOf(withMinima(honest, "0", "0.0000001"), options), ["sale_floor"])
        assert.deepStrictEqual(yield* refusalOf(withMinima(honest, "0", "0"), options), ["sale_floor"])
      })
    ), 120_000)

  it.live.runIf(isThorough)("sign what is bought for a debt that the account's entries do not show", () =>
    served(
      true,
      Effect.gen(function*() {
        const service = yield* Service
        const { destination, source } = yield* service.on(VaultsShort)
        const request = { source: source.publicKey(), destination: destination.publicKey() }
        const asked = yield* plan(request)
        const own = {
          ...optionsOf(service, source, destination.publicKey()),
          contracts: sandboxContracts,
          decisions: answersTo(asked, "buy_repay_asset_then_exit", "i_control_this_address")
        }
        const honest = yield* prepared(own)
        const { operations } = TransactionBuilder.fromXdr(honest.envelope, service.passphrase) as Transaction
        assert.deepStrictEqual(operations.map(({ type }) => type), ["pathPaymentStrictReceive"])
        const options = { ...own, sign: signWithKey(source) }
        assert.strictEqual((yield* Effect.promise(() => signBundle(honest, options))).hash, honest.hash)
        const unasked = own.decisions.filter(({ choice }) => choice !== "buy_repay_asset_then_exit")
        assert.deepStrictEqual(yield* refusalOf(honest, { ...options, decisions: unasked }), ["not_decided"])
      })
    ), 120_000)

  it.live("each sees that a merge rests on one contract RPC, in words of its own", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { destination, second, source } = yield* service.on(Effect.flatMap(LendingNewcomer, twoOfThree))
      yield* service.sandbox.closeLedger()
      const own = { ...optionsOf(service, source, destination.publicKey()), contracts: sandboxContracts }
      const both = yield* prepared(own)
      assert.deepStrictEqual((yield* shownTo(source, both, own)).warnings, [])
      const [, silent] = yield* Sources
      yield* silent!.faults.set({ fault: new RpcError({ code: -32_603, message: "no ledger" }), rpc: "getLedgerEntries" })
      const bundle = yield* prepared(own)
      const first = yield* shownTo(source, readBundle(writeBundle(bundle)), own)
      const last = yield* shownTo(second, first.signed, own)
      for (const { warnings } of [first, last]) {
        assert.deepStrictEqual(warnings.map(({ code }) => code), ["single_source"])
        assert.include(warnings[0]?.message, "Only one contract RPC")
      }
    }).pipe(Effect.provide(sourcesServiceAt(2, {}, ["lend_1"], Layer.empty)), Effect.scoped), 60_000)

  it.live("read a bundle without warnings, and show of others only what this version knows", () =>
    served(
      false,
      Effect.gen(function*() {
        const service = yield* Service
        const { destination, second, source } = yield* service.on(TwoOfThree)
        const own = optionsOf(service, source, destination.publicKey())
        const { warnings, ...older } = yield* prepared(own)
        assert.deepStrictEqual(warnings, [])
        const plain = yield* shownTo(source, readBundle(writeBundle(older)), own)
        assert.deepStrictEqual(plain.warnings, [])
        const warned = yield* shownTo(second, { ...older, warnings: ["single_source", "single_source"] }, own)
        assert.deepStrictEqual(warned.warnings.map(({ code }) => code), ["single_source"])
        for (const merged of [mergeBundles(plain.signed, warned.signed), mergeBundles(warned.signed, plain.signed)]) {
          assert.deepStrictEqual(merged.warnings, ["single_source"])
        }
        // A newer version may know more codes, and a hostile maker writes anything.
        const other = readBundle(JSON.stringify({ ...older, warnings: ["Call +1 555 0100.\u001b[2J", "single_source"] }))
        assert.deepStrictEqual((yield* shownTo(second, other, own)).warnings, warned.warnings)
      })
    ), 120_000)
})
