import { assert } from "@effect/vitest"
import { Keypair, xdr } from "@stellar/stellar-sdk"
import { createHash, createPrivateKey, type KeyObject, sign } from "node:crypto"
import {
  type AppliedTransaction,
  applyTransaction,
  checkTransaction,
  closeLedger,
  type SoleTransaction
} from "../../../src/ledger/Apply.ts"
import { toTrustlineAsset } from "../../../src/ledger/Asset.ts"
import { liabilitiesOf, newAccount, sponsorshipOf, withFields } from "../../../src/ledger/entries/Account.ts"
import { newEntry } from "../../../src/ledger/entries/LedgerEntry.ts"
import type { Header } from "../../../src/ledger/Header.ts"
import { brokenInvariants } from "../../../src/ledger/Invariants.ts"
import { LedgerState } from "../../../src/ledger/LedgerState.ts"
import { sha256 } from "../../../src/ledger/Signatures.ts"
import { readTransaction } from "../../../src/ledger/Transaction.ts"
import { brokenBy } from "../../../src/ledger/TransactionInvariants.ts"
import { accountKey, dataKey, keyOf, keyOfAccount, keyOfPool, offerKey, trustlineKey } from "../../../src/xdr/LedgerKeys.ts"

export const networkPassphrase = "a network made for tests"
export const networkId = sha256(Buffer.from(networkPassphrase))
export const baseReserve = 5_000_000n
export const baseFee = 100n

const worldHeader: Header = {
  ledgerVersion: 28,
  ledgerSeq: 1000,
  closeTime: 1_700_000_000n,
  baseFee: Number(baseFee),
  baseReserve: Number(baseReserve),
  idPool: 0n,
  flags: 0
}

/** The form of a transaction; omitted fields have plain values. */
export interface TransactionShape {
  readonly signers?: ReadonlyArray<Keypair>
  readonly fee?: bigint
  readonly seqNum?: bigint
  readonly cond?: xdr.Preconditions
  readonly memo?: xdr.Memo
  readonly extraSignatures?: ReadonlyArray<xdr.DecoratedSignature>
  readonly networkPassphrase?: string
}

/** An operation, with its source where that is not the transaction's. */
export type Step = xdr.OperationBody | readonly [source: Keypair, body: xdr.OperationBody]

/** Keys of the accounts of every world, in the order in which they are made. */
const pairs: Array<Keypair> = []

const pairAt = (at: number): Keypair => pairs[at] ??= Keypair.fromRawEd25519Seed(createHash("sha256").update(`account ${at}`).digest())

/** A ledger under test that advances with every transaction. Worlds made in one way are equal, keys of accounts included. */
export class World {
  state: LedgerState
  /** "assume": applied transactions count as signed, though they are not. For entries that a test only needs to exist. */
  signatures: "verify" | "assume" = "verify"
  private accounts = 0

  constructor(header: Partial<Header> = {}) {
    this.state = LedgerState.make({ ...worldHeader, ...header })
  }

  get header(): Header {
    return this.state.header
  }

  /** A fresh account; `shape` sets the fields that differ. */
  account(
    balance: bigint = 1_000n * 10_000_000n,
    shape: Partial<Pick<xdr.AccountEntry, "flags" | "seqNum" | "signers">> & { readonly thresholds?: Uint8Array } = {}
  ): Keypair {
    const pair = pairAt(this.accounts++)
    const account = withFields(newAccount(idOf(pair), balance, (BigInt(this.header.ledgerSeq) - 100n) << 32n), {
      ...shape,
      numSubEntries: shape.signers?.length ?? 0
    })
    this.put(newEntry(xdr.LedgerEntryData.account(account)))
    return pair
  }

  put(...entries: ReadonlyArray<xdr.LedgerEntry>): void {
    this.state = this.state.set(entries)
  }

  /** Advances to the next ledger. */
  next(): void {
    this.state = this.state.at({ ledgerSeq: this.header.ledgerSeq + 1, closeTime: this.header.closeTime + 5n })
  }

