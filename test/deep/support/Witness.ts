import { assert } from "@effect/vitest"
import { type Keypair, xdr } from "@stellar/stellar-sdk"
import { succeeded } from "../../../src/close/situation/ResultCodes.ts"
import { largestAmount } from "../../../src/domain/Amount.ts"
import { AssetId } from "../../../src/domain/Asset.ts"
import type { PlanBlocker } from "../../../src/domain/Blocker.ts"
import { applyTransaction } from "../../../src/ledger/Apply.ts"
import type { LedgerState } from "../../../src/ledger/LedgerState.ts"
import { assetIdOf, assetOf } from "../../../src/stellar/Assets.ts"
import { balanceIdOf, signerKeyOf } from "../../../src/stellar/Names.ts"
import { keyOf } from "../../../src/xdr/LedgerKeys.ts"
import { merge, pay, revoke, trust, withdraw } from "../../ledger/support/Bodies.ts"
import { baseFee, codesOf, feeBump, networkPassphrase, type Step, World } from "../../ledger/support/World.ts"
import { sponsoredEntriesOf } from "./ModelSituation.ts"
import type { Cast, Shape } from "./RandomAccount.ts"

/** A blocked close: the current ledger, and the ledger after every possible step. */
export interface Blocked {
  readonly world: World
  readonly left: LedgerState
  readonly cast: Cast
  readonly signers: Shape["keys"]
  /** The number of operations without a fee. */
  readonly operations: number
  /** Whether the account pays its fees itself. */
  readonly pays: boolean
  /** The first failing transaction of the projection; null: none. */
  readonly refused: xdr.TransactionEnvelope | null
}

const lent = 100_0000000n

/** The ledger's result codes for operations of the source, with lent lumens and every signature. */
const answerOf = (state: LedgerState, { source }: Cast, steps: ReadonlyArray<Step>, loan = lent): ReadonlyArray<string> => {
  const world = new World()
  world.state = state
  world.setBalance(source, world.get(source).balance + loan)
  world.next()
  return codesOf(
    applyTransaction(world.state, world.envelope(source, steps, { signers: [] }), { networkPassphrase, signatures: "assume" })
  )
}

const afterwards = (state: LedgerState, { source }: Cast, steps: ReadonlyArray<Step>): LedgerState => {
  const world = new World()
  world.state = state
  world.setBalance(source, world.get(source).balance + lent)
  world.next()
  return applyTransaction(world.state, world.envelope(source, steps, { signers: [] }), { networkPassphrase, signatures: "assume" })
    .state
}

const mine = (state: LedgerState, key: Keypair) => {
  const me = key.xdrAccountId().toXdr("base64")
  return [...state.entries()].flatMap((
    { data }
  ) => (data.type === "trustline" && data.trustLine.accountId.toXdr("base64") === me ? [data.trustLine] : []))
}

const stuck = ({ cast, left }: Blocked, subject: string): void => {
  const asset = assetOf(AssetId.make(subject))
  const withdrawn = mine(left, cast.source).reduce((state, { asset: held, balance }) => {
    if (held.type !== "assetTypePoolShare" || balance === 0n) return state
    const found = [...state.entries()].find(({ data }) =>
      data.type === "liquidityPool" && data.liquidityPool.liquidityPoolId.equals(held.liquidityPoolId)
    )?.data
    if (found?.type !== "liquidityPool") return state
    const { assetA, assetB } = found.liquidityPool.body.constantProduct.params
    const roomy = [assetA, assetB].reduce(
      (before, of) => (of.type === "assetTypeNative" ? before : afterwards(before, cast, [trust(of, largestAmount)])),
      state
    )
    return afterwards(roomy, cast, [withdraw(assetA, assetB, balance)])
  }, left)
  const line = mine(withdrawn, cast.source).find(({ asset: held }) => held.type !== "assetTypePoolShare" && assetIdOf(held) === subject)
  assert.isTrue((line?.balance ?? 0n) > 0n, "the line the issuer closed holds something")
  assert.deepStrictEqual(answerOf(withdrawn, cast, [pay(cast.issuer, asset, line?.balance ?? 1n)]).slice(1), ["paymentSrcNotAuthorized"])
}

