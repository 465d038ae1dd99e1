import { xdr } from "@stellar/stellar-sdk"
import { keyOfAccount, keyOfNonce } from "../../xdr/LedgerKeys.ts"
import { compareBytes, sameBytes } from "../Int64.ts"
import { verifyEd25519 } from "../Signatures.ts"
import { AssetError } from "./AssetError.ts"
import { contractData } from "./ContractEntries.ts"
import type { Authenticator } from "./Credentials.ts"
import type { Engine } from "./Engine.ts"
import { contractFail, hostFail } from "./HostError.ts"
import { Work } from "./Meter.ts"
import type { Storage } from "./Storage.ts"
import { addressVal, asBytes, asVec, bytes, field, string, struct, variant, vec, voidVal } from "./Values.ts"

const maxSignatures = 20
const mediumThreshold = 2

/**
 * Whether an account agreed to a payload: ed25519 signatures of its signers, in the order of their keys, that reach its
 * medium threshold. Pre-authorised transactions and hash signers do not count here.
 */
const authenticateAccount = (storage: Storage, account: xdr.PublicKey, payload: Uint8Array, signature: xdr.ScVal): void => {
  const signatures = asVec(signature)
  if (signatures.length > maxSignatures) contractFail(AssetError.authentication, "too many account signers")
  if (signatures.length === 0) contractFail(AssetError.authentication, "no account signatures found")
  const data = storage.require(keyOfAccount(account)).data
  const entry = data.type === "account" ? data.account : hostFail("Storage", "InternalError", "ledger entry is not account")

  let weight = 0
  let previous: Uint8Array | undefined
  for (const item of signatures) {
    const publicKey = asBytes(field(item, "public_key"))
    if (previous !== undefined && compareBytes(previous, publicKey) >= 0) {
      contractFail(AssetError.authentication, "public keys are not ordered")
    }
    if (publicKey.length !== 32 || !verifyEd25519(publicKey, payload, asBytes(field(item, "signature")))) {
      hostFail("Crypto", "InvalidInput", "failed ED25519 verification")
    }
    const own = weightOf(entry, publicKey)
    if (own === 0) contractFail(AssetError.authentication, "signer does not belong to account")
    weight += own
    previous = publicKey
  }
  if (weight < (entry.thresholds.value[mediumThreshold] ?? 0)) {
    contractFail(AssetError.authentication, "signature weight is lower than threshold")
  }
}

const weightOf = (account: xdr.AccountEntry, publicKey: Uint8Array): number => {
  if (sameBytes(account.accountId.ed25519.value, publicKey)) return account.thresholds.value[0] ?? 0
  const signer = account.signers.find(({ key }) => key.type === "signerKeyTypeEd25519" && sameBytes(key.ed25519.value, publicKey))
  return signer?.weight ?? 0
}

/** Asks accounts by their signers and account contracts by calling them; nonces are kept in the storage of the call. */
export class EngineAuthenticator implements Authenticator {
  readonly networkId: Uint8Array
  private readonly engine: Engine
  private readonly signatures: "verify" | "assume"

  /** `assume` takes every signature over an agreement as given. */
  constructor(engine: Engine, signatures: "verify" | "assume") {
    this.networkId = engine.networkId
    this.engine = engine
    this.signatures = signatures
  }

  authenticate(address: xdr.ScAddress, payload: Uint8Array, signature: xdr.ScVal, root: xdr.SorobanAuthorizedInvocation): void {
    this.engine.meter.charge(Work.signature * Math.max(1, signature.type === "scvVec" ? asVec(signature).length : 1))
    switch (address.type) {
      case "scAddressTypeAccount":
        if (this.signatures === "assume") {
          this.engine.storage.require(keyOfAccount(address.accountId))
          return
        }
        return authenticateAccount(this.engine.storage, address.accountId, payload, signature)
      case "scAddressTypeContract": {
        if (this.signatures === "assume") return
        const context = vec(...contextsOf(root))
        this.engine.askAccount(address, [bytes(payload), signature, context])
        return
      }
      default:
        return hostFail("Object", "InternalError", "unexpected address type in auth")
    }
  }

  consumeNonce(address: xdr.ScAddress, nonce: bigint, expirationLedger: number): void {
    const { lives } = this.engine.storage
    if (expirationLedger < lives.ledgerSeq) hostFail("Auth", "InvalidInput", "signature has expired")
    if (expirationLedger > lives.maxLiveUntil) hostFail("Auth", "InvalidInput", "signature expiration is too late")
    const key = keyOfNonce(address, nonce)
    if (this.engine.storage.has(key)) hostFail("Auth", "ExistingValue", "nonce already exists for address")
    const data = contractData(address, xdr.ScVal.scvLedgerKeyNonce(new xdr.ScNonceKey({ nonce })), "temporary", voidVal)
    this.engine.storage.put(key, data, Math.max(expirationLedger, lives.minLiveUntil("temporary")))
  }
}

/** What an account contract has to agree to: calls and creations, each before those that it leads to. */
const contextsOf = ({ function: fn, subInvocations }: xdr.SorobanAuthorizedInvocation): ReadonlyArray<xdr.ScVal> => [
  contextOf(fn),
  ...subInvocations.flatMap(contextsOf)
]

const contextOf = (fn: xdr.SorobanAuthorizedFunction): xdr.ScVal => {
  switch (fn.type) {
    case "sorobanAuthorizedFunctionTypeContractFn": {
      const { args, contractAddress, functionName } = fn.contractFn
      const name = xdr.ScVal.scvSymbol(functionName)
      return variant("Contract", struct({ args: vec(...args), contract: addressVal(contractAddress), fn_name: name }))
    }
    case "sorobanAuthorizedFunctionTypeCreateContractHostFn":
      return creationContext(fn.createContractHostFn, [])
    case "sorobanAuthorizedFunctionTypeCreateContractV2HostFn":
      return creationContext(fn.createContractV2HostFn, fn.createContractV2HostFn.constructorArgs)
  }
}

const creationContext = (
  { contractIdPreimage: preimage, executable }: xdr.CreateContractArgs | xdr.CreateContractArgsV2,
  args: ReadonlyArray<xdr.ScVal>
): xdr.ScVal => {
  const refuse = (part: string) => hostFail("Auth", "InvalidInput", `${part} is not allowed when authorizing create_contract host fn`)
  if (executable.type === "contractExecutableStellarAsset") return refuse("StellarAsset executable")
  if (preimage.type === "contractIdPreimageFromAsset") return refuse("asset preimage")
  const fields = { executable: executableVal(executable), salt: bytes(preimage.fromAddress.salt.toBytes()) }
  return args.length === 0
    ? variant("CreateContractHostFn", struct(fields))
    : variant("CreateContractWithCtorHostFn", struct({ ...fields, constructor_args: vec(...args) }))
}

const executableVal = (executable: Exclude<xdr.ContractExecutable, { readonly type: "contractExecutableStellarAsset" }>): xdr.ScVal => {
  if (executable.type === "contractExecutableWasm") return variant("Wasm", bytes(executable.wasmHash.toBytes()))
  const { executableOwner, tag } = executable.externalRef
  return variant("ExternalRef", struct({ owner: addressVal(executableOwner), tag: string(tag.bytes) }))
}
