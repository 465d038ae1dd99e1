import { assert, describe, it } from "@effect/vitest"
import { Address, Asset, Keypair, xdr } from "@stellar/stellar-sdk"
import { Effect, Option } from "effect"
import type { StateChange } from "../../../src/chain/contract-rpc/SimulationAnswer.ts"
import { simulateCall, type SimulationContext } from "../../../src/close/leaving/simulation/CallSimulator.ts"
import { ContractAddress } from "../../../src/domain/Address.ts"
import { AssetId } from "../../../src/domain/Asset.ts"
import { newAccount } from "../../../src/ledger/entries/Account.ts"
import { newEntry } from "../../../src/ledger/entries/LedgerEntry.ts"
import { addressOf, addressVal, i128, struct, symbol, u32, variant } from "../../../src/ledger/soroban/Values.ts"
import type { ContractCall } from "../../../src/operations/ContractCall.ts"
import { accountKey, keyOf, keyOfContractData } from "../../../src/xdr/LedgerKeys.ts"
import {
  agreed,
  changed,
  codeKey,
  context,
  entriesOf,
  invocation,
  leave,
  left,
  moved,
  own,
  pool,
  poolCode,
  resources,
  type Running,
  type Simulated,
  simulated,
  stranger,
  token,
  touching,
  user
} from "./support/Simulating.ts"

const naming: ContractCall = { ...leave, args: [own, addressVal(addressOf(stranger))] }
const transfer = (to: string) => ({ contract: token, function: "transfer", args: [own, addressVal(addressOf(to)), i128(5n)], subCalls: [] })

const transferFrom = (to: string) => ({
  contract: token,
  function: "transfer_from",
  args: [addressVal(addressOf(pool)), own, addressVal(addressOf(to)), i128(5n)],
  subCalls: []
})

/** A token of the common family that keeps its balances in its own entries. */
const share = pool
const shares = (of: string, before: bigint, after: bigint) =>
  changed(share, variant("Balance", addressVal(addressOf(of))), i128(before), i128(after))

const allowance = (owner: "from" | "owner", before: bigint | null, after: bigint, written: (amount: bigint) => xdr.ScVal = i128) => {
  const value = (amount: bigint) => struct({ amount: written(amount), live_until_ledger: u32(99) })
  const key = variant("Allowance", struct({ [owner]: own, spender: addressVal(addressOf(pool)) }))
  return changed(share, key, before === null ? null : value(before), value(after))
}

const account = (more: Partial<ConstructorParameters<typeof xdr.AccountEntry>[0]> = {}) =>
  newEntry(
    xdr.LedgerEntryData.account(
      new xdr.AccountEntry({
        ...newAccount(xdr.PublicKey.publicKeyTypeEd25519(Keypair.fromPublicKey(user).rawPublicKey()), 5n, 1n),
        ...more
      })
    )
  )

const change = (before: xdr.LedgerEntry | null, after: xdr.LedgerEntry | null): StateChange => ({
  key: keyOf((after ?? before)!),
  before,
  after
})

const signer = new xdr.Signer({ key: xdr.SignerKey.signerKeyTypeEd25519(Keypair.fromPublicKey(stranger).rawPublicKey()), weight: 1 })

const line = (owner: string, asset: xdr.TrustLineAsset, balance: bigint) =>
  newEntry(xdr.LedgerEntryData.trustline(
    new xdr.TrustLineEntry({
      accountId: Keypair.fromPublicKey(owner).xdrPublicKey(),
      asset,
      balance,
      limit: 9n,
      flags: 1,
      ext: xdr.TrustLineEntryExt.v0()
    })
  ))

const trustline = line(user, new Asset("USD", stranger).toTrustLineXdrObject(), 0n)

/** Shares of others in a pool of the ledger. */
const poolShares = (balance: bigint) => line(stranger, xdr.TrustLineAsset.assetTypePoolShare(new xdr.PoolId(Buffer.alloc(32, 5))), balance)

/** A data entry of the account. */
const noted = (value: number) =>
  newEntry(xdr.LedgerEntryData.data(
    new xdr.DataEntry({
      accountId: Keypair.fromPublicKey(user).xdrPublicKey(),
      dataName: "note",
      dataValue: Buffer.of(value),
      ext: xdr.DataEntryExt.v0()
    })
  ))

