import { xdr } from "@stellar/stellar-sdk"
import { randomBytes } from "node:crypto"
import { keyOfAccount, keyOfCode, keyOfInstance } from "../../xdr/LedgerKeys.ts"
import { xdrLength } from "../../xdr/XdrBytes.ts"
import { extensionsOf, withSequence } from "../entries/Account.ts"
import type { LedgerState } from "../LedgerState.ts"
import { sha256 } from "../Signatures.ts"
import { Authorization } from "./Authorization.ts"
import { type Contracts, noContracts } from "./Contract.ts"
import { entrySize } from "./EntrySize.ts"
import { HostError } from "./HostError.ts"
import { type EntryOutcome, entryOutcome, rentOf } from "./Invocation.ts"
import { compareKeys } from "./KeyOrder.ts"
import { durabilityOf, findLiving, isPersistent, Lifetimes, type LivingEntry } from "./Life.ts"
import { Machine } from "./Machine.ts"
import { Meter, Work } from "./Meter.ts"
import { type Settings, settingsOf } from "./Settings.ts"
import { adjusted, type Estimate, transactionData } from "./SimulatedResources.ts"
import { Storage } from "./Storage.ts"
import { accountAddress } from "./Values.ts"

export interface SimulationOptions {
  readonly networkPassphrase: string
  readonly contracts?: Contracts
  /** Agreements: given ones are enforced, otherwise they are found out. */
  readonly authorization:
    | { readonly _tag: "Enforce" }
    | {
      readonly _tag: "Record"
      readonly allowNonRoot: boolean
      /** Whether signatures are to cover the address that signs (CAP-71). */
      readonly coversAddress: boolean
    }
  /** Instructions to declare beyond those counted, at least. */
  readonly instructionLeeway?: number
  /** Makes the nonce of a recorded agreement; random when absent. */
  readonly nonce?: () => bigint
}

/** What one entry would become. */
export interface SimulatedChange {
  readonly key: xdr.LedgerKey
  readonly before: xdr.LedgerEntry | undefined
  readonly after: xdr.LedgerEntry | undefined
}

/** A call that would succeed, with everything a transaction needs to make it. */
export interface SimulatedCall {
  readonly _tag: "SimulatedCall"
  readonly returnValue: xdr.ScVal
  readonly auth: ReadonlyArray<xdr.SorobanAuthorizationEntry>
  readonly events: ReadonlyArray<xdr.ContractEvent>
  readonly diagnosticEvents: ReadonlyArray<xdr.DiagnosticEvent>
  readonly estimate: Estimate
  readonly changes: ReadonlyArray<SimulatedChange>
}

export interface FailedCall {
  readonly _tag: "FailedCall"
  readonly error: HostError
  readonly diagnosticEvents: ReadonlyArray<xdr.DiagnosticEvent>
  /** Whether the call ran into an endless loop. A node that simulates without a bound never returns from it. */
  readonly isEndless: boolean
}

const randomNonce = (): bigint => randomBytes(8).readBigUInt64BE() >> 1n

/**
 * Runs a host function on a ledger without a footprint, as of the ledger `state.header` names, and finds out what it
 * touches, who must agree and what it costs. Balance, sequence number, signatures and fee of the source do not matter.
 */
export const simulateInvocation = (
  state: LedgerState,
  operation: xdr.InvokeHostFunctionOp,
  source: xdr.PublicKey,
  options: SimulationOptions
): SimulatedCall | FailedCall => {
  const find = (id: string): xdr.LedgerEntry | undefined => asApplied(state.find(id))
  const settings = settingsOf(find)
  const lives = new Lifetimes(state.header.ledgerSeq, settings)
  const storage = Storage.recording(find, lives)
  const mode = options.authorization
  const authorization = new Authorization(
    mode._tag === "Enforce"
      ? { _tag: "Enforcing", entries: operation.auth }
      : { _tag: "Recording", allowNonRoot: mode.allowNonRoot, nonce: options.nonce ?? randomNonce, maxLiveUntil: lives.maxLiveUntil },
    accountAddress(source)
  )
  const machine = new Machine({
    header: state.header,
    networkId: sha256(Buffer.from(options.networkPassphrase)),
    contracts: options.contracts ?? noContracts,
    storage,
    authorization,
    meter: new Meter(Number(settings.txMaxInstructions)),
    signatures: "verify"
  })
  try {
    const returnValue = machine.run(operation.hostFunction)
    const auth = mode._tag === "Enforce" ? operation.auth : authorization.recorded(mode.coversAddress)
    if (mode._tag === "Record") touchSigners(machine, authorization.signers())
    const outcomes = outcomesOf(storage, find, lives)
    const events = machine.journal.events()
    return {
      _tag: "SimulatedCall",
      returnValue,
      auth,
      events,
      diagnosticEvents: machine.journal.diagnosticEvents(),
      estimate: estimateOf(outcomes, {
        settings,
        lives,
        operation: new xdr.InvokeHostFunctionOp({ hostFunction: operation.hostFunction, auth: [...auth] }),
        instructions: adjusted(machine.meter.used, 104, Math.max(50_000, options.instructionLeeway ?? 0)),
        eventBytes: events.reduce((sum, event) => sum + xdrLength(event), xdrLength(returnValue))
      }),
      changes: outcomes.flatMap(({ after, before, isArchived, isReadOnly, key }) =>
        isReadOnly || (after === undefined && before === undefined)
          ? []
          : [{ key, before: isArchived ? undefined : before?.entry, after: after?.entry }]
      )
    }
  } catch (error) {
    if (!(error instanceof HostError)) throw error
    machine.journal.noteError(error)
    return { _tag: "FailedCall", error, diagnosticEvents: machine.journal.diagnosticEvents(), isEndless: machine.meter.isEndless }
  }
}

