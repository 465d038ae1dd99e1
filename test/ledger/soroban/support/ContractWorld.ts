import { assert } from "@effect/vitest"
import { Keypair, xdr } from "@stellar/stellar-sdk"
import { type AppliedTransaction, applyTransaction, checkTransaction, closeLedger } from "../../../../src/ledger/Apply.ts"
import { newAccount, withFields } from "../../../../src/ledger/entries/Account.ts"
import { newEntry } from "../../../../src/ledger/entries/LedgerEntry.ts"
import { brokenInvariants } from "../../../../src/ledger/Invariants.ts"
import { LedgerState } from "../../../../src/ledger/LedgerState.ts"
import { type ContractModel, type Contracts, registerContracts } from "../../../../src/ledger/soroban/Contract.ts"
import { assetContractId } from "../../../../src/ledger/soroban/ContractEntries.ts"
import { ttlEntry, ttlKeyOf } from "../../../../src/ledger/soroban/Life.ts"
import { nonRefundableFee } from "../../../../src/ledger/soroban/ResourceFee.ts"
import { declaredResources, envelopeSize, isRestore } from "../../../../src/ledger/soroban/Resources.ts"
import { testNetworkSettings } from "../../../../src/ledger/soroban/Settings.ts"
import { type FailedCall, type SimulatedCall, simulateInvocation } from "../../../../src/ledger/soroban/Simulation.ts"
import { addressOf, contractAddress } from "../../../../src/ledger/soroban/Values.ts"
import { readTransaction } from "../../../../src/ledger/Transaction.ts"
import { assetContractEntries, contractEntries } from "../../../../src/sandbox/contracts/Deployment.ts"
import { accountKey } from "../../../../src/xdr/LedgerKeys.ts"
import { charged, codesOf, idOf, lumens, networkId, networkPassphrase, signatureOf } from "../../support/World.ts"
import { operationOf } from "./Operations.ts"
import { resourcesOver } from "./Resources.ts"

export const baseFee = 100n
export const baseReserve = 5_000_000n

/** Fields of a contract transaction that a test sets itself. */
export interface Shape {
  readonly fee?: bigint
  readonly seqNum?: bigint
  readonly memo?: xdr.Memo
  readonly source?: xdr.MuxedAccount
  readonly operationSource?: xdr.MuxedAccount
  readonly signers?: ReadonlyArray<Keypair>
  readonly ext?: xdr.TransactionExt
}

export const addressVal = (pair: Keypair): xdr.ScVal => xdr.ScVal.scvAddress(addressOf(pair.publicKey()))

export const addressIn = (pair: Keypair): xdr.ScAddress => addressOf(pair.publicKey())

export const muxedAddress = (pair: Keypair, id: bigint): xdr.ScAddress =>
  xdr.ScAddress.scAddressTypeMuxedAccount(new xdr.MuxedEd25519Account({ id, ed25519: pair.rawPublicKey() }))

/** Finds out who has to agree to a call, in the outermost call alone. */
export const recording = { _tag: "Record", allowNonRoot: false, coversAddress: false } as const

export const withResources = (
  data: xdr.SorobanTransactionData,
  change: {
    readonly readOnly?: Array<xdr.LedgerKey>
    readonly readWrite?: Array<xdr.LedgerKey>
    readonly instructions?: number
    readonly diskReadBytes?: number
    readonly writeBytes?: number
    readonly resourceFee?: bigint
    readonly archived?: Array<number>
  }
): xdr.SorobanTransactionData => {
  const { resources } = data
  return new xdr.SorobanTransactionData({
    ext: change.archived === undefined
      ? data.ext
      : xdr.SorobanTransactionDataExt.resourceExt(new xdr.SorobanResourcesExtV0({ archivedSorobanEntries: change.archived })),
    resources: resourcesOver(
      change.readOnly ?? resources.footprint.readOnly,
      change.readWrite ?? resources.footprint.readWrite,
      { ...resources, ...change }
    ),
    resourceFee: change.resourceFee ?? data.resourceFee
  })
}

/** Enough resources for any small operation over a footprint. */
export const ample = (readOnly: Array<xdr.LedgerKey>, readWrite: Array<xdr.LedgerKey>): xdr.SorobanTransactionData =>
  new xdr.SorobanTransactionData({
    ext: xdr.SorobanTransactionDataExt.v0(),
    resources: resourcesOver(readOnly, readWrite, { instructions: 10_000_000, diskReadBytes: 20_000, writeBytes: 20_000 }),
    resourceFee: 5_000_000n
  })

