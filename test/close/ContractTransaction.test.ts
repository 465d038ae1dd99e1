import { assert, describe, it } from "@effect/vitest"
import type { xdr } from "@stellar/stellar-sdk"
import type { ContractMove } from "../../src/close/leaving/ContractMove.ts"
import { contractTransaction } from "../../src/close/project/ContractTransaction.ts"
import { atomicGroup } from "../../src/close/situation/AtomicGroup.ts"
import { DecisionId } from "../../src/close/situation/DecisionId.ts"
import { holdingsIn, trustlineIn } from "../../src/close/situation/Holdings.ts"
import { Restored } from "../../src/close/situation/Progress.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { AssetId, native } from "../../src/domain/Asset.ts"
import { withFields } from "../../src/ledger/entries/Account.ts"
import { InvokeContract } from "../../src/operations/InvokeContract.ts"
import { assetOf, pay, trust } from "../ledger/support/Bodies.ts"
import { baseReserve, codesOf, networkPassphrase, World } from "../ledger/support/World.ts"
import { leave, resources } from "./leaving/support/Simulating.ts"

/** An account of so many stroops above its reserve, with 500 units of an asset. */
const holder = (above = 10n ** 9n, thresholds = Uint8Array.of(1, 0, 0, 0)) => {
  const world = new World()
  const [issuer, source] = [world.account(), world.account()]
  const usd = assetOf(issuer)
  world.succeed(source, [trust(usd)])
  world.succeed(issuer, [pay(source, usd, 500n)])
  world.edit(source, (account) => withFields(account, { balance: 3n * baseReserve + above, thresholds }))
  world.next()
  const address = AccountAddress.make(source.publicKey())
  const ledgerState = world.state
  return {
    address,
    ledgerState,
    holdings: holdingsIn(ledgerState, address) ?? assert.fail("the account is missing"),
    usd: AssetId.make(`USD:${issuer.publicKey()}`)
  }
}

type Terms = Parameters<typeof contractTransaction>[0]

const terms = (more: Partial<Terms["input"]> = {}): Terms => ({
  closeInterval: 5,
  feePerOperation: 300n,
  now: 0n,
  passphrase: networkPassphrase,
  exits: { inclusionFee: 777n },
  input: { feePayer: "source", validForSeconds: null, ...more }
})

const declared = resources([], [], 5_000_000n).data

/** A call that declares five million stroops. */
const move = (address: AccountAddress, more: Partial<ContractMove> = {}): ContractMove => ({
  _tag: "Contract",
  progress: Restored({ position: DecisionId.asset(native) }),
  reason: "position_exit",
  call: leave,
  group: atomicGroup([]),
  operation: InvokeContract.build(address, leave, []),
  level: "med",
  resources: declared,
  simulatedAt: 7,
  resourceFee: 5_000_000n,
  credits: new Map(),
  doubt: null,
  ...more
})

const plainIn = (envelope: xdr.TransactionEnvelope): xdr.Transaction =>
  envelope.type === "envelopeTypeTx" ? envelope.v1.tx : assert.fail("no plain envelope")

/** What the account has after a call: lumens, units of the asset and its sequence number, each less what it had. */
const changed = ({ address, holdings, usd }: ReturnType<typeof holder>, { applied: { state } }: ReturnType<typeof contractTransaction>) => {
  const after = holdingsIn(state, address) ?? assert.fail("the account is missing")
  return {
    lumens: after.account.balance - holdings.account.balance,
    units: (trustlineIn(state, address, usd)?.balance ?? 0n) - 500n,
    sequence: after.account.seqNum - holdings.account.seqNum
  }
}

