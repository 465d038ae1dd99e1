import { Keypair, xdr } from "@stellar/stellar-sdk"
import { Authorization, type AuthorizationMode } from "../../../../src/ledger/soroban/Authorization.ts"
import { hostFail } from "../../../../src/ledger/soroban/HostError.ts"
import { Work } from "../../../../src/ledger/soroban/Meter.ts"
import { strkeyOf, voidVal } from "../../../../src/ledger/soroban/Values.ts"
import { keyOfNonce } from "../../../../src/xdr/LedgerKeys.ts"
import { World } from "../../support/World.ts"
import { callOf } from "./Agreements.ts"
import { addressIn } from "./ContractWorld.ts"
import { contractAt } from "./Entries.ts"
import { refusalOf } from "./HostErrors.ts"
import { machineOver } from "./Machines.ts"

export const [a, b, c, d, wallet, other] = [contractAt(1), contractAt(2), contractAt(3), contractAt(4), contractAt(8), contractAt(9)]
export const source = addressIn(Keypair.random())
export const { header } = new World()

export const [start, pay, move, take] = [callOf(a, "start"), callOf(b, "pay"), callOf(c, "move"), callOf(d, "take")]

export const addressed = (address: xdr.ScAddress, nonce: bigint, signatureExpirationLedger: number) =>
  new xdr.SorobanAddressCredentials({ address, nonce, signatureExpirationLedger, signature: voidVal })

/** An entry of the wallet. */
export const entry = (nonce: bigint, rootInvocation: xdr.SorobanAuthorizedInvocation) =>
  new xdr.SorobanAuthorizationEntry({
    credentials: xdr.SorobanCredentials.sorobanCredentialsAddress(addressed(wallet, nonce, header.ledgerSeq + 100)),
    rootInvocation
  })

/** An engine in which signatures count as given. `enter` and `leave` move along the stack of calls; `ask` asks in the call that runs now. */
export const framesIn = (mode: AuthorizationMode) => {
  const authorization = new Authorization(mode, source)
  const machine = machineOver(new World(), { authorization })
  const { meter, storage } = machine
  return {
    authorization,
    storage,
    enter: (...contracts: ReadonlyArray<xdr.ScAddress>) => contracts.forEach((contract) => authorization.push(contract)),
    leave: () => authorization.pop(),
    ask: (address: xdr.ScAddress, fn: xdr.SorobanAuthorizedFunction) =>
      refusalOf(() => authorization.require(address, fn, machine.authenticator)),
    /** Runs something in a call that fails in the end. */
    failIn: (contract: xdr.ScAddress, work: () => void) =>
      refusalOf(() =>
        machine.guarded(contract, () => {
          work()
          hostFail("Context", "InvalidAction")
        })
      ),
    verifications: () => meter.used / Work.signature,
    usedNonces: () => storage.final().flatMap(({ key, living }) => (living === undefined ? [] : [key.toXdr("base64")]))
  }
}

export const enforcing = (...entries: ReadonlyArray<xdr.SorobanAuthorizationEntry>) => framesIn({ _tag: "Enforcing", entries })

export const noncesOf = (...values: ReadonlyArray<bigint>) => values.map((nonce) => keyOfNonce(wallet, nonce).toXdr("base64"))

export const ok = "success"
export const refused = (address: xdr.ScAddress) =>
  `HostError: Error(Auth, InvalidAction): Unauthorized function call for address ${strkeyOf(address)}`
