import { xdr } from "@stellar/stellar-sdk"

/** A call of a contract, as something to agree to. */
export const callOf = (
  contractAddress: xdr.ScAddress,
  functionName: string,
  args: ReadonlyArray<xdr.ScVal> = []
): xdr.SorobanAuthorizedFunction =>
  xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(
    new xdr.InvokeContractArgs({ contractAddress, functionName, args: [...args] })
  )

/** What is agreed to, with what it leads to under it. */
export const tree = (
  agreed: xdr.SorobanAuthorizedFunction,
  ...under: ReadonlyArray<xdr.SorobanAuthorizedInvocation>
): xdr.SorobanAuthorizedInvocation => new xdr.SorobanAuthorizedInvocation({ function: agreed, subInvocations: [...under] })

/** What the id of a contract follows from that an address makes. */
export const madeBy = (address: xdr.ScAddress, salt: Uint8Array = new Uint8Array(32)): xdr.ContractIdPreimage =>
  xdr.ContractIdPreimage.contractIdPreimageFromAddress(new xdr.ContractIdPreimageFromAddress({ address, salt }))
