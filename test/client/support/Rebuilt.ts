import { Account, Asset, Claimant, Keypair, Memo, Operation, Transaction, TransactionBuilder, xdr } from "@stellar/stellar-sdk"
import type { Dice } from "./Dice.ts"

/** The receiver of a liar's redirected payments. */
export const thief = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 7)).publicKey()

/** A transaction in parts, each of which a liar may change. */
interface Parts {
  operations: Array<xdr.Operation>
  fee: bigint
  memo: Memo
  source: string
  sequence: bigint
  maxTime: number
}

type Change = (parts: Parts, tools: { readonly dice: Dice; readonly decoded: Transaction }) => void

const inserted = (make: (decoded: Transaction) => xdr.Operation): Change => ({ operations }, { decoded, dice }) => {
  operations.splice(dice.below(operations.length + 1), 0, make(decoded))
}

const anyAsset = ({ operations }: Transaction): Asset => {
  const sale = operations.find((one) => one.type === "pathPaymentStrictSend")
  return sale?.type === "pathPaymentStrictSend" ? sale.sendAsset : new Asset("BAIT", thief)
}

/** Replaces the first operation of a type. */
const replaced =
  (type: Transaction["operations"][number]["type"], make: (decoded: Transaction, dice: Dice, index: number) => xdr.Operation): Change =>
  ({ operations }, { decoded, dice }) => {
    const index = decoded.operations.findIndex((one) => one.type === type)
    if (index >= 0 && index < operations.length) operations[index] = make(decoded, dice, index)
    else operations.push(Operation.accountMerge({ destination: thief }))
  }

type Sale = Extract<Transaction["operations"][number], { readonly type: "pathPaymentStrictSend" }>

const sale = (change: (sale: Sale, dice: Dice) => Partial<Parameters<typeof Operation.pathPaymentStrictSend>[0]>): Change =>
  replaced("pathPaymentStrictSend", ({ operations }, dice, index) => {
    const found = operations[index] as Sale
    const { destAsset, destination, destMin, path, sendAmount, sendAsset } = found
    return Operation.pathPaymentStrictSend({ destAsset, destination, destMin, path, sendAmount, sendAsset, ...change(found, dice) })
  })

const scaled = (amount: string, part: number): string => {
  const units = BigInt(amount.replace(".", "")) * BigInt(Math.max(1, Math.floor(part * 10_000))) / 10_000n
  return `${units / 10_000_000n}.${(units % 10_000_000n).toString().padStart(7, "0")}`
}

