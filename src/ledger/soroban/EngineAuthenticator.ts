import { xdr } from "@stellar/stellar-sdk"
import { keyOfAccount, keyOfNonce } from "../../xdr/LedgerKeys.ts"
import { authenticateAccount } from "./AccountSignatures.ts"
import { contractData } from "./ContractEntries.ts"
import type { Authenticator } from "./Credentials.ts"
import type { Engine } from "./Engine.ts"
import { hostFail } from "./HostError.ts"
import { Work } from "./Meter.ts"
import { addressVal, asSymbol, asVec, symbol, vec, VOID } from "./Values.ts"

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
        this.engine.call(address, "__check_auth", [xdr.ScVal.scvBytes(payload), signature, context])
        return
      }
      default:
        return hostFail("Object", "InternalError", "unexpected address type in auth")
    }
  }

  consumeNonce(address: xdr.ScAddress, nonce: bigint, expirationLedger: number): void {
    const { lives } = this.engine.storage
    if (expirationLedger < lives.ledgerSeq) hostFail("Auth", "InvalidInput", "signature has expired")
    if (expirationLedger > lives.most) hostFail("Auth", "InvalidInput", "signature expiration is too late")
    const key = keyOfNonce(address, nonce)
    if (this.engine.storage.has(key)) hostFail("Auth", "ExistingValue", "nonce already exists for address")
    const data = contractData(address, xdr.ScVal.scvLedgerKeyNonce(new xdr.ScNonceKey({ nonce })), "temporary", VOID)
    this.engine.storage.put(key, data, Math.max(expirationLedger, lives.least("temporary")))
  }
}

/** What an account contract is shown of the calls it is asked to agree to. */
const contextsOf = (invocation: xdr.SorobanAuthorizedInvocation): ReadonlyArray<xdr.ScVal> => {
  const { function: fn, subInvocations } = invocation
  const own = fn.type === "sorobanAuthorizedFunctionTypeContractFn"
    ? [
      vec(
        symbol("Contract"),
        xdr.ScVal.scvMap([
          new xdr.ScMapEntry({ key: symbol("args"), val: vec(...fn.contractFn.args) }),
          new xdr.ScMapEntry({ key: symbol("contract"), val: addressVal(fn.contractFn.contractAddress) }),
          new xdr.ScMapEntry({ key: symbol("fn_name"), val: symbol(asSymbol(xdr.ScVal.scvSymbol(fn.contractFn.functionName))) })
        ])
      )
    ]
    : []
  return [...own, ...subInvocations.flatMap(contextsOf)]
}
