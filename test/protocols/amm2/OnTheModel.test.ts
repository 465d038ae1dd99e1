import { assert, it } from "@effect/vitest"
import { Keypair, StrKey, xdr } from "@stellar/stellar-sdk"
import { Either, Schema } from "effect"
import { AccountAddress, ContractAddress } from "../../../src/domain/Address.ts"
import { newAccount } from "../../../src/ledger/entries/Account.ts"
import { newEntry } from "../../../src/ledger/entries/LedgerEntry.ts"
import { LedgerState } from "../../../src/ledger/LedgerState.ts"
import { simulateInvocation } from "../../../src/ledger/soroban/Simulation.ts"
import { addressOf, addressVal, bool, i128 as units, strkeyOf, u32, variant } from "../../../src/ledger/soroban/Values.ts"
import { authorizationProblem, invocationOf } from "../../../src/operations/ContractCall.ts"
import { amm2 } from "../../../src/protocols/Amm2.ts"
import type { LedgerView } from "../../../src/protocols/kit/LedgerView.ts"
import { WasmHash } from "../../../src/registry/ContractAddresses.ts"
import { sandboxContracts } from "../../../src/sandbox/contracts/All.ts"
import { factoryInstanceKeys, pairFactoryHash, pairHash, pairInstanceKeys } from "../../../src/sandbox/contracts/Amm2.ts"
import { contractEntries, dataEntries } from "../../../src/sandbox/contracts/Deployment.ts"
import { tokenBalanceKey } from "../../../src/sandbox/contracts/Token.ts"
import { numberedToken, pairsContracts } from "../../../src/sandbox/scenarios/PairsContracts.ts"
import { withManyPairs, withPairFactory } from "../../../src/sandbox/scenarios/PairsEntries.ts"
import { sandboxDeployment } from "../../../src/sandbox/scenarios/SandboxDeployment.ts"
import { i128, vec } from "../../../src/stellar/ScValCodec.ts"
import { exitIn, terms } from "../support/Leaving.ts"
import { withPairs } from "./RecordedPairs.ts"

const passphrase = "a network of its own"
const user = Keypair.random().publicKey()
const receiver = Keypair.random().publicKey()
const FAR = 1_000_000

/** Repeatable numbers of up to this many bits. */
const numbers = (seed: bigint) => {
  let state = seed
  return (bits: number): bigint => {
    let value = 0n
    for (let drawn = 0; drawn < bits; drawn += 32) {
      state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) & ((1n << 64n) - 1n)
      value = (value << 32n) | (state >> 32n)
    }
    return value & ((1n << BigInt(bits)) - 1n)
  }
}

/** The draw for one pair. */
const drawn = (next: (bits: number) => bigint) => {
  const size = 8 + Number(next(5))
  const reserves = [next(size) + 100_000n, next(size + 7) + 100_000n] as const
  const supply = next(size + 2) + 1_000_000n
  return {
    reserves,
    gifts: [next(1) * next(size), next(1) * next(size)] as const,
    supply,
    held: next(size) % (supply / 2n) + 1n,
    own: 1_000n + next(1) * next(10),
    lastProduct: next(2) === 0n ? 0n : (reserves[0] * reserves[1] * (next(10) + 1n)) / 900n,
    takesFees: next(2) !== 0n
  }
}

type Drawn = ReturnType<typeof drawn>