/** The resource fee of an envelope that is never refunded. */
export const lostFee = (envelope: xdr.TransactionEnvelope): bigint => {
  assert(envelope.type === "envelopeTypeTx" && envelope.v1.tx.ext.type === "sorobanData")
  const { signatures, tx } = envelope.v1
  const size = envelopeSize(tx, signatures)
  return nonRefundableFee(declaredResources(envelope.v1.tx.ext.sorobanData, isRestore(tx), size), testNetworkSettings)
}

/** A ledger with contracts that advances with every transaction. */
export class ContractWorld {
  state: LedgerState
  private readonly contracts: Contracts
  private readonly hashes: ReadonlyMap<ContractModel, string>
  private deployments = 0

  constructor(...models: ReadonlyArray<ContractModel>) {
    this.state = LedgerState.make({
      ledgerVersion: 28,
      ledgerSeq: 1_000,
      closeTime: 1_700_000_000n,
      baseFee: Number(baseFee),
      baseReserve: Number(baseReserve),
      idPool: 0n,
      flags: 0
    })
    this.hashes = new Map(models.map((model, at) => [model, Buffer.alloc(32, at + 1).toString("hex")]))
    this.contracts = registerContracts(models.map((model) => ({ model, wasmHashes: [this.hashOf(model)] })))
  }

  hashOf(model: ContractModel): string {
    return this.hashes.get(model) ?? assert.fail("an unknown model")
  }

  get ledgerSeq(): number {
    return this.state.header.ledgerSeq
  }

  put(...entries: ReadonlyArray<xdr.LedgerEntry>): void {
    this.state = this.state.set(entries)
  }

  next(ledgers = 1): void {
    const { closeTime, ledgerSeq } = this.state.header
    this.state = this.state.at({ ledgerSeq: ledgerSeq + ledgers, closeTime: closeTime + 5n * BigInt(ledgers) })
  }

  account(
    balance = 1_000n * 10_000_000n,
    shape: Partial<Pick<xdr.AccountEntry, "flags" | "signers">> & { readonly thresholds?: Uint8Array } = {}
  ): Keypair {
    const pair = Keypair.random()
    const account = newAccount(idOf(pair), balance, BigInt(this.ledgerSeq - 100) << 32n)
    this.put(
      newEntry(xdr.LedgerEntryData.account(withFields(account, { ...shape, numSubEntries: shape.signers?.length ?? 0 })))
    )
    return pair
  }

  entry(pair: Keypair): xdr.AccountEntry {
    const data = this.state.get(accountKey(pair.publicKey()))?.data
    return data?.type === "account" ? data.account : assert.fail("the account is missing")
  }

  edit(pair: Keypair, change: (account: xdr.AccountEntry) => xdr.AccountEntry): void {
    this.put(newEntry(xdr.LedgerEntryData.account(change(this.entry(pair)))))
  }

  /** Deploys the contract of an asset. */
  asset(asset: xdr.Asset): xdr.ScAddress {
    this.put(...assetContractEntries(asset, networkPassphrase, this.ledgerSeq + 1_000_000))
    return contractAddress(assetContractId(asset, networkId))
  }

  /** Deploys a contract of a model. */
  deploy(model: ContractModel, storage: ReadonlyArray<readonly [xdr.ScVal, xdr.ScVal]> = []): xdr.ScAddress {
    const contract = contractAddress(new xdr.ContractId(Buffer.alloc(32, 100 + this.deployments++)))
    this.put(...contractEntries(contract, this.hashOf(model), storage, this.ledgerSeq + 1_000_000))
    return contract
  }

  operation(
    contract: xdr.ScAddress,
    functionName: string,
    args: ReadonlyArray<xdr.ScVal>,
    auth: ReadonlyArray<xdr.SorobanAuthorizationEntry> = []
  ): xdr.InvokeHostFunctionOp {
    return operationOf(contract, functionName, args, auth)
  }

  simulateOperation(source: Keypair, operation: xdr.InvokeHostFunctionOp, allowNonRoot = false): SimulatedCall | FailedCall {
    return simulateInvocation(this.state, operation, idOf(source), {
      networkPassphrase,
      contracts: this.contracts,
      authorization: operation.auth.length > 0 ? { _tag: "Enforce" } : { ...recording, allowNonRoot }
    })
  }

  simulate(source: Keypair, contract: xdr.ScAddress, fn: string, ...args: ReadonlyArray<xdr.ScVal>): SimulatedCall | FailedCall {
    return this.simulateOperation(source, this.operation(contract, fn, args))
  }

  succeedSimulating(source: Keypair, contract: xdr.ScAddress, fn: string, ...args: ReadonlyArray<xdr.ScVal>): SimulatedCall {
    const simulated = this.simulate(source, contract, fn, ...args)
    return simulated._tag === "SimulatedCall" ? simulated : assert.fail(simulated.error.message)
  }