/** An account as it will be once its transaction has moved the sequence number: with every extension. */
const asApplied = (entry: xdr.LedgerEntry | undefined): xdr.LedgerEntry | undefined => {
  if (entry?.data.type !== "account") return entry
  const { account } = entry.data
  const mark = extensionsOf(account).sequence ?? { seqLedger: 0, seqTime: 0n }
  return new xdr.LedgerEntry({ ...entry, data: xdr.LedgerEntryData.account(withSequence(account, account.seqNum, mark)) })
}

/** Reads what checking the signatures of recorded agreements will read. */
const touchSigners = ({ meter, storage }: Machine, signers: ReadonlyArray<xdr.ScAddress>): void => {
  for (const signer of signers) {
    meter.charge(Work.signature)
    if (signer.type === "scAddressTypeAccount") storage.get(keyOfAccount(signer.accountId))
    if (signer.type !== "scAddressTypeContract") continue
    const data = storage.get(keyOfInstance(signer))?.data
    if (data?.type !== "contractData" || data.contractData.val.type !== "scvContractInstance") continue
    const { executable } = data.contractData.val.instance
    if (executable.type === "contractExecutableWasm") storage.get(keyOfCode(executable.wasmHash.toBytes()))
  }
}

interface SimulatedEntry extends EntryOutcome {
  /** Must be brought back from the archive. */
  readonly isArchived: boolean
}

const outcomesOf = (
  storage: Storage,
  find: (id: string) => xdr.LedgerEntry | undefined,
  lives: Lifetimes
): ReadonlyArray<SimulatedEntry> =>
  storage
    .final()
    .toSorted((left, right) => compareKeys(left.key, right.key))
    .map(({ access, key, living }) => {
      const found = findLiving(find, key)
      const isOver = found !== undefined && !lives.isLive(found)
      const isArchived = isOver && isPersistent(key)
      const before: LivingEntry | undefined = isOver && !isArchived ? undefined : found
      const outcome = entryOutcome({ key, isReadOnly: access === "readOnly", before, after: living, isRestored: isArchived }, lives)
      return { ...outcome, isArchived }
    })

interface CallCosts {
  readonly settings: Settings
  readonly lives: Lifetimes
  readonly operation: xdr.InvokeHostFunctionOp
  readonly instructions: number
  readonly eventBytes: number
}

const estimateOf = (outcomes: ReadonlyArray<SimulatedEntry>, counted: CallCosts): Estimate => {
  const readWrite = outcomes.filter(({ isReadOnly }) => !isReadOnly)
  const sizeOf = (living: LivingEntry | undefined): number => (living === undefined ? 0 : entrySize(living.entry))
  const sum = (sizes: ReadonlyArray<number>): number => sizes.reduce((total, size) => total + size, 0)
  return transactionData({
    settings: counted.settings,
    ledgerSeq: counted.lives.ledgerSeq,
    body: xdr.OperationBody.invokeHostFunction(counted.operation),
    resources: new xdr.SorobanResources({
      footprint: new xdr.LedgerFootprint({
        readOnly: outcomes.filter(({ isReadOnly }) => isReadOnly).map(({ key }) => key),
        readWrite: readWrite.map(({ key }) => key)
      }),
      instructions: counted.instructions,
      diskReadBytes: sum(
        outcomes.filter(({ isArchived, key }) => isArchived || durabilityOf(key) === undefined).map(({ before }) => sizeOf(before))
      ),
      writeBytes: sum(readWrite.map(({ after }) => sizeOf(after)))
    }),
    archived: readWrite.flatMap(({ isArchived }, at) => (isArchived ? [at] : [])),
    rent: outcomes.flatMap(rentOf),
    eventBytes: counted.eventBytes,
    isRestore: false
  })
}