/** A liar's changes to an envelope. */
const changes: ReadonlyArray<Change> = [
  replaced("accountMerge", () => Operation.accountMerge({ destination: thief })),
  inserted(() => Operation.accountMerge({ destination: thief })),
  inserted((decoded) => Operation.payment({ destination: thief, asset: anyAsset(decoded), amount: "1" })),
  inserted(() => Operation.payment({ destination: thief, asset: Asset.native(), amount: "5" })),
  inserted(() => Operation.createAccount({ destination: thief, startingBalance: "5" })),
  inserted(() => Operation.setOptions({ signer: { ed25519PublicKey: thief, weight: 255 } })),
  inserted(() => Operation.setOptions({ masterWeight: 0 })),
  inserted(() => Operation.setOptions({ highThreshold: 255 })),
  inserted(() => Operation.setOptions({ homeDomain: "thief.example" })),
  inserted((decoded) => Operation.createClaimableBalance({ asset: anyAsset(decoded), amount: "1", claimants: [new Claimant(thief)] })),
  inserted(() => Operation.changeTrust({ asset: new Asset("BAIT", thief) })),
  inserted(() => Operation.manageData({ name: "note", value: "x" })),
  inserted((decoded) =>
    Operation.manageSellOffer({ selling: anyAsset(decoded), buying: new Asset("BAIT", thief), amount: "1", price: "0.01" })
  ),
  inserted((decoded) =>
    Operation.createPassiveSellOffer({ selling: anyAsset(decoded), buying: Asset.native(), amount: "1", price: "0.01" })
  ),
  inserted(() => Operation.bumpSequence({ bumpTo: "9223372036854775807" })),
  inserted(() => Operation.beginSponsoringFutureReserves({ sponsoredId: thief })),
  inserted((decoded) =>
    Operation.pathPaymentStrictSend({
      sendAsset: anyAsset(decoded),
      sendAmount: "1",
      destination: thief,
      destAsset: Asset.native(),
      destMin: "0.0000001",
      path: []
    })
  ),
  sale(() => ({ destination: thief })),
  sale(({ destMin }, dice) => ({ destMin: scaled(destMin, dice.below(100) / 100) })),
  sale(() => ({ destMin: "0.0000001" })),
  sale(() => ({ destAsset: new Asset("BAIT", thief) })),
  sale(({ sendAmount }) => ({ sendAmount: scaled(sendAmount, 0.5) })),
  sale(() => ({ path: [new Asset("BAIT", thief)] })),
  replaced("payment", ({ operations }, _, index) => {
    const found = operations[index]
    if (found?.type !== "payment") throw new Error("no payment")
    return Operation.payment({
      asset: found.asset,
      amount: found.amount,
      destination: thief,
      ...(found.source === undefined ? {} : { source: found.source })
    })
  }),
  replaced("payment", ({ operations }, dice, index) => {
    const found = operations[index]
    if (found?.type !== "payment") throw new Error("no payment")
    return Operation.payment({
      asset: found.asset,
      amount: scaled(found.amount, dice.below(100) / 100),
      destination: found.destination,
      ...(found.source === undefined ? {} : { source: found.source })
    })
  }),
  ({ operations }, { dice }) => void operations.splice(dice.below(operations.length), 1),
  ({ operations }, { dice }) => void operations.push(...operations.slice(dice.below(operations.length)).slice(0, 1)),
  (parts) => void (parts.operations = parts.operations.toReversed()),
  (parts, { dice }) => void (parts.fee = parts.fee * BigInt(10 ** (1 + dice.below(5)))),
  (parts) => void (parts.memo = Memo.text("another customer")),
  (parts) => void (parts.sequence += 1n),
  (parts) => void (parts.source = thief),
  (parts) => void (parts.maxTime = 0),
  (parts) => void (parts.maxTime += 86_400 * 365)
]

/** An envelope with one to three changes, and its hash; the original where no change fits. */
export const rebuilt = (envelope: string, passphrase: string, dice: Dice): { readonly xdr: string; readonly hash: string } => {
  const decoded = TransactionBuilder.fromXdr(envelope, passphrase)
  if (!(decoded instanceof Transaction)) throw new Error("a fee bump")
  const inner = decoded.toEnvelope()
  const parts: Parts = {
    operations: inner.type === "envelopeTypeTx" ? [...inner.v1.tx.operations] : [],
    fee: BigInt(decoded.fee),
    memo: decoded.memo,
    source: decoded.source,
    sequence: BigInt(decoded.sequence),
    maxTime: Number(decoded.timeBounds?.maxTime ?? 0)
  }
  for (let time = 0; time <= dice.below(3); time++) dice.pick(changes)(parts, { dice, decoded })
  if (parts.operations.length === 0) parts.operations.push(Operation.accountMerge({ destination: thief }))
  const builder = new TransactionBuilder(new Account(parts.source, (parts.sequence - 1n).toString()), {
    fee: "100",
    memo: parts.memo,
    networkPassphrase: passphrase,
    timebounds: { minTime: 0, maxTime: parts.maxTime },
    ...(decoded.ledgerBounds === undefined ? {} : { ledgerbounds: decoded.ledgerBounds })
  })
  for (const operation of parts.operations) builder.addOperation(operation)
  const built = builder.build().toEnvelope()
  if (built.type !== "envelopeTypeTx") throw new Error("no plain transaction")
  const { tx } = built.v1
  const whole = new xdr.Transaction({
    sourceAccount: tx.sourceAccount,
    seqNum: tx.seqNum,
    cond: tx.cond,
    memo: tx.memo,
    operations: tx.operations,
    fee: Number(parts.fee > 4_294_967_295n ? 4_294_967_295n : parts.fee),
    ext: inner.type === "envelopeTypeTx" ? inner.v1.tx.ext : tx.ext
  })
  const text = xdr.TransactionEnvelope.envelopeTypeTx(new xdr.TransactionV1Envelope({ tx: whole, signatures: [] })).toXdr("base64")
  return { xdr: text, hash: Buffer.from(TransactionBuilder.fromXdr(text, passphrase).hash()).toString("hex") }
}
