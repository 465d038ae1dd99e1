import { Account, Asset, Keypair, Operation, StrKey, TransactionBuilder, xdr } from "@stellar/stellar-sdk"
import { Console, Effect } from "effect"
import { applyTransaction } from "../../src/ledger/Apply.ts"
import type { Header } from "../../src/ledger/Header.ts"
import { LedgerState } from "../../src/ledger/LedgerState.ts"
import { timeOf } from "./Cpu.ts"
import { millis, row } from "./Table.ts"

const networkPassphrase = "The model of the ledger, timed"
const perLine = 1_0000000n
const runs = 41
const inRow = 50

const header: Header = {
  ledgerVersion: 28,
  ledgerSeq: 1000,
  closeTime: 1_800_000_000n,
  baseFee: 100,
  baseReserve: 5_000_000,
  idPool: 1n,
  flags: 0
}

const entry = (data: xdr.LedgerEntryData) => new xdr.LedgerEntry({ lastModifiedLedgerSeq: 1, data, ext: xdr.LedgerEntryExt.v0() })

const idOf = (key: Keypair) => xdr.PublicKey.publicKeyTypeEd25519(StrKey.decodeEd25519PublicKey(key.publicKey()))

const accountEntry = (accountId: xdr.PublicKey, numSubEntries: number) =>
  entry(xdr.LedgerEntryData.account(
    new xdr.AccountEntry({
      accountId,
      balance: 100_000_0000000n,
      seqNum: 7n,
      numSubEntries,
      inflationDest: null,
      flags: 0,
      homeDomain: "",
      thresholds: new Uint8Array([1, 0, 0, 0]),
      signers: [],
      ext: xdr.AccountEntryExt.v0()
    })
  ))

const lineEntry = (holder: Keypair, asset: Asset) =>
  entry(xdr.LedgerEntryData.trustline(
    new xdr.TrustLineEntry({
      accountId: idOf(holder),
      asset: asset.toTrustLineXdrObject(),
      balance: perLine,
      limit: 2n ** 63n - 1n,
      flags: 1,
      ext: xdr.TrustLineEntryExt.v0()
    })
  ))

const bystanderKey = (index: number): Uint8Array => {
  const bytes = new Uint8Array(32).fill(7)
  new DataView(bytes.buffer).setUint32(0, index)
  return bytes
}

const bystander = (index: number): xdr.LedgerEntry => accountEntry(xdr.PublicKey.publicKeyTypeEd25519(bystanderKey(index)), 0)

const [closing, issuer] = [Keypair.random(), Keypair.random()]
const assets = Array.from({ length: 50 }, (_, index) => new Asset(`HELD${index}`, issuer.publicKey()))
const heldFirst = new Asset("HELD0", issuer.publicKey())

/** A transaction as in a close: fifty payments of balances, and the removal of their trustlines. */
const build = () => {
  const builder = new TransactionBuilder(new Account(closing.publicKey(), "7"), { fee: "100", networkPassphrase })
  for (const asset of assets) {
    builder
      .addOperation(Operation.payment({ asset, amount: "1", destination: issuer.publicKey() }))
      .addOperation(Operation.changeTrust({ asset, limit: "0" }))
  }
  return builder.setTimeout(0).build()
}

const signed = () => {
  const transaction = build()
  transaction.sign(closing)
  return transaction.toEnvelope()
}

/** An offer without a taker: lumens for the first asset, at a price of the existing ones. */
const offer = (index: number): xdr.LedgerEntry =>
  entry(xdr.LedgerEntryData.offer(
    new xdr.OfferEntry({
      sellerId: xdr.PublicKey.publicKeyTypeEd25519(bystanderKey(index)),
      offerId: BigInt(1_000_000 + index),
      selling: Asset.native().toXdrObject(),
      buying: heldFirst.toXdrObject(),
      amount: perLine,
      price: new xdr.Price({ n: 1000 + (index * 7919) % 100_000, d: 1000 }),
      flags: 0,
      ext: xdr.OfferEntryExt.v0()
    })
  ))

