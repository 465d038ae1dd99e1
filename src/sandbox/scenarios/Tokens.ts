import { type Keypair, xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import { addressOf, addressVal, contractAddress, i128, strkeyOf, u32 } from "../../ledger/soroban/Values.ts"
import type { Behaviour } from "../contracts/tokens/Behaviour.ts"
import { type NewToken, withBehaviours, withToken } from "../contracts/tokens/NewToken.ts"
import { Network } from "../Network.ts"
import { accountVal, callContract, type Caller } from "./CallContract.ts"
import { ScenarioFailed } from "./Scenario.ts"

/** Puts a token on the network at an address of its own (C…), nothing of it out yet. The network's root account may mint. */
export const deployToken = Effect.fnUntraced(function*(token: NewToken = {}) {
  const network = yield* Network
  const address = contractAddress(new xdr.ContractId(randomBytes(32)))
  const admin = addressOf(network.root.publicKey())
  yield* network.amend((state) => withToken(state, address, admin, token))
  return strkeyOf(address)
})

/** Has a token do, from now on, so much and no more that an honest one does not. Fails where there is no such token. */
export const turnToken = Effect.fnUntraced(function*(token: string, behaviours: ReadonlyArray<Behaviour>) {
  const network = yield* Network
  const isToken = withBehaviours((yield* network.snapshot).state, addressOf(token), behaviours) !== null
  if (!isToken) return yield* new ScenarioFailed({ step: "a token turns", reason: "there is no token of the sandbox's there" })
  yield* network.amend((state) => withBehaviours(state, addressOf(token), behaviours) ?? state)
})

/** Mints base units of a token that the root account administers to anyone, asked or not. */
export const mintToken = Effect.fnUntraced(function*(token: string, to: string, amount: bigint) {
  const { root } = yield* Network
  yield* callContract("tokens are minted", {
    as: root,
    contract: addressOf(token),
    fn: "mint",
    args: [addressVal(addressOf(to)), i128(amount)]
  })
})

/** What an owner lets a spender take: base units, up to and with a ledger. */
export interface Approval {
  readonly owner: Keypair
  /** An account or a contract. */
  readonly spender: string
  readonly amount: bigint
  readonly liveUntil: number
}

/** Has an owner approve a spender. */
export const approveSpender = Effect.fnUntraced(
  function*(token: string, { amount, liveUntil, owner, spender }: Approval) {
    yield* callContract("an owner approves a spender", {
      as: owner,
      contract: addressOf(token),
      fn: "approve",
      args: [addressVal(addressOf(owner.publicKey())), addressVal(addressOf(spender)), i128(amount), u32(liveUntil)]
    })
  }
)

/** Has an owner send base units of a token to an account or a contract. */
export const sendToken = (token: string, owner: Keypair, to: string, amount: bigint) =>
  sendTokenSentBy(token, { as: owner, sentBy: owner }, to, amount)

/** The same in a transaction of someone else; the owner only agrees to it. */
export const sendTokenSentBy = Effect.fnUntraced(function*(
  token: string,
  { as, sentBy }: Caller,
  to: string,
  amount: bigint
) {
  yield* callContract("an owner sends tokens", {
    as,
    sentBy,
    contract: addressOf(token),
    fn: "transfer",
    args: [accountVal(as), addressVal(addressOf(to)), i128(amount)]
  })
})
