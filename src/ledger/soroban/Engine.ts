import type { xdr } from "@stellar/stellar-sdk"
import type { Header } from "../Header.ts"
import type { AuthFrame, Authorization } from "./Authorization.ts"
import type { Authenticator } from "./Credentials.ts"
import type { Meter } from "./Meter.ts"
import type { Storage } from "./Storage.ts"

/** What runs contracts, as the parts of the host it hands work to see it. */
export interface Engine {
  readonly header: Header
  readonly networkId: Uint8Array
  readonly storage: Storage
  readonly authorization: Authorization
  readonly authenticator: Authenticator
  readonly meter: Meter
  /** Calls a contract. What it changed is undone when it fails. */
  readonly call: (contract: xdr.ScAddress, fn: string, args: ReadonlyArray<xdr.ScVal>) => xdr.ScVal
  /** As `call`; a failure that can be survived comes back as an error value. */
  readonly tryCall: (contract: xdr.ScAddress, fn: string, args: ReadonlyArray<xdr.ScVal>) => xdr.ScVal
  /** Asks a contract whether it agreed to a payload; fails unless it did. It may be the one that runs now. */
  readonly askAccount: (contract: xdr.ScAddress, args: ReadonlyArray<xdr.ScVal>) => void
  /** Creates a contract of code in the name of a deployer, and runs its constructor. */
  readonly deploy: (deployer: xdr.ScAddress, salt: Uint8Array, codeHash: Uint8Array, args: ReadonlyArray<xdr.ScVal>) => xdr.ScAddress
  /** Runs the constructor of a new contract, if it has one. */
  readonly construct: (contract: xdr.ScAddress, codeHash: Uint8Array, args: ReadonlyArray<xdr.ScVal>) => void
  /** Runs something as a contract that is on the stack. */
  readonly inFrame: <Result>(contract: xdr.ScAddress, body: () => Result) => Result
  /** Runs something under a frame of authorisation; its changes, agreements and events are undone when it fails. */
  readonly guarded: <Result>(frame: AuthFrame, body: () => Result) => Result
  /** The executable and instance storage of a contract, which must exist. */
  readonly instanceOf: (contract: xdr.ScAddress) => xdr.ScContractInstance
  /** The hash of the code that an executable runs, which must exist; null for the contract of an asset. */
  readonly codeOf: (executable: xdr.ContractExecutable) => Uint8Array | null
  readonly emit: (contract: xdr.ScAddress, topics: ReadonlyArray<xdr.ScVal>, data: xdr.ScVal) => void
}