  envelope(source: Keypair, steps: ReadonlyArray<Step>, shape: TransactionShape = {}): xdr.TransactionEnvelope {
    const sources = steps.flatMap((step) => (isSourced(step) ? [step[0]] : []))
    const tx = new xdr.Transaction({
      sourceAccount: addressOf(source),
      fee: Number(shape.fee ?? baseFee * BigInt(Math.max(1, steps.length))),
      seqNum: shape.seqNum ?? (this.find(source)?.seqNum ?? 0n) + 1n,
      cond: shape.cond ?? xdr.Preconditions.precondNone(),
      memo: shape.memo ?? xdr.Memo.memoNone(),
      operations: steps.map(operationOf),
      ext: xdr.TransactionExt.v0()
    })
    return signed(tx, shape.signers ?? (this.signatures === "assume" ? [] : unique([source, ...sources])), shape)
  }

  /** Applies a transaction in a ledger of its own. The ledger stays consistent in every case. */
  apply(source: Keypair, steps: ReadonlyArray<Step>, shape: TransactionShape = {}): SoleTransaction {
    return this.submit(this.envelope(source, steps, shape))
  }

  /** `charged`: the fee of a full ledger for each operation, up to its bid; stroops. */
  submit(envelope: xdr.TransactionEnvelope, charged?: number): SoleTransaction {
    this.next()
    const before = this.state
    const surge = charged === undefined ? {} : { surgeBaseFee: charged }
    const applied = applyTransaction(before, envelope, { networkPassphrase, signatures: this.signatures, ...surge })
    this.state = applied.state
    assert.deepStrictEqual(brokenInvariants(this.state), [])
    assert.deepStrictEqual(brokenBy(before, applied), [])
    assert.strictEqual(lumens(before) - lumens(this.state), applied.feeCharged, "native coins go nowhere but into the fee")
    return applied
  }

  close(...envelopes: ReadonlyArray<xdr.TransactionEnvelope>): ReadonlyArray<AppliedTransaction> {
    this.next()
    const before = this.state
    const closed = closeLedger(before, envelopes, { networkPassphrase, signatures: "verify" })
    this.state = closed.state
    assert.strictEqual(lumens(before) - lumens(this.state), charged(closed.transactions), "native coins go nowhere but into the fees")
    assert.deepStrictEqual(brokenInvariants(this.state), [])
    return closed.transactions
  }

  /** Applies a transaction that must succeed. */
  succeed(source: Keypair, steps: ReadonlyArray<Step>, shape: TransactionShape = {}): SoleTransaction {
    const applied = this.apply(source, steps, shape)
    if (codesOf(applied)[0] !== "txSuccess") assert.fail(JSON.stringify(applied.result.toJson()))
    return applied
  }

  /** The queue's error codes; null when valid. */
  check(source: Keypair, steps: ReadonlyArray<Step>, shape: TransactionShape = {}): ReadonlyArray<string> | null {
    return this.checkEnvelope(this.envelope(source, steps, shape))
  }

  checkEnvelope(envelope: xdr.TransactionEnvelope): ReadonlyArray<string> | null {
    const at = this.state.at({ ledgerSeq: this.header.ledgerSeq + 1, closeTime: this.header.closeTime + 5n })
    const result = checkTransaction(at, envelope, { networkPassphrase, signatures: "verify" })
    return result === null ? null : codesOf({ result })
  }

  find(pair: Keypair): xdr.AccountEntry | undefined {
    const data = this.state.get(keyOfAccount(idOf(pair)))?.data
    return data?.type === "account" ? data.account : undefined
  }

  get(pair: Keypair): xdr.AccountEntry {
    return this.find(pair) ?? assert.fail("the account is missing")
  }

