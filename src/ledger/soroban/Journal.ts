import { xdr } from "@stellar/stellar-sdk"
import type { HostError } from "./HostError.ts"
import { symbol, vec, voidVal } from "./Values.ts"

interface JournalEntry {
  readonly event: xdr.ContractEvent
  failed: boolean
}

/** What contracts announce in the course of a host function, and what the host itself notes about their calls, in order. */
export class Journal {
  private readonly emitted: Array<JournalEntry> = []

  /** A contract's event. */
  emit(contract: xdr.ScAddress, topics: ReadonlyArray<xdr.ScVal>, data: xdr.ScVal): void {
    this.emitted.push({ event: eventOf(contract, topics, data, xdr.ContractEventType.contract), failed: false })
  }

  /** That a contract is called, by another one unless it is called by the operation. */
  noteCall(caller: xdr.ScAddress | null, contract: xdr.ScAddress, fn: string, args: ReadonlyArray<xdr.ScVal>): void {
    this.note(caller, [symbol("fn_call"), contractBytes(contract), symbolOf(fn)], given(args), false)
  }

  /** What a call came back with. */
  noteReturn(contract: xdr.ScAddress, fn: string, result: xdr.ScVal): void {
    this.note(contract, [symbol("fn_return"), symbolOf(fn)], result, false)
  }

  /** The error that everything ended with, in the contract that raised it. */
  noteError(error: HostError): void {
    const detail = error.message.slice(`HostError: ${error.code}`.length).replace(/^: /, "")
    this.note(error.raisedIn, [symbol("error"), error.toScVal()], xdr.ScVal.scvString(detail), true)
  }

  /** Everything from now on belongs to a call that may fail: undoing it leaves its notes, as those of a call that failed. */
  begin(): () => void {
    const start = this.emitted.length
    return () => {
      for (const emitted of this.emitted.slice(start)) emitted.failed = true
    }
  }

  /** Events of contracts, of calls that held. */
  events(): ReadonlyArray<xdr.ContractEvent> {
    return this.emitted.flatMap(({ event, failed }) => (failed || event.type.name === "diagnostic" ? [] : [event]))
  }

  /** Everything that was noted, failed calls included. */
  diagnosticEvents(): ReadonlyArray<xdr.DiagnosticEvent> {
    return this.emitted.map(({ event, failed }) => new xdr.DiagnosticEvent({ inSuccessfulContractCall: !failed, event }))
  }

  private note(contract: xdr.ScAddress | null, topics: ReadonlyArray<xdr.ScVal>, data: xdr.ScVal, failed: boolean): void {
    this.emitted.push({ event: eventOf(contract, topics, data, xdr.ContractEventType.diagnostic), failed })
  }
}

const contractBytes = (contract: xdr.ScAddress): xdr.ScVal =>
  contract.type === "scAddressTypeContract" ? xdr.ScVal.scvBytes(contract.contractId.toBytes()) : voidVal

/** Arguments as one value: none is void, one stands for itself. */
const given = (args: ReadonlyArray<xdr.ScVal>): xdr.ScVal => args.length > 1 ? vec(...args) : args[0] ?? voidVal

const symbolOf = (fn: string): xdr.ScVal => symbol(fn.slice(0, 32))

const eventOf = (
  contract: xdr.ScAddress | null,
  topics: ReadonlyArray<xdr.ScVal>,
  data: xdr.ScVal,
  type: xdr.ContractEventType
): xdr.ContractEvent =>
  new xdr.ContractEvent({
    ext: xdr.ExtensionPoint.v0(),
    contractId: contract?.type === "scAddressTypeContract" ? contract.contractId : null,
    type,
    body: xdr.ContractEventBody.v0(new xdr.ContractEventV0({ topics: [...topics], data }))
  })
