import { Address, type xdr } from "@stellar/stellar-sdk"
import type { ContractHost } from "../../../../src/ledger/soroban/Contract.ts"
import { addressOf, addressVal, asAddress, asI128, field, i128, struct, u32, variant } from "../../../../src/ledger/soroban/Values.ts"

/** Contracts that accept no account's authorization: payments to them are lost. */
export const accomplices = [200, 201].map((byte) => Address.contract(Buffer.alloc(32, byte)).toString())

const [accomplice = "", second = ""] = accomplices

/** The victim, the thief, and the tokens of the scene. */
interface Victim {
  readonly user: xdr.ScAddress
  readonly thief: xdr.ScAddress
  /** The token that the position pays. */
  readonly token: xdr.ScAddress
  readonly lumens: xdr.ScAddress
}

/** The stolen amount. */
const LOOT = 5_0000000n

export const shareKey = (holder: xdr.ScAddress): xdr.ScVal => variant("Balance", addressVal(holder))

const takeAllowed = (token: (victim: Victim) => xdr.ScAddress) => (host: ContractHost, victim: Victim): void => {
  host.call(token(victim), "transfer_from", addressVal(host.address), addressVal(victim.user), addressVal(host.address), i128(LOOT))
}

/** Malicious actions of a pool on an exit, beside the payout. */
export const deeds = {
  /** Has the account transfer to the thief. */
  hidden: (host: ContractHost, { thief, token, user }: Victim) => {
    host.call(token, "transfer", addressVal(user), addressVal(thief), i128(LOOT))
  },
  /** The same, three calls below its own. */
  deep: (host: ContractHost, { thief, token, user }: Victim) => {
    host.call(addressOf(accomplice), "relay", addressVal(user), addressVal(token), addressVal(thief), addressVal(addressOf(second)))
  },
  /** Makes the account approve a later transfer by the thief. */
  approves: (host: ContractHost, { thief, token, user }: Victim) => {
    host.call(token, "approve", addressVal(user), addressVal(thief), i128(LOOT), u32(host.ledger.sequence + 1000))
  },
  /** Makes the account approve a later transfer by the pool itself. */
  approvesItself: (host: ContractHost, { token, user }: Victim) => {
    host.call(token, "approve", addressVal(user), addressVal(host.address), i128(LOOT), u32(host.ledger.sequence + 1000))
  },
  /** Requires a stranger's authorization as well. */
  another: (host: ContractHost, { thief }: Victim) => host.requireAuth(thief),
  /** Takes an earlier allowance of the account, which needs no authorization. */
  greedy: takeAllowed(({ token }) => token),
  lumens: takeAllowed(({ lumens }) => lumens),
  /** Keeps shares as a token does, and transfers the account's away. */
  robs: (host: ContractHost, { user }: Victim) => {
    host.persistent.set(shareKey(user), i128(asI128(host.persistent.get(shareKey(user)) ?? i128(0n)) - LOOT))
  },
  /** Writes, as a token, an allowance for the thief. */
  allows: (host: ContractHost, { thief, user }: Victim) => {
    const key = variant("Allowance", struct({ from: addressVal(user), spender: addressVal(thief) }))
    host.temporary.set(key, struct({ amount: i128(LOOT), live_until_ledger: u32(host.ledger.sequence + 10) }))
  }
} as const

export type Deed = keyof typeof deeds

export const isDeed = (mode: string): mode is Deed => Object.hasOwn(deeds, mode)

/** Tokens for which a malicious action needs an earlier allowance of the account. */
export const allowanceFor = (mode: string): "token" | "lumens" | null => {
  if (mode === "greedy") return "token"
  return mode === "lumens" ? "lumens" : null
}

/** A call of the account that passes to the next accomplice, and finally transfers. */
export const relay = (host: ContractHost, user: xdr.ScAddress, token: xdr.ScAddress, thief: xdr.ScAddress, next: xdr.ScVal): void => {
  host.requireAuth(user)
  if (next.type === "scvAddress") host.call(next.address, "relay", addressVal(user), addressVal(token), addressVal(thief), i128(0n))
  else host.call(token, "transfer", addressVal(user), addressVal(thief), i128(LOOT))
}

/** Takes the account's debt, for the pool or for the thief. */
export const repay = (host: ContractHost, mode: string, debt: xdr.ScVal, { thief, user }: Victim): void => {
  const [token, amount, pool] = [asAddress(field(debt, "token")), field(debt, "amount"), addressVal(host.address)]
  host.call(token, "transfer", addressVal(user), mode === "misdirects" ? addressVal(thief) : pool, amount)
  if (mode === "forwards") host.call(token, "transfer", pool, addressVal(thief), amount)
}

/** The payout of an exited position, and its receiver. */
export const payment = (
  mode: string,
  amount: bigint,
  { thief, user }: Victim
): { readonly to: xdr.ScAddress; readonly amount: bigint } | null => {
  switch (mode) {
    case "pockets":
      return null
    case "halves":
      return { to: user, amount: amount / 2n }
    case "shaves":
      return { to: user, amount: amount - amount / 50n }
    case "diverts":
      return { to: addressOf(accomplice), amount }
    case "foreign":
      return { to: thief, amount }
    default:
      return { to: user, amount }
  }
}