  line(pair: Keypair, asset: xdr.Asset | xdr.TrustLineAsset): xdr.TrustLineEntry | undefined {
    const held = asset.type === "assetTypePoolShare" ? asset : toTrustlineAsset(asset)
    const data = this.state.get(trustlineKey(pair.publicKey(), held))?.data
    return data?.type === "trustline" ? data.trustLine : undefined
  }

  offer(pair: Keypair, offerId: bigint): xdr.OfferEntry | undefined {
    const data = this.state.get(offerKey(pair.publicKey(), offerId))?.data
    return data?.type === "offer" ? data.offer : undefined
  }

  pool(poolId: Uint8Array): xdr.LiquidityPoolEntryConstantProduct | undefined {
    const data = this.state.get(keyOfPool(new xdr.PoolId(poolId)))?.data
    return data?.type === "liquidityPool" ? data.liquidityPool.body.constantProduct : undefined
  }

  hasData(pair: Keypair, name: string): boolean {
    return this.state.get(dataKey(pair.publicKey(), name)) !== undefined
  }

  /** Reserves that others pay for the account, and that it pays for others. */
  sponsorship(pair: Keypair): readonly [sponsored: number, sponsoring: number] {
    const { numSponsored, numSponsoring } = sponsorshipOf(this.get(pair))
    return [numSponsored, numSponsoring]
  }

  sellingLiabilities(pair: Keypair): bigint {
    return liabilitiesOf(this.get(pair)).selling
  }

  /** Sets an account's native balance directly. */
  setBalance(pair: Keypair, balance: bigint): void {
    this.edit(pair, (account) => withFields(account, { balance }))
  }

  edit(pair: Keypair, change: (account: xdr.AccountEntry) => xdr.AccountEntry): void {
    const entry = this.state.get(accountKey(pair.publicKey())) ?? assert.fail("the account is missing")
    this.put(new xdr.LedgerEntry({ ...entry, data: xdr.LedgerEntryData.account(change(this.get(pair))) }))
  }

  /** Every entry except the one account, as base64: a failure must not change them. */
  others(pair: Keypair): ReadonlyArray<string> {
    const own = accountKey(pair.publicKey()).toXdr("base64")
    return Array.from(this.state.entries())
      .filter((entry) => keyOf(entry).toXdr("base64") !== own)
      .map((entry) => entry.toXdr("base64"))
      .toSorted()
  }
}

export const idOf = (pair: Keypair): xdr.PublicKey => xdr.PublicKey.publicKeyTypeEd25519(pair.rawPublicKey())
export const addressOf = (pair: Keypair): xdr.MuxedAccount => xdr.MuxedAccount.keyTypeEd25519(pair.rawPublicKey())

const isSourced = (step: Step): step is readonly [Keypair, xdr.OperationBody] => Array.isArray(step)

const operationOf = (step: Step): xdr.Operation =>
  isSourced(step)
    ? new xdr.Operation({ sourceAccount: addressOf(step[0]), body: step[1] })
    : new xdr.Operation({ sourceAccount: null, body: step })

const unique = (pairs: ReadonlyArray<Keypair>): ReadonlyArray<Keypair> =>
  pairs.filter((pair, at) => pairs.findIndex((other) => other.publicKey() === pair.publicKey()) === at)

const signed = (tx: xdr.Transaction, signers: ReadonlyArray<Keypair>, shape: TransactionShape): xdr.TransactionEnvelope => {
  const bare = xdr.TransactionEnvelope.envelopeTypeTx(new xdr.TransactionV1Envelope({ tx, signatures: [] }))
  const { hash } = readTransaction(bare, shape.networkPassphrase ?? networkPassphrase)
  const signatures = [...signers.map((pair) => signatureOf(pair, hash)), ...(shape.extraSignatures ?? [])]
  return xdr.TransactionEnvelope.envelopeTypeTx(new xdr.TransactionV1Envelope({ tx, signatures }))
}

const pkcs8Prefix = Buffer.from("302e020100300506032b657004220420", "hex")