/** A transaction that changes the prices of the issuer's hundred offers, or creates them where `isFirst`. */
const offers = (sequence: number, isFirst: boolean): xdr.TransactionEnvelope => {
  const builder = new TransactionBuilder(new Account(issuer.publicKey(), String(7 + sequence)), { fee: "100", networkPassphrase })
  for (let index = 0; index < 100; index++) {
    const price = { n: 1000 + (index * 997 + sequence * 31) % 100_000, d: 1000 }
    const offerId = isFirst ? "0" : String(Number(header.idPool) + 1 + index)
    builder.addOperation(Operation.manageSellOffer({ selling: Asset.native(), buying: heldFirst, amount: "1", price, offerId }))
  }
  return builder.setTimeout(0).build().toEnvelope()
}

/** A ledger with the closing account, its issuer, and this many other accounts. */
const ledgerOf = (accounts: number): LedgerState =>
  LedgerState.make(header, [
    accountEntry(idOf(closing), assets.length),
    accountEntry(idOf(issuer), 0),
    ...assets.map((asset) => lineEntry(closing, asset)),
    ...Array.from({ length: accounts }, (_, index) => bystander(index))
  ])

/** Transactions with a hundred payments each, no two to the same account within a thousand payments. */
const payments = (sequence: number): xdr.TransactionEnvelope => {
  const builder = new TransactionBuilder(new Account(issuer.publicKey(), String(7 + sequence)), { fee: "100", networkPassphrase })
  for (let index = 0; index < 100; index++) {
    const destination = StrKey.encodeEd25519PublicKey(bystanderKey((sequence * 100 + index) % 1000))
    builder.addOperation(Operation.payment({ asset: Asset.native(), amount: "0.1", destination }))
  }
  return builder.setTimeout(0).build().toEnvelope()
}

const apply = (state: LedgerState, envelope: xdr.TransactionEnvelope, signatures: "verify" | "assume"): LedgerState => {
  const applied = applyTransaction(state, envelope, { networkPassphrase, signatures })
  if (applied.result.result.type !== "txSuccess") throw new Error(`the transaction ended as ${applied.result.result.type}`)
  return applied.state
}

/** Cost of applying one transaction to the model, and its independence of the ledger's size. */
export const applies = Effect.gen(function*() {
  yield* Console.log(`A transaction of 100 operations (50 payments, 50 trustlines removed), its signature verified: the median of ${runs}.`)
  yield* Console.log(`In a row: ${inRow} transactions of 100 payments, each on the ledger the one before left, the mean of them.`)
  yield* Console.log(
    `Offers: ${inRow} transactions that reprice 100 offers each, in a row, in a book of as many offers as there are accounts.`
  )
  yield* Console.log(row(["ledger", "apply", "SDK build", "ratio", "in a row", "offers"]))
  const envelope = signed()
  const many = Array.from({ length: inRow }, (_, index) => payments(index))
  const repriced = Array.from({ length: inRow }, (_, index) => offers(index + 1, false))
  for (const accounts of [1000, 10_000, 100_000]) {
    const state = ledgerOf(accounts)
    const building = timeOf(() => build().toEnvelope(), runs)
    const applying = timeOf(() => apply(state, envelope, "verify"), runs)
    const chained = timeOf(() => many.reduce((ledger, one) => apply(ledger, one, "assume"), state), 5, 2) / inRow
    const booked = apply(state.set(Array.from({ length: accounts }, (_, index) => offer(index))), offers(0, true), "assume")
    const repricing = timeOf(() => repriced.reduce((ledger, one) => apply(ledger, one, "assume"), booked), 5, 2) / inRow
    yield* Console.log(
      row([
        `${accounts} accounts`,
        millis(applying),
        millis(building),
        (applying / building).toFixed(2),
        millis(chained),
        millis(repricing)
      ])
    )
  }
})
