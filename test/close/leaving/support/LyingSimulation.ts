import { assert } from "@effect/vitest"
import { TransactionBuilder, xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { applyTransaction } from "../../../../src/ledger/Apply.ts"
import { registerContracts } from "../../../../src/ledger/soroban/Contract.ts"
import { allContracts } from "../../../../src/sandbox/contracts/All.ts"
import { keyOf } from "../../../../src/xdr/LedgerKeys.ts"
import { answersTo } from "../../support/Answering.ts"
import { type NextBody, plan } from "../../support/Client.ts"
import { Service } from "../../support/Service.ts"
import { signed } from "../../support/Signing.ts"
import { type Lie, lyingRpc, type SimulationText } from "./LyingRpc.ts"
import { fieldLies } from "./SimulationLies.ts"
import { TOY_POOL_HASH, toyPool, UPGRADED_HASH } from "./ToyPool.ts"
import { laterLedger, POSITION, ToyHolder, toyServiceThrough } from "./ToyService.ts"

const { between, lying } = lyingRpc()

/** The production service over a contract RPC that can lie about simulations. */
export const liedTo = toyServiceThrough(between)

const contracts = registerContracts([...allContracts, { model: toyPool, wasmHashes: [TOY_POOL_HASH, UPGRADED_HASH] }])

const DEBT = 4_0000000n

/** An account with a position and a debt in a toy pool, and the request for its close. */
export const held = Effect.gen(function*() {
  const { on } = yield* Service
  const scene = yield* on(ToyHolder({ pool: 0, debt: DEBT, owned: "10" }))
  yield* laterLedger
  const request = { source: scene.source.publicKey(), destination: scene.destination.publicKey() }
  return { ...scene, request: { ...request, decisions: answersTo(yield* plan(request)) } }
})

export type Held = Effect.Effect.Success<typeof held>

/** The change of an entry: removed, the difference of its amount, or a change of another field. */
const described = (held: Held, was: xdr.LedgerEntry | undefined, is: xdr.LedgerEntry | undefined): string => {
  const data = (is ?? was)?.data
  const own = (id: xdr.PublicKey): string => (Buffer.from(id.ed25519.value).equals(held.source.rawPublicKey()) ? "own" : "foreign")
  const apart = (entry: xdr.LedgerEntry | undefined): string => {
    const one = entry?.data
    if (one?.type === "account") {
      const { flags, numSubEntries, signers, thresholds } = one.account
      return [flags, numSubEntries, Buffer.from(thresholds.toXdr()).toString("hex"), ...signers.map((signer) => signer.toXdr("base64"))]
        .join()
    }
    if (one?.type === "trustline") return new xdr.TrustLineEntry({ ...one.trustLine, balance: 0n }).toXdr("base64")
    return ""
  }
  const rest = apart(was) === apart(is) ? "" : " otherwise"
  switch (data?.type) {
    case "account":
      return `${own(data.account.accountId)} account${rest}`
    case "trustline": {
      const [before, after] = [was, is].map((entry) => (entry?.data.type === "trustline" ? entry.data.trustLine.balance : 0n))
      const { asset } = data.trustLine
      return `${own(data.trustLine.accountId)} line ${
        asset.type === "assetTypeCreditAlphanum4"
          ? Buffer.from(asset.alphaNum4.assetCode.toXdr()).toString().replaceAll("\0", "")
          : asset.type
      } ${(after ?? 0n) - (before ?? 0n)}${rest}`
    }
    case "contractData": {
      const { key } = data.contractData
      const name = key.type === "scvVec" && key.vec?.[0]?.type === "scvSymbol" ? String(key.vec[0].sym) : key.type
      return `${name} ${is === undefined ? "gone" : "changed"}`
    }
    default:
      return data?.type ?? "nothing"
  }
}

/** The effects of a signed envelope on the honest network, entry by entry, without applying it there. */
const effectsOf = (held: Held, envelope: string) =>
  Effect.gen(function*() {
    const { passphrase, sandbox } = yield* Service
    const { state } = yield* sandbox.snapshot
    const { closeTime, ledgerSeq } = state.header
    const applied = applyTransaction(
      state.at({ ledgerSeq: ledgerSeq + 1, closeTime: closeTime + 5n }),
      xdr.TransactionEnvelope.fromXdr(envelope, "base64"),
      { networkPassphrase: passphrase, signatures: "verify", contracts }
    )
    // An identical object was not changed; this filters out almost every entry.
    const [before, after] = [new Set(state.entries()), new Set(applied.state.entries())]
    const moved = [...[...before].filter((entry) => !after.has(entry)), ...[...after].filter((entry) => !before.has(entry))]
    const keys = new Map(moved.map((entry) => [keyOf(entry).toXdr("base64"), keyOf(entry)]))
    const text = (entry: xdr.LedgerEntry | undefined) => (entry === undefined ? "" : entry.data.toXdr("base64"))
    const touched = [...keys.values()].filter((key) => text(state.get(key)) !== text(applied.state.get(key)))
    return {
      succeeded: applied.result.result.type === "txSuccess",
      feeCharged: applied.feeCharged,
      changes: touched.filter(({ type }) => type !== "ttl").map((key) => described(held, state.get(key), applied.state.get(key))).toSorted()
    }
  })

/** The effects that the exit declared: 100 USD for 4 EUR, and the position with its debt is gone. */
const declared = [
  "Balance changed",
  "Balance changed",
  "Debt gone",
  "Position gone",
  `own account`,
  `own line EUR -${DEBT}`,
  `own line USD ${POSITION}`
].toSorted()

interface Answered extends NextBody {
  readonly error?: { readonly code: string }
}

const codes = new Set([
  "position_exit_unsafe",
  "position_exit_unavailable",
  "simulation_failed",
  "upstream_unusable",
  "network_unavailable",
  "deadline_exceeded",
  "plan_changed",
  "insufficient_lumens",
  "plan_blocked",
  "dry_run_failed",
  "quote_drifted"
])

/**
 * Checks a service over a lying source: it rejects with a fitting code, or its envelope has the declared effects, or only the fee is lost.
 */
export const survives = (held: Held, what: string, lie: Lie) =>
  Effect.gen(function*() {
    const { call } = yield* Service
    const asked = yield* lying(lie, call<{ readonly error?: { readonly code: string } }>("POST", "/v1/testnet/close/plan", held.request))
    assert.isTrue(
      asked.status === 200 || codes.has(asked.body.error?.code ?? ""),
      `plan, ${what}: ${asked.status} ${JSON.stringify(asked.body.error)}`
    )
    const { body, status } = yield* lying(lie, call<Answered>("POST", "/v1/testnet/close/transactions", held.request))
    if (status !== 200) {
      assert.isTrue(codes.has(body.error?.code ?? ""), `build, ${what}: ${status} ${JSON.stringify(body.error)}`)
      return "refused"
    }
    const [offer] = body.transactions
    assert(offer !== undefined)
    const { passphrase } = yield* Service
    const fee = BigInt(TransactionBuilder.fromXdr(offer.xdr, passphrase).fee)
    assert.isTrue(fee <= 5_1000000n, `${what}: ${fee} stroops are bid`)
    assert.deepStrictEqual(offer.intent.operations.map(({ type }) => type), ["invoke_contract"], what)
    const { changes, feeCharged, succeeded } = yield* effectsOf(held, yield* signed(offer, held.source))
    assert.deepStrictEqual(changes, succeeded ? declared : ["own account"], what)
    assert.isTrue(feeCharged <= fee, what)
    return succeeded ? "applied" : "failed"
  })

/** The second lie on top of the first; only the first where the second has nothing left to change. */
const both = (one: Lie, other: Lie): Lie => (honest) => {
  const first = one(honest)
  try {
    return other(first as SimulationText)
  } catch {
    return first
  }
}

/** Lies about two fields at once. The lie about the second field depends on the pair's index, so that each gets its turn. */
const pairs = fieldLies.flatMap((one, at) =>
  fieldLies.slice(at + 1).map((other, place) => {
    const [first, second] = [one.lies[place % one.lies.length], other.lies[(at + place) % other.lies.length]]
    if (first === undefined || second === undefined) throw new Error("a field without lies")
    return { what: `${one.field}: ${first[0]}; ${other.field}: ${second[0]}`, lie: both(first[1], second[1]) }
  })
)

/** Lies about every n-th pair of fields: no envelope moves anything astray, and most are rejected. */
export const pairsSurvived = (every: number) =>
  Effect.gen(function*() {
    const scene = yield* held
    const told = pairs.filter((_, at) => at % every === 0)
    const outcomes = new Map<string, number>()
    for (const { lie, what } of told) {
      const outcome = yield* survives(scene, what, lie)
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
    assert.isAbove(outcomes.get("refused") ?? 0, told.length / 2, JSON.stringify([...outcomes]))
  })
