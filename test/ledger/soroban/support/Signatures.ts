import type { Keypair, xdr } from "@stellar/stellar-sdk"
import { compareBytes } from "../../../../src/ledger/Int64.ts"
import { bytes, struct } from "../../../../src/ledger/soroban/Values.ts"
import { signatureOf } from "../../support/World.ts"

/** One signature of an account, as its owners give it to the host. */
export const signed = (publicKey: Uint8Array, signature: Uint8Array): xdr.ScVal =>
  struct({ public_key: bytes(publicKey), signature: bytes(signature) })

export const signedBy = (pair: Keypair, message: Uint8Array): xdr.ScVal =>
  signed(pair.rawPublicKey(), signatureOf(pair, message).signature.value)

/** Owners in the order in which they have to sign. */
export const inOrder = (pairs: ReadonlyArray<Keypair>): ReadonlyArray<Keypair> =>
  pairs.toSorted((left, right) => compareBytes(left.rawPublicKey(), right.rawPublicKey()))