const ledgerOf = ({ gifts, held, lastProduct, own, reserves, supply, takesFees }: Drawn) => {
  const header = { ledgerVersion: 28, ledgerSeq: 100, closeTime: 1_000n, baseFee: 100, baseReserve: 5_000_000, idPool: 0n, flags: 0 }
  const account = newAccount(xdr.PublicKey.publicKeyTypeEd25519(StrKey.decodeEd25519PublicKey(user)), 10n ** 12n, 0n)
  const empty = LedgerState.make(header, [newEntry(xdr.LedgerEntryData.account(account))])
  const deployed = withPairFactory(empty, addressOf(receiver))
  const { pairs: [pair], state } = withManyPairs(deployed, passphrase, { count: 1, reserves, supply, holder: user, shares: held })
  if (pair === undefined) return assert.fail("no pair")
  const tokens = [numberedToken(0), numberedToken(1)].toSorted((left, right) => Buffer.compare(left.toXdr(), right.toXdr()))
  const instance = [
    ...pairInstanceKeys.tokens.map((key, side) => [key, addressVal(tokens[side] ?? pair)] as const),
    ...pairInstanceKeys.reserves.map((key, side) => [key, units(reserves[side] ?? 0n)] as const),
    [pairInstanceKeys.factory, addressVal(pairsContracts.factory)] as const,
    ...(lastProduct === 0n ? [] : [[pairInstanceKeys.lastProduct, units(lastProduct)] as const]),
    [variant("TotalSupply"), units(supply)] as const
  ]
  const factory = [
    [factoryInstanceKeys.feeTo, addressVal(addressOf(receiver))] as const,
    [factoryInstanceKeys.feeToSetter, addressVal(addressOf(receiver))] as const,
    [factoryInstanceKeys.feesEnabled, bool(takesFees)] as const,
    [factoryInstanceKeys.totalPairs, u32(1)] as const
  ]
  return state.set([
    ...contractEntries(pair, pairHash, instance, FAR),
    ...contractEntries(pairsContracts.factory, pairFactoryHash, factory, FAR),
    ...dataEntries(pair, [tokenBalanceKey(pair), units(own)], "persistent", FAR),
    ...tokens.flatMap((token, side) =>
      dataEntries(token, [tokenBalanceKey(pair), units((reserves[side] ?? 0n) + (gifts[side] ?? 0n))], "persistent", FAR)
    )
  ])
}

const viewOf = (state: LedgerState): LedgerView => ({
  sequence: state.header.ledgerSeq,
  closeTime: state.header.closeTime,
  state: (key) => {
    const entry = state.get(key)
    return entry === undefined ? { _tag: "Absent" } : { _tag: "Present", data: entry.data, archived: false }
  },
  answer: () => ({ _tag: "Failed", reason: "nobody is asked" })
})

const address = Schema.decodeUnknownSync(ContractAddress)
const owner = Schema.decodeUnknownSync(AccountAddress)(user)
const hashes = Object.fromEntries(
  Object.entries(sandboxDeployment.code.amm_2).map(([kind, [hash]]) => [kind, [WasmHash.make(hash)] as const])
)
const decoder = amm2({
  factories: [address(strkeyOf(pairsContracts.factory))],
  routers: [address(strkeyOf(pairsContracts.router))],
  code: hashes
})

it("what an exit says it pays is what the model of the contracts pays, to the last unit, and what it declares is what is asked to be agreed to", () => {
  const next = numbers(7n)
  const seen = { paid: 0, refused: 0, withFactoryShares: 0 }
  for (let round = 0; round < 120; round++) {
    const one = drawn(next)
    const state = ledgerOf(one)
    const view = viewOf(state)
    const protocol = withPairs(decoder, view)
    const place = protocol.places.at(-1) ?? assert.fail("no pair")
    const [position] = place.decode(owner, view).positions
    assert(position !== undefined)
    const exit = exitIn(protocol, position, { user: owner, view, spendable: () => 0n, ...terms(view), withoutRewards: false })
    if (exit._tag !== "Calls") {
      // Nothing on one side: reported as dust, or rejected.
      assert.match(place.decode(owner, view).positions[0]?.rows[0]?.display?.detail ?? "", /pays nothing if one side rounds to zero/)
      seen.refused++
      continue
    }
    const [call] = exit.calls
    const operation = new xdr.InvokeHostFunctionOp({
      hostFunction: xdr.HostFunction.hostFunctionTypeInvokeContract(invocationOf(call)),
      auth: []
    })
    const simulated = simulateInvocation(state, operation, xdr.PublicKey.publicKeyTypeEd25519(StrKey.decodeEd25519PublicKey(user)), {
      networkPassphrase: passphrase,
      contracts: sandboxContracts,
      authorization: { _tag: "Record", allowNonRoot: false, coversAddress: false }
    })
    if (simulated._tag === "FailedCall") return assert.fail(`${simulated.error.message} ${JSON.stringify(one, (_, value) => `${value}`)}`)
    const paid = Either.getOrThrow(vec(i128).decode(simulated.returnValue))
    assert.deepStrictEqual(paid, call.payouts.map(({ expected }) => expected))
    assert.isNull(authorizationProblem(call, owner, simulated.auth))
    seen.paid++
    if (simulated.events.some(({ body }) => JSON.stringify(body.v0.topics[0]?.toJson()) === JSON.stringify({ symbol: "mint" }))) {
      seen.withFactoryShares++
    }
  }
  assert.isAbove(seen.paid, 80)
  assert.isAbove(seen.withFactoryShares, 20)
})
