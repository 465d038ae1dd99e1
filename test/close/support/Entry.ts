import { Keypair, StrKey, xdr } from "@stellar/stellar-sdk"

export interface AccountParts {
  readonly balance?: bigint
  readonly numSubEntries?: number
  /** Weight of the master key, then the low, medium and high threshold. */
  readonly thresholds?: readonly [master: number, low: number, medium: number, high: number]
  readonly signers?: ReadonlyArray<xdr.Signer>
  /** Lumens bound by offers, in stroops. */
  readonly selling?: bigint
  readonly sponsoring?: number
  readonly sponsored?: number
}

const idOf = (key: Keypair) => xdr.PublicKey.publicKeyTypeEd25519(StrKey.decodeEd25519PublicKey(key.publicKey()))

/** An account entry made by hand. */
export const accountEntry = (parts: AccountParts = {}, key: Keypair = Keypair.random()): xdr.AccountEntry => {
  const signers = parts.signers ?? []
  return new xdr.AccountEntry({
    accountId: idOf(key),
    balance: parts.balance ?? 100_0000000n,
    seqNum: 7n,
    numSubEntries: parts.numSubEntries ?? signers.length,
    inflationDest: null,
    flags: 0,
    homeDomain: "",
    thresholds: new Uint8Array(parts.thresholds ?? [1, 0, 0, 0]),
    signers: [...signers],
    ext: xdr.AccountEntryExt.v1(
      new xdr.AccountEntryExtensionV1({
        liabilities: new xdr.Liabilities({ buying: 0n, selling: parts.selling ?? 0n }),
        ext: xdr.AccountEntryExtensionV1Ext.v2(
          new xdr.AccountEntryExtensionV2({
            numSponsored: parts.sponsored ?? 0,
            numSponsoring: parts.sponsoring ?? 0,
            signerSponsoringIDs: signers.map(() => null),
            ext: xdr.AccountEntryExtensionV2Ext.v0()
          })
        )
      })
    )
  })
}

/** A signer of each kind with a weight. */
export const signerOf = {
  key: (weight: number, key: Keypair = Keypair.random()) =>
    new xdr.Signer({ key: xdr.SignerKey.signerKeyTypeEd25519(StrKey.decodeEd25519PublicKey(key.publicKey())), weight }),
  hash: (weight: number) => new xdr.Signer({ key: xdr.SignerKey.signerKeyTypeHashX(new Uint8Array(32).fill(1)), weight }),
  preauthorized: (weight: number) => new xdr.Signer({ key: xdr.SignerKey.signerKeyTypePreAuthTx(new Uint8Array(32).fill(2)), weight }),
  payload: (weight: number) =>
    new xdr.Signer({
      key: xdr.SignerKey.signerKeyTypeEd25519SignedPayload(
        new xdr.SignerKeyEd25519SignedPayload({ ed25519: new Uint8Array(32).fill(3), payload: new Uint8Array([1, 2, 3, 4]) })
      ),
      weight
    })
}
