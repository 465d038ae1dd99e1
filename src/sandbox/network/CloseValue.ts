import { xdr } from "@stellar/stellar-sdk"
import { createHash } from "node:crypto"
import { xdrBytes } from "../../xdr/XdrBytes.ts"

const hash = (kind: "sha256" | "sha512", ...parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const sum = createHash(kind)
  for (const part of parts) sum.update(part)
  return sum.digest()
}

/** From this protocol on a ledger without transactions names no transaction set (CAP-83). */
const emptySetProtocol = 28

const noSet = new Uint8Array(32)

/**
 * Who proposed a transaction set, as every value of a real network tells. There are no validators here: a hash of the network
 * stands for the key of one, and a hash of what it would sign (network, set and time) for its signature.
 */
const proposer = (passphrase: string, txSetHash: Uint8Array, closeTime: bigint): xdr.LedgerCloseValueSignature => {
  const network = hash("sha256", Buffer.from(passphrase))
  const time = Buffer.alloc(8)
  time.writeBigUInt64BE(closeTime)
  return new xdr.LedgerCloseValueSignature({
    nodeId: xdr.PublicKey.publicKeyTypeEd25519(network),
    signature: hash("sha512", network, txSetHash, time)
  })
}

/**
 * What validators agreed on for a ledger. With transactions it names their set and who proposed it. Without any it stands for a
 * ledger whose set validators agreed to leave out: the set's hash is zero, and the one proposed is named beside it. A real
 * network closes most empty ledgers with a set that is empty; here every one is of the rarer kind, so that clients meet it.
 */
export const closeValue = (closing: {
  readonly passphrase: string
  readonly ledgerVersion: number
  readonly closeTime: bigint
  readonly previousHash: Uint8Array
  readonly set: xdr.GeneralizedTransactionSet
  readonly transactions: number
}): xdr.StellarValue => {
  const { closeTime, ledgerVersion, passphrase, previousHash, set, transactions } = closing
  const txSetHash = hash("sha256", xdrBytes(set))
  const lcValueSignature = proposer(passphrase, txSetHash, closeTime)
  if (transactions > 0 || ledgerVersion < emptySetProtocol) {
    return new xdr.StellarValue({ txSetHash, closeTime, upgrades: [], ext: xdr.StellarValueExt.stellarValueSigned(lcValueSignature) })
  }
  const proposed = new xdr.StellarValueProposedValue({
    txSetHash,
    previousLedgerHash: previousHash,
    previousLedgerVersion: ledgerVersion,
    lcValueSignature
  })
  return new xdr.StellarValue({ txSetHash: noSet, closeTime, upgrades: [], ext: xdr.StellarValueExt.stellarValueEmptyTxSet(proposed) })
}
