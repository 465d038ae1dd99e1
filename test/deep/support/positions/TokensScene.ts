import { type Asset, type Keypair, StrKey, type xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import type { LedgerState } from "../../../../src/ledger/LedgerState.ts"
import { addressOf, addressVal, asI128, i128, lookup, strkeyOf, symbol } from "../../../../src/ledger/soroban/Values.ts"
import { tokenBalanceKey } from "../../../../src/sandbox/contracts/Token.ts"
import type { Behaviour } from "../../../../src/sandbox/contracts/tokens/Behaviour.ts"
import { EntryArchived } from "../../../../src/sandbox/events/EntryArchived.ts"
import { Network } from "../../../../src/sandbox/Network.ts"
import { addLiquidity, pairOf } from "../../../../src/sandbox/scenarios/PairsMarket.ts"
import { approveSpender, deployToken, mintToken, sendToken, turnToken } from "../../../../src/sandbox/scenarios/Tokens.ts"
import { keyOfContractData, keyOfInstance } from "../../../../src/xdr/LedgerKeys.ts"
import type { PoolsScene } from "./PoolsScene.ts"
import { answer, valueIn } from "./PositionsHeld.ts"
import type { TokensShape, Turn } from "./TokensShape.ts"
import { stateNow, tried } from "./WalletBalance.ts"

type TokenShape = TokensShape["held"][number]

/** A contract token that the account received. */
export interface GivenToken {
  readonly contract: string
  readonly shape: TokenShape
  /** Its market against lumens; null: none. */
  readonly pair: string | null
}

/** An allowance of an owner for a spender. */
export interface GivenAllowance {
  /** Its decision. */
  readonly id: string
  readonly token: string
  readonly spender: string
  readonly shape: TokensShape["allowances"][number]
}

/** Contract tokens, and allowances. */
export interface TokensScene {
  readonly held: ReadonlyArray<GivenToken>
  readonly allowances: ReadonlyArray<GivenAllowance>
  /** The pairs with a market for them. */
  readonly pairs: ReadonlyArray<string>
}

/** The owner, the giver and the third parties. */
interface Parties {
  readonly source: Keypair
  readonly lender: Keypair
  readonly assets: { readonly usdc: Asset; readonly eurc: Asset; readonly native: Asset }
  readonly pools: PoolsScene
}

const HOLDINGS = symbol("Holdings")

/** Base units of an account in a token's entries, archived or not, independent of the token's own report. */
export const unitsIn = (state: LedgerState, { contract, shape }: GivenToken, who: string): bigint => {
  const [token, holder] = [addressOf(contract), addressOf(who)]
  if (shape.family !== "book") {
    const kept = valueIn(state, token, tokenBalanceKey(holder))
    return kept === null ? 0n : asI128(kept)
  }
  const page = valueIn(state, token, HOLDINGS)
  const kept = page === null ? undefined : lookup(page, addressVal(holder))
  return kept === undefined ? 0n : asI128(kept)
}

/** Base units that an allowance still permits. */
export const allowedIn = (state: LedgerState, asker: Keypair, owner: Keypair, of: GivenAllowance, passphrase: string): bigint => {
  const parties = [owner.publicKey(), of.spender].map((who) => addressVal(addressOf(who)))
  const told = answer(state, asker, addressOf(of.token), "allowance", parties, passphrase)
  if (told === null) throw new Error(`${of.token} does not tell an allowance`)
  return asI128(told)
}

/** More than an amount, up to the largest possible one. */
const moreThan = (amount: bigint): bigint => {
  const most = (1n << 127n) - 1n
  return most - amount < 10n ** 20n ? most : amount + 10n ** 20n
}

const behavioursOf = ({ amount, turn }: TokenShape, other: string, party: string, owner: string): ReadonlyArray<Behaviour> => {
  const calls = { _tag: "CallsOther", functions: ["transfer", "approve"], contract: other, party, amount: 7n } as const
  const tells = (value: bigint): Behaviour => ({ _tag: "Answers", function: "balance", value: i128(value).toXdr("base64") })
  const turns: Readonly<Record<Exclude<Turn, "honest">, Behaviour>> = {
    traps: { _tag: "Fails", functions: ["transfer"] },
    "keeps a fee": { _tag: "TakesFee", basisPoints: 300 },
    "moves nothing": { _tag: "Ignores", functions: ["transfer"] },
    "takes less": { _tag: "MovesMore", extra: -1n },
    "hands over another": { ...calls, function: "transfer" },
    "approves for another": { ...calls, function: "approve" },
    "never tells": { _tag: "Fails", functions: ["balance"] },
    "tells of more": tells(moreThan(amount)),
    "tells of none": tells(0n),
    "tells anew": { _tag: "AnswersAnew", functions: ["balance"] },
    shouts: { _tag: "AnswersText", function: "symbol", text: "FREE\u0000", times: 2_000 },
    "keeps allowances": { _tag: "Ignores", functions: ["approve"] },
    pretends: { _tag: "Pretends", functions: ["transfer"], kind: "approve", from: owner, to: party, amount: 5n, times: 3 },
    "never ends": { _tag: "NeverEnds", functions: ["transfer"] }
  }
  return turn === "honest" ? [] : [turns[turn]]
}

/** Gives the account a token, which is still honest. */
const give = Effect.fn("TokensScene.give")(function*(shape: TokenShape, { lender, pools: { amm2 }, source }: Parties) {
  const contract = yield* deployToken({ family: shape.family, decimals: 6 })
  if (shape.came === "minted") yield* mintToken(contract, source.publicKey(), shape.amount)
  else {
    yield* mintToken(contract, lender.publicKey(), shape.amount)
    yield* sendToken(contract, lender, source.publicKey(), shape.amount)
  }
  if (shape.traded && amm2 !== null) {
    yield* mintToken(contract, amm2.provider.publicKey(), 10_000_000_000n)
    const [token, lumens] = [{ token: addressOf(contract), amount: 10_000_000_000n }, {
      token: amm2.tokens.lumens,
      amount: 10_000_000_000n
    }]
    yield* addLiquidity("a pair of a token and lumens", amm2.provider, token, lumens)
    return { contract, shape, pair: strkeyOf(yield* pairOf(token.token, lumens.token)) }
  }
  return { contract, shape, pair: null }
})

/** Gives an account the drawn contract tokens and allowances. Runs before steps that need the account's lumens. */
export const populateTokens = Effect.fn("TokensScene.populate")(function*(shape: TokensShape, parties: Parties) {
  const { passphrase } = yield* Network
  const { assets: { eurc, native, usdc }, lender, source } = parties
  const held: Array<GivenToken> = []
  for (const one of shape.held) held.push(yield* give(one, parties))
  const tokens = [...held.map(({ contract }) => contract), ...[usdc, native, eurc].map((asset) => asset.contractId(passphrase))]
  const allowances: Array<GivenAllowance> = []
  for (const one of shape.allowances) {
    const token = tokens[one.of % tokens.length] ?? ""
    const spender = one.spender === "account" ? lender.publicKey() : StrKey.encodeContract(randomBytes(32))
    const id = `allowance:${token}:${spender}`
    if (allowances.some((other) => other.id === id)) continue
    const { ledgerSeq } = (yield* stateNow).header
    yield* approveSpender(token, { owner: source, spender, amount: one.amount, liveUntil: ledgerSeq + (one.over ? 1 : 100_000) })
    allowances.push({ id, token, spender, shape: one })
  }
  const scene: TokensScene = { held, allowances, pairs: held.flatMap(({ pair }) => (pair === null ? [] : [pair])) }
  return scene
})

const keysOf = ({ contract, shape: { archived, family } }: GivenToken, source: Keypair): ReadonlyArray<xdr.LedgerKey> => {
  const token = addressOf(contract)
  if (archived === "nothing") return []
  if (archived === "instance") return [keyOfInstance(token)]
  return [keyOfContractData(token, family === "book" ? HOLDINGS : tokenBalanceKey(addressOf(source.publicKey())), "persistent")]
}

/** Turns tokens into their drawn behaviours, and archives the drawn entries. */
export const turnTokens = Effect.fn("TokensScene.turn")(function*({ held }: TokensScene, { assets, lender, source }: Parties) {
  const { passphrase } = yield* Network
  for (const [at, { contract, shape }] of held.entries()) {
    // The asset that it transfers beside itself: the next of the tokens, or a classic asset.
    const other = held[at + 1]?.contract ?? assets.usdc.contractId(passphrase)
    const behaviours = behavioursOf(shape, other, lender.publicKey(), source.publicKey())
    if (behaviours.length > 0) yield* turnToken(contract, behaviours)
  }
  for (const key of held.flatMap((one) => keysOf(one, source))) {
    yield* tried(new EntryArchived({ key: key.toXdr("base64") }).happen())
  }
})
