import type { HttpClient } from "@effect/platform"
import { Asset, scValToNative, StrKey, Transaction, TransactionBuilder, xdr } from "@stellar/stellar-sdk/base"
import { Array as Arr, Effect, Schedule } from "effect"
import { showAmount } from "../domain/Amount.ts"
import { baseAccount, isDestinationAddress } from "../domain/DestinationAddress.ts"
import { type LedgerTransaction, witnessedTransaction } from "./Witness.ts"
import type { WitnessUrls } from "./WitnessSource.ts"

/** An amount of one asset (`native`, `CODE:ISSUER`), as a decimal, or of one token (C...), in its base units. */
export interface Moved {
  readonly asset: string
  readonly amount: string
}

/** An amount that left the account. */
export interface Paid extends Moved {
  /** Who got it; null: no one, it was given back to its issuer, burnt or taken back. */
  readonly to: string | null
}

/** What a sale on the ledger's books brought. */
export interface Sold extends Moved {
  readonly receivedLumens: string
}

/** What a transaction did, by the ledger's own answer. */
export interface Outcome {
  readonly feeLumens: string
  /** Sales on the ledger's books. What contracts sold is among what was paid and received. */
  readonly sold: ReadonlyArray<Sold>
  /** What came to the account. */
  readonly received: ReadonlyArray<Moved>
  /** What left the account, the fee aside. */
  readonly paid: ReadonlyArray<Paid>
  /** What came to the destination. */
  readonly arrived: ReadonlyArray<Moved>
}

/** A movement of an asset or token, as an event tells it. Null: no one is on that side. */
interface Movement {
  readonly from: string | null
  readonly to: string | null
  readonly asset: string
  readonly amount: bigint
  readonly isClassic: boolean
}

/** The asset of this name; null where a text is none: any contract may give its events any topics. */
const assetOf = (name: string): Asset | null => {
  if (name === "native") return Asset.native()
  try {
    const [code = "", issuer = ""] = name.split(":")
    return new Asset(code, issuer)
  } catch {
    return null
  }
}

/** What the contract of an asset calls it; the contract itself where it is that of no such asset. */
const assetNamed = (name: string, contract: string, passphrase: string): { readonly asset: string; readonly isClassic: boolean } =>
  assetOf(name)?.contractId(passphrase) === contract ? { asset: name, isClassic: true } : { asset: contract, isClassic: false }

const amountIn = (data: unknown): bigint | null => {
  if (typeof data === "bigint") return data
  const amount: unknown = typeof data === "object" && data !== null && "amount" in data ? data.amount : null
  return typeof amount === "bigint" ? amount : null
}

/** Sides of the movements that events tell: which topic names who. */
const sides: Readonly<Record<string, { readonly from: number | null; readonly to: number | null; readonly name: number }>> = {
  transfer: { from: 1, to: 2, name: 3 },
  mint: { from: null, to: 1, name: 2 },
  burn: { from: 1, to: null, name: 2 },
  clawback: { from: 1, to: null, name: 2 }
}

const movementIn = (text: string, passphrase: string): Movement | null => {
  const { body, contractId } = xdr.ContractEvent.fromXdr(text, "base64")
  if (contractId === null || body.type !== "v0") return null
  const topics: ReadonlyArray<unknown> = body.v0.topics.map((topic) => scValToNative(topic) as unknown)
  const side = sides[String(topics[0])]
  const amount = amountIn(scValToNative(body.v0.data) as unknown)
  if (side === undefined || amount === null) return null
  const who = (at: number | null) => (at === null ? null : String(topics[at]))
  const contract = StrKey.encodeContract(contractId.toBytes())
  return { from: who(side.from), to: who(side.to), amount, ...assetNamed(String(topics[side.name]), contract, passphrase) }
}

/** Sums by asset, in the order in which they first come. */
const summed = (movements: ReadonlyArray<Movement>): ReadonlyArray<Moved> =>
  Object.entries(Arr.groupBy(movements, ({ asset }) => asset)).map(([asset, same]) => {
    const amount = same.reduce((sum, one) => sum + one.amount, 0n)
    return { asset, amount: same[0].isClassic ? showAmount(amount) : amount.toString() }
  })

const salesIn = (transaction: Transaction, result: xdr.TransactionResult): ReadonlyArray<Sold> => {
  const inner = result.result.type === "txFeeBumpInnerSuccess" ? result.result.innerResultPair.result.result : result.result
  if (inner.type !== "txSuccess") return []
  return inner.results.flatMap((one, index) => {
    const operation = transaction.operations[index]
    if (operation?.type !== "pathPaymentStrictSend" || one.type !== "opInner" || one.tr.type !== "pathPaymentStrictSend") return []
    const sale = one.tr.pathPaymentStrictSendResult
    if (sale.type !== "pathPaymentStrictSendSuccess" || !operation.destAsset.isNative()) return []
    return [{ asset: operation.sendAsset.toString(), amount: operation.sendAmount, receivedLumens: showAmount(sale.success.last.amount) }]
  })
}

interface Parties {
  readonly source: string
  readonly destination: string
  readonly passphrase: string
}

const outcomeIn = ({ envelopeXdr, events, resultXdr }: LedgerTransaction, { destination, passphrase, source }: Parties): Outcome => {
  const result = xdr.TransactionResult.fromXdr(resultXdr, "base64")
  const decoded = TransactionBuilder.fromXdr(envelopeXdr, passphrase)
  // Events name the account; an id behind it stands beside the amount.
  const receiver = isDestinationAddress(destination) ? baseAccount(destination) : destination
  const movements = events.flatMap((event) => movementIn(event, passphrase) ?? [])
  const sent = movements.filter(({ from }) => from === source)
  return {
    feeLumens: showAmount(result.feeCharged),
    sold: salesIn(decoded instanceof Transaction ? decoded : decoded.innerTransaction, result),
    received: summed(movements.filter(({ to }) => to === source)),
    paid: [...new Set(sent.map(({ to }) => to))].flatMap((payee) =>
      summed(sent.filter(({ to }) => to === payee)).map((one) => ({ ...one, to: payee }))
    ),
    arrived: summed(movements.filter(({ to }) => to === receiver))
  }
}

/** What a transaction did, by the witness's contract RPC; null where the caller has none, or it does not tell. */
export const outcomeOf = (
  witness: WitnessUrls | undefined,
  hash: string,
  parties: Parties
): Effect.Effect<Outcome | null, never, HttpClient.HttpClient> => {
  const url = witness?.rpcUrl
  if (url === undefined) return Effect.succeed(null)
  // The witness may be a few ledgers behind the service. The close does not wait longer for one that hangs.
  const found = Effect.timeout(Effect.retry(witnessedTransaction(url, hash), Schedule.spaced("1 second")), "20 seconds")
  const told = Effect.flatMap(found, (answer) => Effect.try(() => outcomeIn(answer, parties)))
  return Effect.orElseSucceed(told, () => null)
}