const ofOwner = (state: LedgerState, { source }: Cast, owner: string): ReadonlyArray<Step> =>
  sponsoredEntriesOf(state, source).flatMap(({ entry, kind, owner: of, signerKey }): ReadonlyArray<Step> => {
    if (of !== owner) return []
    if (kind !== "signer") return [revoke(keyOf(entry))]
    if (entry.data.type !== "account") return []
    const { accountId, signers } = entry.data.account
    return signers.filter(({ key }) => signerKeyOf(key) === signerKey).map(({ key }) =>
      xdr.OperationBody.revokeSponsorship(
        xdr.RevokeSponsorshipOp.revokeSponsorshipSigner(new xdr.RevokeSponsorshipOpSigner({ accountId, signerKey: key }))
      )
    )
  })

/** Checks that a trustline cannot be added while the fees of a full transaction are reserved. */
const assertUnaffordable = ({ cast, left, pays }: Blocked, asset: string): void => {
  const codes = answerOf(left, cast, [trust(assetOf(AssetId.make(asset)), 1n)], pays ? -9_900n : 100n)
  assert.isTrue(codes.some((code) => code === "changeTrustLowReserve" || code === "txInsufficientBalance"), codes.join())
}

/** Checks a blocker against the ledger: the blocked operation fails there with the code of the blocker. */
export const assertTrue = ({ message, reason, subject }: PlanBlocker, blocked: Blocked): void => {
  const { cast, left, operations, signers, world } = blocked
  const merged = answerOf(left, cast, [merge(reason === "destination_unusable" ? cast.destination : cast.heir)])
  const says = (...codes: ReadonlyArray<string>) => assert.include(codes, merged[1], `${reason}: ${message}`)
  switch (reason) {
    case "auth_immutable":
      return says("accountMergeImmutableSet")
    case "destination_unusable":
      return says("accountMergeNoAccount")
    case "sequence_too_far":
      return says("accountMergeSeqnumTooFar", "accountMergeHasSubEntries", "accountMergeImmutableSet")
    case "signers_insufficient":
    case "master_key_disabled": {
      const codes = codesOf(tried(world, cast, signers))
      return assert.isTrue(codes.some((code) => code === "txBadAuth" || code === "opBadAuth"), codes.join())
    }
    case "trustline_deauthorized":
      says("accountMergeHasSubEntries", "accountMergeImmutableSet")
      return stuck(blocked, subject ?? "")
    case "sponsored_claimable_balance": {
      const entry = [...left.entries()].find(({ data }) =>
        data.type === "claimableBalance" && balanceIdOf(data.claimableBalance.balanceId) === subject
      )
      const key = keyOf(entry ?? assert.fail("the balance is not there"))
      return assert.deepStrictEqual(answerOf(left, cast, [revoke(key)]).slice(1), ["revokeSponsorshipOnlyTransferable"])
    }
    case "sponsorship_unaffordable": {
      // On the current ledger: the fee of a merge is reserved even where something else blocks the merge.
      const steps = ofOwner(world.state, cast, subject ?? "")
      assert.isAbove(steps.length, 0, message)
      assert.include(answerOf(world.state, cast, steps), "revokeSponsorshipLowReserve")
      return
    }
    case "insufficient_lumens":
      if (subject !== undefined) return assertUnaffordable(blocked, subject)
      return assert.strictEqual(
        answerOf(left, cast, Array.from({ length: operations }, () => merge(cast.heir)), 0n)[0],
        "txInsufficientBalance",
        message
      )
    case "projection_failed": {
      const trial = new World()
      trial.state = left
      trial.next()
      const { refused } = blocked
      const envelope = refused ?? assert.fail("no transaction fails")
      const applied = applyTransaction(trial.state, pays(blocked, envelope), { networkPassphrase, signatures: "assume" })
      return assert.isFalse(succeeded(applied.result), `${message}: ${codesOf(applied).join()}`)
    }
    default:
      return assert.fail(`an account is blocked for ${reason}: ${message}`)
  }
}

/** The envelope as it is, or in a fee bump where another account pays. */
const pays = ({ cast, pays: itself }: Blocked, envelope: xdr.TransactionEnvelope): xdr.TransactionEnvelope =>
  itself || envelope.type !== "envelopeTypeTx"
    ? envelope
    : feeBump(cast.patron, baseFee * BigInt(envelope.v1.tx.operations.length + 1), envelope)

const tried = (world: World, { destination, signers: all, source }: Cast, kind: Shape["keys"]) => {
  const trial = new World()
  trial.state = world.state
  trial.setBalance(source, trial.get(source).balance + lent)
  trial.next()
  const usable = kind === "too few" ? all : all.slice(1)
  return applyTransaction(trial.state, trial.envelope(source, [merge(destination)], { signers: usable }), {
    networkPassphrase,
    signatures: "verify"
  })
}
