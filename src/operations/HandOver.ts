import type * as xdr from "@stellar/stellar-sdk/xdr"
import { requestsIn, wayIn } from "./ContractArguments.ts"
import type { ContractFunction } from "./ContractFunctions.ts"
import { addressIn, integerIn, isContract } from "./ContractValues.ts"

/** A call of a contract, with its parts read. */
export interface CallParts {
  readonly contract: string
  readonly name: string
  readonly args: ReadonlyArray<xdr.ScVal>
}

/** A token call below a call, as a signature must allow it. */
export interface HandOver {
  /** A token, or what only the called contract knows: the shares that it gives back, or what it is owed. */
  readonly token: string | "shares" | "debt" | null
  readonly name: "transfer" | "burn"
  /** To whom: an address, the token itself, or a pool that the called contract chooses. Of what is burned no one. */
  readonly to: string | "itself" | "pool" | null
  readonly amount: bigint
}

/** The token that is sold first: an argument, or the first of a way. */
export const tokenAt = (value: xdr.ScVal | undefined): string | null => addressIn(value) ?? wayIn(value)?.[0] ?? null

const repayments = (requests: xdr.ScVal | undefined, to: string): ReadonlyArray<HandOver> => {
  const sums = new Map<string, bigint>()
  for (const { amount, isRepayment, token } of requestsIn(requests) ?? []) {
    if (isRepayment) sums.set(token, (sums.get(token) ?? 0n) + amount)
  }
  return [...sums].map(([token, amount]) => ({ token, name: "transfer", to, amount }))
}

const receivers = { transfer_to_called: "called", transfer_to_itself: "itself", burn: null } as const

const unitsAt = (args: ReadonlyArray<xdr.ScVal>, at: number): bigint => integerIn(args[at]) ?? 0n

const shares = (to: "called" | "itself" | null, contract: string, amount: bigint): HandOver => ({
  token: "shares",
  name: to === null ? "burn" : "transfer",
  to: to === "called" ? contract : to,
  amount
})

/** Everything that a call hands over, by its own arguments; no more and no less may be authorised. */
export const handOvers = ({ handsOver }: ContractFunction, { args, contract }: CallParts): ReadonlyArray<HandOver> => {
  switch (handsOver?.what) {
    case undefined:
      return []
    case "shares":
      return [shares(receivers[handsOver.by], contract, unitsAt(args, handsOver.amount))]
    case "token": {
      const to = handsOver.to === "called" ? contract : "pool"
      return [{ token: tokenAt(args[handsOver.token]), name: "transfer", to, amount: unitsAt(args, handsOver.amount) }]
    }
    case "repayments":
      return repayments(args[handsOver.requests], contract)
    case "debt":
      return [{ token: "debt", name: "burn", to: null, amount: unitsAt(args, handsOver.amount) }]
  }
}

const isReceiver = (to: HandOver["to"], address: string | null, token: string): boolean => {
  switch (to) {
    case "itself":
      return address === token
    case "pool":
      return isContract(address) && address !== token
    default:
      return address === to
  }
}

const isToken = (token: HandOver["token"], contract: string, isValued: (token: string) => boolean): boolean => {
  switch (token) {
    case "shares":
      return !isValued(contract)
    case "debt":
      return true
    default:
      return contract === token
  }
}

/** Whether a call is that hand-over by an account. `isValued`: tokens that are never shares. */
export const isHandOver = (
  { amount, name, to, token }: HandOver,
  below: CallParts,
  source: string,
  isValued: (token: string) => boolean
): boolean => {
  const [owner, ...rest] = below.args
  const [units, receiver] = [rest.at(-1), rest.length === 2 ? rest[0] : undefined]
  return below.name === name && addressIn(owner) === source && integerIn(units) === amount && rest.length === (name === "burn" ? 1 : 2) &&
    (name === "burn" || isReceiver(to, addressIn(receiver), below.contract)) &&
    isToken(token, below.contract, isValued)
}
