import { Address, type xdr } from "@stellar/stellar-sdk"
import { type AccountAddress, ContractAddress } from "../../../../src/domain/Address.ts"
import type { ContractCall } from "../../../../src/operations/ContractCall.ts"
import { gate } from "../../../../src/protocols/CodeGate.ts"
import { type HeldPosition, noPositions } from "../../../../src/protocols/HeldPosition.ts"
import { valueIn } from "../../../../src/protocols/kit/LedgerView.ts"
import type { LedgerView } from "../../../../src/protocols/kit/LedgerView.ts"
import { part } from "../../../../src/protocols/Place.ts"
import type { Protocol } from "../../../../src/protocols/Protocol.ts"
import { contractDataKey, instanceKey } from "../../../../src/stellar/ContractKeys.ts"
import { address, contract, i128, struct, u64, variant } from "../../../../src/stellar/ScValCodec.ts"
import { TOY_POOL_HASH } from "./ToyPool.ts"

/** Pools that only their owners can open a position in. */
const ownPools = 24

/** Pools of the tests: each test uses one of its own. In those from `ownPools` on others can give a position, as transferable shares. */
export const poolAddresses = Array.from(
  { length: ownPools + 24 },
  (_, index) => ContractAddress.make(Address.contract(Buffer.alloc(32, index + 1)).toString())
)

/** Pools in which others can give a position. */
export const giftPools = Array.from({ length: 24 }, (_, index) => ownPools + index)

const Debt = struct({ amount: i128, token: contract })
const Position = struct({ amount: i128, token: contract, unlocks: u64 })

const positionKey = (user: AccountAddress): xdr.ScVal => variant("Position", address.encode(user))
const debtKey = (user: AccountAddress): xdr.ScVal => variant("Debt", address.encode(user))
const rewardsKey = (user: AccountAddress): xdr.ScVal => variant("Rewards", address.encode(user))

const keysOf = (pool: ContractAddress, user: AccountAddress): ReadonlyArray<xdr.LedgerKey> => [
  contractDataKey(pool, positionKey(user)),
  contractDataKey(pool, rewardsKey(user)),
  contractDataKey(pool, debtKey(user)),
  instanceKey(pool)
]

const debtIn = (view: LedgerView, pool: ContractAddress, user: AccountAddress) => {
  const debt = valueIn(view, pool, debtKey(user), Debt)
  return debt._tag === "Right" ? debt.right : null
}

const held = (view: LedgerView, pool: ContractAddress, user: AccountAddress) => valueIn(view, pool, positionKey(user), Position)

const call = (pool: ContractAddress, name: string, user: AccountAddress, token: ContractAddress, expected: bigint): ContractCall => ({
  contract: pool,
  function: name,
  args: [address.encode(user)],
  payouts: [{ token, expected }],
  holds: [],
  subCalls: [],
  recipients: []
})

/** Toy pools: one position a pool, paid back by `claim` of its rewards, if any, and `leave`. */
const toyPool = part<{ readonly contract: ContractAddress }>("pool", {
  keys: ({ contract: pool }, user) => keysOf(pool, user),
  decode: ({ contract: pool }, user, view) => {
    const value = held(view, pool, user)
    if (value._tag === "Left") {
      return { ...noPositions, unrecognized: [{ protocol: "amm_2", contract: pool, rawType: "share", reason: "it does not decode" }] }
    }
    if (value.right === null) return noPositions
    const position: HeldPosition = {
      protocol: "amm_2",
      contract: pool,
      key: "share",
      rows: [{
        protocol: "amm_2",
        positionType: "lp",
        contractAddress: pool,
        shareAmount: value.right.amount.toString(),
        usdValue: null
      }],
      pays: [value.right.token],
      owes: [debtIn(view, pool, user) ?? []].flat(),
      givenUnder: poolAddresses.indexOf(pool) < ownPools ? null : contractDataKey(pool, positionKey(user))
    }
    return { ...noPositions, positions: [position] }
  },
  exit: ({ contract: pool }, _, { spendable, user, view, withoutRewards }) => {
    const value = held(view, pool, user)
    if (value._tag === "Left") return { _tag: "Refused", refusal: { _tag: "Undecodable", contract: pool, reason: "no position" } }
    if (value.right === null) return { _tag: "Gone" }
    const gated = gate(view, pool, new Map([[TOY_POOL_HASH, "pool"]]))
    if (gated._tag === "Left") return { _tag: "Refused", refusal: { _tag: "UnknownCode", contract: pool, wasmHash: null } }
    const { amount, token, unlocks } = value.right
    if (unlocks > view.closeTime) return { _tag: "Refused", refusal: { _tag: "CoolingDown", unlocksAt: unlocks } }
    const rewards = valueIn(view, pool, rewardsKey(user), i128)
    const due = rewards._tag === "Right" && rewards.right !== null && !withoutRewards ? rewards.right : null
    const debt = debtIn(view, pool, user)
    if (debt !== null && spendable(debt.token) < debt.amount) {
      return { _tag: "Refused", refusal: { _tag: "RepayAssetShort", token: debt.token, needed: debt.amount, held: spendable(debt.token) } }
    }
    const plain = call(pool, "leave", user, token, amount)
    const leave: ContractCall = debt === null ? plain : {
      ...plain,
      holds: [debt],
      subCalls: [{
        contract: debt.token,
        function: "transfer",
        args: [address.encode(user), address.encode(pool), i128.encode(debt.amount)],
        subCalls: []
      }]
    }
    return { _tag: "Calls", calls: due === null ? [leave] : [call(pool, "claim", user, token, due), leave], unlocksAt: null }
  }
})

/** The protocol of these pools. */
export const toyProtocol: Protocol = {
  name: "amm_2",
  code: [],
  contracts: poolAddresses,
  places: poolAddresses.map((contract) => toyPool({ contract }))
}