const oracle = ContractAddress.make(Address.contract(Buffer.alloc(32, 3)).toString())
const other = "08".repeat(32)

const credentialsOf = (kind: "sorobanCredentialsAddress" | "sorobanCredentialsAddressV2") =>
  new xdr.SorobanAuthorizationEntry({
    rootInvocation: invocation(leave),
    credentials: xdr.SorobanCredentials[kind](
      new xdr.SorobanAddressCredentials({
        address: addressOf(user),
        nonce: 1n,
        signatureExpirationLedger: 9,
        signature: xdr.ScVal.scvVoid()
      })
    )
  })

const paying = (expected: bigint): ContractCall => ({ ...leave, payouts: [{ token, expected }] })

const deep = invocation(
  leave,
  invocation({ ...leave, contract: token }, invocation({ ...leave, contract: token, function: "relay" }, invocation(transfer(stranger))))
)

const unsafe: Readonly<Record<string, readonly [ContractCall, Partial<Simulated>]>> = {
  "a second agreement": [leave, { auth: [agreed(invocation(leave)), agreed(invocation(leave))] }],
  "a call below that was not declared": [leave, { auth: [agreed(invocation(leave, invocation(transfer(pool))))] }],
  "a call far below that was not declared": [leave, { auth: [agreed(deep)] }],
  "a declared call that is missing": [{ ...leave, subCalls: [transfer(pool)] }, {}],
  "no agreement at all where a call below was declared": [{ ...leave, subCalls: [transfer(pool)] }, { auth: [] }],
  "another root": [leave, { auth: [agreed(invocation({ ...leave, function: "transfer" }))] }],
  "credentials of an address": [leave, { auth: [credentialsOf("sorobanCredentialsAddress")] }],
  "credentials of an address that cover it (CAP-71)": [leave, { auth: [credentialsOf("sorobanCredentialsAddressV2")] }],
  "a transfer to somebody who is no recipient": [{ ...leave, subCalls: [transfer(stranger)] }, {
    auth: [agreed(invocation(leave, invocation(transfer(stranger))))]
  }],
  "a transfer on the account's allowance to a contract that is no recipient": [{ ...leave, subCalls: [transferFrom(oracle)] }, {
    auth: [agreed(invocation(leave, invocation(transferFrom(oracle))))]
  }],
  "an account that it names and did not declare": [naming, { auth: [agreed(invocation(naming))] }],
  "a transfer to a bystander": [
    { ...leave, subCalls: [transfer(stranger)], bystanders: [stranger] },
    { auth: [agreed(invocation(leave, invocation(transfer(stranger))))] }
  ],
  "a payment to a bystander": [{ ...naming, bystanders: [stranger] }, {
    auth: [agreed(invocation(naming))],
    changes: [moved(stranger, 1n, 2n)]
  }],
  "a payment to somebody who was not named": [leave, { changes: [moved(stranger, 1n, 2n)] }],
  "shares for somebody who was not named": [leave, { changes: [shares(stranger, 1n, 2n)] }],
  "shares for somebody who had none": [leave, {
    changes: [changed(share, variant("Balance", addressVal(addressOf(stranger))), null, i128(5n))]
  }],
  "all shares taken, more than declared": [leave, { changes: [changed(share, variant("Balance", own), i128(5n), null)] }],
  "shares taken that are kept beside other facts": [leave, {
    changes: [changed(share, variant("Balance", own), struct({ amount: i128(5n) }), struct({ amount: i128(4n) }))]
  }],
  "shares that it turns into a form that is not known": [leave, { changes: [changed(share, variant("Balance", own), i128(5n), u32(5))] }],
  "a balance that it changes in a form that is not known": [leave, { changes: [changed(share, variant("Balance", own), u32(5), u32(4))] }],
  "a data entry that is changed": [leave, { changes: [change(noted(1), noted(2))] }],
  "more taken than declared": [{ ...leave, holds: [{ token, amount: 4n }] }, { changes: [moved(user, 9n, 4n)] }],
  "lumens taken": [leave, { changes: [moved(user, 9n, 8n)] }],
  "more shares taken than declared": [{ ...leave, holds: [{ token: share, amount: 4n }] }, { changes: [shares(user, 9n, 4n)] }],
  "a simulation that shows no change": [leave, { changes: [] }],
  "a payout that does not come": [paying(1_000n), {}],
  "a payout that is clearly too small": [paying(1_000n), { changes: [moved(user, 1n, 989n)] }],
  "a payout that only the repayment of the same asset hides": [{ ...paying(1_000n), holds: [{ token, amount: 500n }] }, {
    changes: [moved(user, 100n, 588n)]
  }],
  "one of two payouts missing": [{ ...leave, payouts: [{ token, expected: 9n }, { token: share, expected: 1_000n }] }, {
    changes: [moved(user, 1n, 10n)]
  }],
  "shares that do not come": [{ ...leave, payouts: [{ token: share, expected: 1_000n }] }, { changes: [shares(user, 1n, 900n)] }],
  "another signer": [leave, { changes: [change(account(), account({ signers: [signer] }))] }],
  "other thresholds": [leave, { changes: [change(account(), account({ thresholds: new Uint8Array([0, 1, 1, 1]) }))] }],
  "a trustline more": [leave, { changes: [change(null, trustline)] }],
  "a trustline less": [leave, { changes: [change(trustline, null)] }],
  "an allowance that stays": [leave, { changes: [allowance("from", null, 1n)] }],
  "an allowance that stays, in the other form": [leave, { changes: [allowance("owner", null, 1n)] }],
  "an allowance that is raised": [leave, { changes: [allowance("from", 1n, 2n)] }],
  "an allowance that cannot be made out": [leave, { changes: [allowance("from", null, 1n, () => u32(1))] }]
}