/** Node's own signing keys, which take a tenth of the SDK's time. */
const privateKeys = new WeakMap<Keypair, KeyObject>()

const privateKeyOf = (pair: Keypair): KeyObject => {
  const known = privateKeys.get(pair)
  if (known !== undefined) return known
  const key = createPrivateKey({ key: Buffer.concat([pkcs8Prefix, pair.rawSecretKey()]), format: "der", type: "pkcs8" })
  privateKeys.set(pair, key)
  return key
}

export const signatureOf = (pair: Keypair, message: Uint8Array): xdr.DecoratedSignature =>
  new xdr.DecoratedSignature({ hint: pair.rawPublicKey().slice(-4), signature: sign(null, message, privateKeyOf(pair)) })

/** A fee bump around an envelope. */
export const feeBump = (
  source: Keypair,
  fee: bigint,
  inner: xdr.TransactionEnvelope,
  signers: ReadonlyArray<Keypair> = [source]
): xdr.TransactionEnvelope => {
  const v1 = inner.type === "envelopeTypeTx" ? inner.v1 : assert.fail("only a plain envelope can be wrapped")
  const tx = new xdr.FeeBumpTransaction({
    feeSource: addressOf(source),
    fee,
    innerTx: xdr.FeeBumpTransactionInnerTx.envelopeTypeTx(v1),
    ext: xdr.FeeBumpTransactionExt.v0()
  })
  const bare = xdr.TransactionEnvelope.envelopeTypeTxFeeBump(new xdr.FeeBumpTransactionEnvelope({ tx, signatures: [] }))
  const { hash } = readTransaction(bare, networkPassphrase)
  return xdr.TransactionEnvelope.envelopeTypeTxFeeBump(
    new xdr.FeeBumpTransactionEnvelope({ tx, signatures: signers.map((pair) => signatureOf(pair, hash)) })
  )
}

/** Names of the transaction's code and those of its operations; of a fee bump both codes. */
export const codesOf = ({ result }: { readonly result: xdr.TransactionResult }): ReadonlyArray<string> => {
  const outer = result.result
  if (outer.type === "txFeeBumpInnerSuccess" || outer.type === "txFeeBumpInnerFailed") {
    const inner = outer.innerResultPair.result.result
    return [outer.type, inner.type, ...("results" in inner ? inner.results.map(codeOf) : [])]
  }
  return [outer.type, ...("results" in outer ? outer.results.map(codeOf) : [])]
}

const codeOf = (result: xdr.OperationResult): string => (result.type === "opInner" ? result.tr.value.type : result.type)

/** The code of the only operation, or of the transaction where none ran. */
export const codeAt = (applied: AppliedTransaction, index = 0): string => codesOf(applied)[index + 1] ?? codesOf(applied)[0] ?? ""

/** Fees of transactions, in stroops. */
export const charged = (transactions: ReadonlyArray<AppliedTransaction>): bigint =>
  transactions.reduce((sum, { feeCharged }) => sum + feeCharged, 0n)

/** All stroops of a ledger without contracts that hold some. */
export const lumens = (state: LedgerState): bigint => {
  let total = 0n
  for (const { data } of state.entries()) {
    if (data.type === "account") total += data.account.balance
    if (data.type === "claimableBalance" && data.claimableBalance.asset.type === "assetTypeNative") total += data.claimableBalance.amount
    if (data.type === "liquidityPool" && data.liquidityPool.body.constantProduct.params.assetA.type === "assetTypeNative") {
      total += data.liquidityPool.body.constantProduct.reserveA
    }
  }
  return total
}

/** The same result from the queue and from a ledger. */
export const bothSay = (world: World, source: Keypair, shape: TransactionShape, code: string | null, body: xdr.OperationBody): void => {
  assert.deepStrictEqual(world.check(source, [body], shape), code === null ? null : [code])
  assert.strictEqual(codesOf(world.apply(source, [body], shape))[0], code ?? "txSuccess")
}
