import type { xdr } from "@stellar/stellar-sdk"
import { contractFunction, type ContractHost, type ContractModel } from "../../../../src/ledger/soroban/Contract.ts"
import {
  addressVal,
  asAddress,
  asI128,
  asSymbol,
  asU32,
  field,
  i128,
  struct,
  symbol,
  u32,
  variant,
  voidVal
} from "../../../../src/ledger/soroban/Values.ts"
import { type Deed, deeds, isDeed, payment, relay, repay } from "./Malice.ts"

export const TOY_POOL_HASH = "70".repeat(32)

/** Hash of unlisted code that does the same. */
export const UPGRADED_HASH = "72".repeat(32)

/** A pool's behaviour on an exit. */
export type Mode =
  | Deed
  | "honest"
  | "error"
  | "drift"
  | "keeps"
  | "shrinks"
  | "pockets"
  | "halves"
  | "shaves"
  | "diverts"
  | "foreign"
  | "misdirects"
  | "forwards"

export const positionKey = (user: xdr.ScAddress): xdr.ScVal => variant("Position", addressVal(user))
export const rewardsKey = (user: xdr.ScAddress): xdr.ScVal => variant("Rewards", addressVal(user))
export const debtKey = (user: xdr.ScAddress): xdr.ScVal => variant("Debt", addressVal(user))
export const epochKey = symbol("Epoch")

/** Instructions for moving the epoch: more than all the rest of the call. */
export const CATCHING_UP = 3_800_000

const own = (host: ContractHost, name: string): xdr.ScVal => host.instance.get(symbol(name)) ?? host.trap()

const pay = (host: ContractHost, token: xdr.ScAddress, to: xdr.ScAddress, amount: bigint): void => {
  host.call(token, "transfer", addressVal(host.address), addressVal(to), i128(amount))
}

/** The amount that a pool leaves in a position. */
const leftBy = (mode: string, amount: bigint): bigint => {
  if (mode === "keeps") return amount
  return mode === "shrinks" ? amount - 1n : 0n
}

/** A pool that pays a position back on an exit, and in some modes misbehaves. */
export const toyPool: ContractModel = {
  functions: {
    claim: contractFunction(["address"], (host, [user]) => {
      host.requireAuth(user)
      const amount = asI128(host.persistent.get(rewardsKey(user)) ?? host.trap())
      host.persistent.remove(rewardsKey(user))
      pay(host, asAddress(field(host.persistent.get(positionKey(user)) ?? host.trap(), "token")), user, amount)
      return voidVal
    }),
    leave: contractFunction(["address"], (host, [user]) => {
      host.requireAuth(user)
      const mode = asSymbol(own(host, "Mode"))
      if (mode === "error" || host.persistent.has(rewardsKey(user))) host.fail(7)
      const position = host.persistent.get(positionKey(user)) ?? host.trap()
      const token = asAddress(field(position, "token"))
      const amount = asI128(field(position, "amount"))
      const victim = { user, token, thief: asAddress(own(host, "Thief")), lumens: asAddress(own(host, "Lumens")) }
      if (isDeed(mode)) deeds[mode](host, victim)
      // The epoch moves with every ledger: on the ledger that moved it last it is only read.
      const epoch = host.persistent.get(epochKey)
      if (epoch !== undefined && host.ledger.sequence > asU32(epoch)) {
        host.charge(CATCHING_UP)
        host.persistent.set(epochKey, u32(host.ledger.sequence))
      }
      const debt = host.persistent.get(debtKey(user))
      if (debt !== undefined) {
        repay(host, mode, debt, victim)
        host.persistent.remove(debtKey(user))
      }
      const left = leftBy(mode, amount)
      if (left === 0n) host.persistent.remove(positionKey(user))
      else {host.persistent.set(
          positionKey(user),
          struct({ amount: i128(left), token: addressVal(token), unlocks: field(position, "unlocks") })
        )}
      const due = payment(mode, amount, victim)
      if (due !== null) pay(host, token, due.to, due.amount)
      return voidVal
    }),
    relay: contractFunction(["address", "address", "address", "value"], (host, [user, token, thief, next]) => {
      relay(host, user, token, thief, next)
      return voidVal
    })
  }
}