const admitted: Readonly<Record<string, readonly [ContractCall, Partial<Simulated>]>> = {
  "a transfer to the pool, a named recipient, and no more than it needs": [
    { ...leave, subCalls: [transfer(pool)], holds: [{ token, amount: 5n }], recipients: [stranger] },
    { auth: [agreed(invocation(leave, invocation(transfer(pool))))], changes: [moved(user, 9n, 4n), moved(stranger, 1n, 2n)] }
  ],
  "a transfer on the account's allowance to the pool": [
    { ...leave, subCalls: [transferFrom(pool)], holds: [{ token, amount: 5n }] },
    { auth: [agreed(invocation(leave, invocation(transferFrom(pool))))], changes: [moved(user, 9n, 4n)] }
  ],
  "an account that it names and that gets nothing, as the owner of the entry before in a list": [
    { ...naming, bystanders: [stranger] },
    { auth: [agreed(invocation(naming))] }
  ],
  "no agreement where nothing below was declared": [leave, { auth: [] }],
  "a payout but for a hundredth and a unit": [paying(1_000n), { changes: [moved(user, 1n, 990n)] }],
  "a payout less what is repaid of the same asset": [{ ...paying(1_000n), holds: [{ token, amount: 500n }] }, {
    changes: [moved(user, 100n, 589n)]
  }],
  "a payout of which a unit is rounded away": [paying(1n), {}],
  "two payouts of different tokens": [{ ...leave, payouts: [{ token, expected: 900n }, { token: share, expected: 1_000n }] }, {
    changes: [moved(user, 1n, 901n), shares(user, 1n, 1_001n)]
  }],
  "shares of a pool of the ledger, which no contract moves": [leave, { changes: [change(poolShares(1n), poolShares(2n))] }],
  "what others lose by it": [leave, { changes: [moved(stranger, 2n, 1n), shares(stranger, 2n, 1n)] }],
  "an account of another, which it makes": [{ ...leave, recipients: [stranger] }, {
    changes: [change(null, moved(stranger, 1n, 1n).after)]
  }],
  "more than was expected": [paying(1_000n), { changes: [moved(user, 1n, 5_000n)] }],
  "shares that come": [{ ...leave, payouts: [{ token: share, expected: 1_000n }] }, { changes: [shares(user, 1n, 1_001n)] }],
  "shares that it declared to take": [{ ...leave, holds: [{ token: share, amount: 5n }] }, { changes: [shares(user, 9n, 4n)] }],
  "an allowance that is used up": [leave, { changes: [allowance("from", 2n, 0n)] }],
  "an allowance that was there before": [leave, { changes: [left, allowance("from", 5n, 4n), allowance("owner", 5n, 5n)] }],
  "a balance in a form that is not known, which it only touches, and one of others": [leave, {
    changes: [
      left,
      changed(share, variant("Balance", own), u32(5), u32(5)),
      changed(share, variant("Balance", addressVal(addressOf(stranger))), u32(5), u32(4))
    ]
  }],
  "entries of the account that it only touches": [leave, { changes: [left, change(account(), account()), change(trustline, trustline)] }]
}

