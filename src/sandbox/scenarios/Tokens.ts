import { type Keypair, xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import { addressOf, addressVal, contractAddress, i128, string, strkeyOf, u32 } from "../../ledger/soroban/Values.ts"
import { contractEntries } from "../contracts/Deployment.ts"
import { TOKEN_FAMILIES, type TokenFamilyName } from "../contracts/tokens/TokenFamily.ts"
import { Network } from "../Network.ts"
import { callContract } from "./CallContract.ts"

/** Ledgers for which a token that is put on the network is paid. */
const LIFE = 3_000_000

/** A token to be; what is left out is that of a plain one of the soroban-examples family. */
export interface NewToken {
  readonly family?: TokenFamilyName
  readonly symbol?: string
  readonly name?: string
  readonly decimals?: number
}

/** Puts a token on the network at an address of its own (C…), nothing of it out yet. The network's root account may mint. */
export const deployToken = Effect.fn("Scenario.deployToken")(function*(token: NewToken = {}) {
  const network = yield* Network
  const { decimals = 7, family = "example", symbol: code = "TKN", name = `Token ${code}` } = token
  const { code: hash, storage } = TOKEN_FAMILIES[family]
  const address = contractAddress(new xdr.ContractId(randomBytes(32)))
  const admin = addressOf(network.root.publicKey())
  const instance = storage({ admin, decimals: u32(decimals), name: string(name), symbol: string(code) })
  yield* network.amend((state) => state.set(contractEntries(address, hash, instance, state.header.ledgerSeq + LIFE)))
  return strkeyOf(address)
})

/** Mints base units of a token that the root account administers to anybody, asked or not. */
export const mintToken = Effect.fn("Scenario.mintToken")(function*(token: string, to: string, amount: bigint) {
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
export const approveSpender = Effect.fn("Scenario.approveSpender")(
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
export const sendToken = Effect.fn("Scenario.sendToken")(function*(token: string, owner: Keypair, to: string, amount: bigint) {
  yield* callContract("an owner sends tokens", {
    as: owner,
    contract: addressOf(token),
    fn: "transfer",
    args: [addressVal(addressOf(owner.publicKey())), addressVal(addressOf(to)), i128(amount)]
  })
})