describe("the transaction of a contract call", () => {
  it("bids its resource fee and the fee of contract transactions, and leaves the account as simulated", () => {
    const one = holder()
    const credits = new Map([[one.usd, 20n], [native, 3_000n]])
    const made = contractTransaction(terms(), one.holdings, one.ledgerState, move(one.address, { credits }))
    const tx = plainIn(made.envelope)
    assert.deepStrictEqual([tx.fee, tx.seqNum, tx.operations.length, tx.memo.type], [
      5_000_777,
      one.holdings.account.seqNum + 1n,
      1,
      "memoNone"
    ])
    assert.deepStrictEqual(tx.ext.type === "sorobanData" ? tx.ext.sorobanData : null, declared)
    assert.deepStrictEqual(changed(one, made), { lumens: 3_000n - 5_000_777n, units: 20n, sequence: 1n })
    const { applied, bid, groups, simulatedAt, validUntil, validUntilLedger } = made
    assert.deepStrictEqual([applied.feeCharged, codesOf(applied), applied.broken()], [5_000_777n, ["txSuccess"], []])
    assert.deepStrictEqual([bid.perOperation, groups.length, simulatedAt], [777n, 1, 7])
    const { closeTime, ledgerSeq } = one.ledgerState.header
    assert.deepStrictEqual([validUntil, validUntilLedger], [closeTime + 300n, ledgerSeq - 1 + 90])
    assert.deepStrictEqual([made.merges, made.isContract, made.call, made.doubt], [false, true, leave, null])
  })

  it("is valid for longer where its account's key alone cannot sign a call", () => {
    for (const [medium, seconds] of [[1, 300n], [2, 1_800n]] as const) {
      const one = holder(10n ** 9n, Uint8Array.of(1, 0, medium, 3))
      const { validUntil } = contractTransaction(terms(), one.holdings, one.ledgerState, move(one.address))
      assert.strictEqual(validUntil - one.ledgerState.header.closeTime, seconds)
    }
  })

  it("is valid for no longer than that where the request asks for more, and for less where it asks for less", () => {
    for (const [asked, medium, seconds] of [[86_400, 1, 300n], [86_400, 2, 1_800n], [60, 1, 60n], [60, 2, 60n]] as const) {
      const one = holder(10n ** 9n, Uint8Array.of(1, 0, medium, 3))
      const { validUntil, validUntilLedger } = contractTransaction(
        terms({ validForSeconds: asked }),
        one.holdings,
        one.ledgerState,
        move(one.address)
      )
      const { closeTime, ledgerSeq } = one.ledgerState.header
      assert.deepStrictEqual([validUntil, validUntilLedger], [closeTime + seconds, ledgerSeq - 1 + Number((3n * seconds) / 10n)])
    }
  })

  it("bids and costs nothing where another account pays", () => {
    const one = holder(0n)
    const made = contractTransaction(terms({ feePayer: "fee_bump" }), one.holdings, one.ledgerState, move(one.address))
    assert.deepStrictEqual([plainIn(made.envelope).fee, made.applied.feeCharged], [0, 0n])
    assert.deepStrictEqual(codesOf(made.applied), ["txSuccess"])
    assert.deepStrictEqual(changed(one, made), { lumens: 0n, units: 0n, sequence: 1n })
  })

  it("is refused as the network would refuse it, for want of lumens or for too small a declared fee", () => {
    const poor = holder(5_000_776n)
    const made = contractTransaction(terms(), poor.holdings, poor.ledgerState, move(poor.address))
    assert.deepStrictEqual(codesOf(made.applied), ["txInsufficientBalance"])
    const cheap = move(poor.address, { resources: resources([], [], 1n).data, resourceFee: 1n })
    for (const feePayer of ["source", "fee_bump"] as const) {
      const { applied } = contractTransaction(terms({ feePayer }), poor.holdings, poor.ledgerState, cheap)
      assert.deepStrictEqual(codesOf(applied), [...(feePayer === "source" ? [] : ["txFeeBumpInnerFailed"]), "txSorobanInvalid"])
    }
  })

  it("declares nothing before it is simulated, and is not held against the ledger", () => {
    const poor = holder(0n)
    const made = contractTransaction(terms(), poor.holdings, poor.ledgerState, move(poor.address, { resources: null, simulatedAt: null }))
    assert.strictEqual(plainIn(made.envelope).ext.type, "v0")
    assert.deepStrictEqual(codesOf(made.applied), ["txSuccess"])
  })

  it("takes no more than there is", () => {
    const one = holder(10_000_000n)
    const credits = new Map([[native, -(10n ** 12n)], [one.usd, -501n]])
    const made = contractTransaction(terms(), one.holdings, one.ledgerState, move(one.address, { credits }))
    assert.deepStrictEqual(changed(one, made), { lumens: -one.holdings.account.balance, units: -500n, sequence: 1n })
  })
})
