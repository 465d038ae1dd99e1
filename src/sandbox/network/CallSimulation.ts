import { xdr } from "@stellar/stellar-sdk"
import type { Contracts } from "../../ledger/soroban/Contract.ts"
import { type FailedCall, type SimulatedCall, simulateInvocation } from "../../ledger/soroban/Simulation.ts"
import { publicKeyOf } from "../AssetName.ts"
import type { Chain } from "./Chain.ts"

/** Instructions declared beyond those simulated: a later ledger may have more to bring forward. */
const leeway = 20_000_000

/** A call of a contract in a transaction of an account. */
export interface Invocation {
  /** G address. */
  readonly source: string
  readonly contract: xdr.ScAddress
  readonly fn: string
  readonly args: ReadonlyArray<xdr.ScVal>
}

/** Simulates as of a ledger a second later: what a call brings forward in time is to be written then, if not already now. */
export const simulateNext = (
  { state }: Chain,
  { args, contract, fn, source }: Invocation,
  { contracts, passphrase }: { readonly contracts: Contracts; readonly passphrase: string }
): SimulatedCall | FailedCall => {
  const { closeTime, ledgerSeq } = state.header
  const invocation = new xdr.InvokeContractArgs({ contractAddress: contract, functionName: fn, args: [...args] })
  const operation = new xdr.InvokeHostFunctionOp({ hostFunction: xdr.HostFunction.hostFunctionTypeInvokeContract(invocation), auth: [] })
  return simulateInvocation(state.at({ ledgerSeq: ledgerSeq + 1, closeTime: closeTime + 1n }), operation, publicKeyOf(source), {
    networkPassphrase: passphrase,
    contracts,
    authorization: { _tag: "Record", allowNonRoot: false, coversAddress: false },
    instructionLeeway: leeway
  })
}

/** Twice the fee that was simulated, which comes back as far as it is not used. */
export const resourcesOf = ({ estimate: { data } }: SimulatedCall): xdr.SorobanTransactionData =>
  new xdr.SorobanTransactionData({ ext: data.ext, resources: data.resources, resourceFee: data.resourceFee * 2n })