const outcomeOf = (call: ContractCall, answer: Partial<Simulated>, around: Partial<SimulationContext> = {}) =>
  simulateCall({ ...context(simulated({ auth: [agreed(invocation(call))], ...answer })), ...around }, call, true)

describe("a call, as it was simulated", () => {
  for (const [what, [call, answer]] of Object.entries(unsafe)) {
    it.effect(`is refused: ${what}`, () =>
      Effect.map(outcomeOf(call, answer), (outcome) => {
        assert(outcome._tag === "Unsafe", JSON.stringify(outcome))
        assert.match(outcome.reason, /^[a-z]+ /)
      }))
  }

  for (const [what, [call, answer]] of Object.entries(admitted)) {
    it.effect(`is admitted: ${what}`, () =>
      Effect.map(outcomeOf(call, answer), (outcome) => assert.strictEqual(outcome._tag, "Ready", JSON.stringify(outcome))))
  }

  it.effect("is refused with the amounts of a payout, in units of the asset where it is one", () =>
    Effect.gen(function*() {
      const short = (call: ContractCall, answer: Partial<Simulated>) =>
        Effect.map(outcomeOf(call, answer), (outcome) => (outcome._tag === "Unsafe" ? outcome.reason : outcome._tag))
      assert.strictEqual(
        yield* short(paying(1_000n), { changes: [moved(user, 1n, 989n)] }),
        "it would pay 0.0000988 native instead of 0.0001000 native"
      )
      assert.strictEqual(
        yield* short({ ...leave, payouts: [{ token: share, expected: 1_000n }] }, { changes: [shares(user, 1n, 900n)] }),
        `it would pay 899 ${share} instead of 1000 ${share}`
      )
    }))

  it.effect("is admitted where it pays what the account issues itself, for that lies on no line", () =>
    Effect.map(
      outcomeOf(paying(1_000n), {}, { assets: new Map([[token, AssetId.make(`OWN:${user}`)]]) }),
      (outcome) => assert.strictEqual(outcome._tag, "Ready", JSON.stringify(outcome))
    ))
})

/** Calls that transfer tokens or call a token, with the code on the ledger and the contracts in the footprint. */
const codes: Readonly<
  Record<string, readonly [outcome: "Ready" | "Unsafe", call: ContractCall, running: Running, named: ReadonlyArray<xdr.LedgerKey>]>
> = {
  "the code that was read, and an oracle's that is asked outside what the account agrees to": ["Ready", leave, {
    [pool]: poolCode,
    [oracle]: other
  }, touching({ [pool]: poolCode, [oracle]: other })],
  "the contract of an asset, which has no code": [
    "Ready",
    { ...leave, subCalls: [transfer(pool)] },
    { [pool]: poolCode, [token]: null },
    touching({ [pool]: poolCode, [token]: null })
  ],
  "other code than was read": ["Unsafe", leave, { [pool]: other }, touching({ [pool]: other })],
  "the known code beside a contract that runs another one": ["Unsafe", leave, { [pool]: other }, [
    ...touching({ [pool]: other }),
    codeKey(poolCode)
  ]],
  "the known code, and a contract that does not run it by now": ["Unsafe", leave, { [pool]: other }, touching({ [pool]: poolCode })],
  "the known code of another contract than the one that is called": [
    "Unsafe",
    leave,
    { [pool]: other, [oracle]: poolCode },
    touching({ [pool]: other, [oracle]: poolCode })
  ],
  "code that no contract of it runs": ["Unsafe", leave, { [pool]: poolCode }, [...touching({ [pool]: poolCode }), codeKey(other)]],
  "a contract that is not there": ["Unsafe", leave, { [pool]: poolCode }, touching({ [pool]: poolCode, [oracle]: other })],
  "a contract whose instance it does not name": ["Unsafe", leave, { [pool]: poolCode }, [codeKey(poolCode)]],
  "a payment to a contract of unknown code": [
    "Unsafe",
    { ...leave, subCalls: [transfer(oracle)], recipients: [oracle] },
    { [pool]: poolCode, [oracle]: other, [token]: null },
    touching({ [pool]: poolCode, [oracle]: other, [token]: null })
  ],
  "a call of a token of unknown code": [
    "Unsafe",
    { ...leave, subCalls: [{ ...transfer(pool), contract: oracle }] },
    { [pool]: poolCode, [oracle]: other },
    touching({ [pool]: poolCode, [oracle]: other })
  ]
}