  /** The result of a function, without any change. */
  read(source: Keypair, contract: xdr.ScAddress, fn: string, ...args: ReadonlyArray<xdr.ScVal>): xdr.ScVal {
    return this.succeedSimulating(source, contract, fn, ...args).returnValue
  }

  /** The error code of a simulated call. */
  refusal(source: Keypair, contract: xdr.ScAddress, fn: string, ...args: ReadonlyArray<xdr.ScVal>): string {
    const simulated = this.simulate(source, contract, fn, ...args)
    return simulated._tag === "FailedCall" ? simulated.error.code : "success"
  }

  envelope(source: Keypair, body: xdr.OperationBody, data: xdr.SorobanTransactionData, shape: Shape = {}): xdr.TransactionEnvelope {
    const tx = new xdr.Transaction({
      sourceAccount: shape.source ?? xdr.MuxedAccount.keyTypeEd25519(source.rawPublicKey()),
      fee: Number(shape.fee ?? data.resourceFee + baseFee),
      seqNum: shape.seqNum ?? this.entry(source).seqNum + 1n,
      cond: xdr.Preconditions.precondNone(),
      memo: shape.memo ?? xdr.Memo.memoNone(),
      operations: [new xdr.Operation({ sourceAccount: shape.operationSource ?? null, body })],
      ext: shape.ext ?? xdr.TransactionExt.sorobanData(data)
    })
    const bare = xdr.TransactionEnvelope.envelopeTypeTx(new xdr.TransactionV1Envelope({ tx, signatures: [] }))
    const { hash } = readTransaction(bare, networkPassphrase)
    const signatures = (shape.signers ?? [source]).map((pair) => signatureOf(pair, hash))
    return xdr.TransactionEnvelope.envelopeTypeTx(new xdr.TransactionV1Envelope({ tx, signatures }))
  }

  /** An envelope of a call, with the resources and authorizations of a simulation. */
  callEnvelope(
    source: Keypair,
    contract: xdr.ScAddress,
    fn: string,
    args: ReadonlyArray<xdr.ScVal>,
    shape: Shape = {}
  ): xdr.TransactionEnvelope {
    const { auth, estimate } = this.succeedSimulating(source, contract, fn, ...args)
    return this.envelope(source, xdr.OperationBody.invokeHostFunction(this.operation(contract, fn, args, auth)), estimate.data, shape)
  }

  submit(envelope: xdr.TransactionEnvelope): AppliedTransaction {
    this.next()
    const applied = applyTransaction(this.state, envelope, this.options)
    this.state = applied.state
    assert.deepStrictEqual(brokenInvariants(this.state), [])
    return applied
  }

  close(...envelopes: ReadonlyArray<xdr.TransactionEnvelope>): ReadonlyArray<AppliedTransaction> {
    this.next()
    const before = this.state
    const closed = closeLedger(before, envelopes, this.options)
    this.state = closed.state
    assert.strictEqual(lumens(before) - lumens(this.state), charged(closed.transactions), "native coins go nowhere but into the fees")
    return closed.transactions
  }

  check(envelope: xdr.TransactionEnvelope): ReadonlyArray<string> | null {
    const { closeTime, ledgerSeq } = this.state.header
    const result = checkTransaction(this.state.at({ ledgerSeq: ledgerSeq + 1, closeTime: closeTime + 5n }), envelope, this.options)
    return result === null ? null : codesOf({ result })
  }

  call(source: Keypair, contract: xdr.ScAddress, fn: string, ...args: ReadonlyArray<xdr.ScVal>): AppliedTransaction {
    const applied = this.submit(this.callEnvelope(source, contract, fn, args))
    assert.deepStrictEqual(codesOf(applied), ["txSuccess", "invokeHostFunctionSuccess"], JSON.stringify(applied.result.toJson()))
    return applied
  }

  /** Sets the last ledger of an entry's lifetime. */
  liveUntil(key: xdr.LedgerKey, ledger: number): void {
    this.put(ttlEntry(key, ledger))
  }

  lifeOf(key: xdr.LedgerKey): number | undefined {
    const data = this.state.get(ttlKeyOf(key))?.data
    return data?.type === "ttl" ? data.ttl.liveUntilLedgerSeq : undefined
  }

  valueOf(key: xdr.LedgerKey): xdr.ScVal | undefined {
    const data = this.state.get(key)?.data
    return data?.type === "contractData" ? data.contractData.val : undefined
  }

  get options() {
    return { networkPassphrase, signatures: "verify", contracts: this.contracts } as const
  }
}
