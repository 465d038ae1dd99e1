import { Account, Operation, TransactionBuilder } from "@stellar/stellar-sdk"
import type { xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import type { ContractAddress } from "../domain/Address.ts"
import type { ChainFailure } from "./ChainFailure.ts"
import type { ContractRpc } from "./ContractRpc.ts"

/** A function of a contract that is only asked: whatever it would write is thrown away. */
export interface Getter {
  readonly contract: ContractAddress
  readonly function: string
  readonly args: ReadonlyArray<xdr.ScVal>
}

/** What a contract says when it is asked. */
export type GetterAnswer =
  | { readonly _tag: "Returned"; readonly value: xdr.ScVal }
  /** The call fails on the ledger that was asked. */
  | { readonly _tag: "Failed"; readonly reason: string }

/** Nobody's account: a simulation does not look for it. */
const nobody = "GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF"

const envelopeOf = ({ args, contract, function: name }: Getter): string =>
  // The passphrase goes into signatures only.
  new TransactionBuilder(new Account(nobody, "0"), { fee: "100", networkPassphrase: "never signed" })
    .addOperation(Operation.invokeContractFunction({ contract, function: name, args: [...args] }))
    .setTimeout(0)
    .build()
    .toEnvelope()
    .toXdr("base64")

/** Asks a contract on the newest ledger of the endpoint that answers (`simulateTransaction`). */
export const askGetter = (rpc: ContractRpc["Type"], getter: Getter): Effect.Effect<GetterAnswer, ChainFailure> =>
  Effect.map(
    rpc.simulateTransaction(envelopeOf(getter), 0),
    (answer): GetterAnswer =>
      answer._tag === "Failed" ? { _tag: "Failed", reason: answer.error } : { _tag: "Returned", value: answer.result }
  )