describe("the code that a call runs", () => {
  for (const [what, [outcome, call, running, named]] of Object.entries(codes)) {
    it.effect(`${outcome === "Ready" ? "is admitted" : "is refused"}: ${what}`, () =>
      Effect.gen(function*() {
        const plain = context(simulated())
        const auth = [agreed(invocation(call, ...call.subCalls.map((one) => invocation(one))))]
        const told = yield* outcomeOf(call, { auth, resources: resources(named) }, {
          entries: { ...plain.entries, answers: entriesOf(running) }
        })
        assert.strictEqual(told._tag, outcome, JSON.stringify(told))
      }))
  }

  it.effect("is admitted: a token whose code the decoder knows", () =>
    Effect.gen(function*() {
      const call = { ...leave, subCalls: [{ ...transfer(pool), contract: oracle }] }
      const running = { [pool]: poolCode, [oracle]: other }
      const around = { entries: { ...context(simulated()).entries, answers: entriesOf(running) }, knownCode: new Set([other]) }
      const told = yield* outcomeOf(call, {
        auth: [agreed(invocation(call, ...call.subCalls.map((one) => invocation(one))))],
        resources: resources(touching(running))
      }, around)
      assert.strictEqual(told._tag, "Ready", JSON.stringify(told))
    }))
})

describe("a restoration that a simulation asks for", () => {
  const old = keyOfContractData(addressOf(pool), symbol("Old"), "persistent")
  const fleeting = keyOfContractData(addressOf(pool), symbol("Old"), "temporary")
  const foreign = keyOfContractData(addressOf(token), symbol("Old"), "persistent")
  const alive = (liveUntilLedger: number): SimulationContext["entries"] => ({
    ...context(simulated()).entries,
    answers: (keys) =>
      Effect.succeed(keys.map((key) => ({
        key,
        latestLedger: 11,
        live: Option.some({ key, entry: changed(pool, symbol("Old"), i128(1n), i128(1n)).after!, liveUntilLedger, latestLedger: 11 })
      })))
  })
  const asked = (restore: Simulated["resources"], around: Partial<SimulationContext> = {}) =>
    outcomeOf(leave, { resources: resources([old, fleeting, accountKey(user), codeKey(other)]), restore }, around)

  for (
    const [what, restore] of [
      ["of entries that the call does not touch", resources([], [old, foreign])],
      ["of temporary entries", resources([], [fleeting])],
      ["of an account", resources([], [accountKey(user)])],
      ["of nothing", resources([], [])],
      ["that also reads", resources([old], [old])]
    ] as const
  ) {
    it.effect(`is refused: ${what}`, () =>
      Effect.map(
        asked(restore),
        (outcome) =>
          assert.deepStrictEqual(outcome, { _tag: "Unsafe", reason: "its simulation restores entries that the call does not touch" })
      ))
  }

  it.effect("may be of code", () =>
    Effect.map(asked(resources([], [codeKey(other)])), (outcome) => assert.strictEqual(outcome._tag, "Restore")))

  it.effect("is refused: of entries that are alive", () =>
    Effect.gen(function*() {
      const refused = { _tag: "Unsafe", reason: "its simulation restores entries that are not archived" } as const
      assert.deepInclude(yield* asked(resources([], [old]), { entries: alive(11) }), refused)
      const { answers, ...plain } = alive(11)
      const oneOfTwo: SimulationContext["entries"] = {
        ...plain,
        answers: (keys) => Effect.map(answers(keys), (all) => all.map((one, at) => (at === 0 ? one : { ...one, live: Option.none() })))
      }
      assert.deepInclude(yield* asked(resources([], [old, codeKey(other)]), { entries: oneOfTwo }), refused)
      assert.strictEqual((yield* asked(resources([], [old]), { entries: alive(0) }))._tag, "Restore")
      assert.strictEqual((yield* asked(resources([], [old])))._tag, "Restore")
    }))

  it.effect("is refused above the fee of the settings", () =>
    Effect.map(
      asked(resources([], [old], 50_000_000n)),
      (outcome) => assert.deepStrictEqual(outcome, { _tag: "TooDear", resourceFee: 60_000_000n })
    ))
})
