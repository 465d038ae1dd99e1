import type { xdr } from "@stellar/stellar-sdk"
import { Clock, Context, Effect, Layer, Metric, Option } from "effect"
import { nextClose } from "../../chain/CloseInterval.ts"
import { ContractRpc } from "../../chain/ContractRpc.ts"
import { NetworkSettings } from "../../chain/NetworkSettings.ts"
import { NewestEntries } from "../../chain/witness/NewestEntries.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import { showAmount } from "../../domain/Amount.ts"
import { InvalidTransaction } from "../../domain/failure/Input.ts"
import { AccountNotFound } from "../../domain/failure/Request.ts"
import {
  MediatorNotConfigured,
  MediatorOverfunded,
  MediatorRefused,
  type NetworkFeeAboveLimit,
  RegistryExpired
} from "../../domain/failure/Upstream.ts"
import type { ComponentHealth } from "../../domain/Health.ts"
import { masked } from "../../domain/MaskedAddress.ts"
import { accountKey } from "../../ledger/LedgerKey.ts"
import { LedgerState } from "../../ledger/LedgerState.ts"
import { innermost, type PlainTransaction } from "../../ledger/Transaction.ts"
import { ExchangeRegistry } from "../../registry/ExchangeRegistry.ts"
import { type AgreementFailure, SourceAgreement } from "../read/SourceAgreement.ts"
import { FeeSettings } from "../situation/FeeSettings.ts"
import { FloatSettings } from "../situation/FloatSettings.ts"
import { accountIn, floatOf, signsAlone } from "../situation/MediatorAccount.ts"
import { type Mediator as Signer, MediatorSigner } from "../situation/MediatorSigner.ts"
import { sponsorsOf } from "../situation/SponsoredEntries.ts"
import { type SubmittedEnvelope, submittedEnvelope, withSignatures } from "../situation/SubmittedEnvelope.ts"
import { AutoSweep } from "./AutoSweep.ts"
import { floatHealth } from "./FloatHealth.ts"
import { accountBehind, closerOf, paymentOf } from "./MediatedEnvelope.ts"
import type { MediationRequest } from "./MediationRequest.ts"
import * as MediatorMetrics from "./MediatorMetrics.ts"
import { brokenRule } from "./Rules.ts"
import { SweepSignal } from "./SweepSignal.ts"

export type MediatorFailure =
  | InvalidTransaction
  | AccountNotFound
  | RegistryExpired
  | MediatorNotConfigured
  | MediatorOverfunded
  | MediatorRefused
  | NetworkFeeAboveLimit
  | AgreementFailure

const later = (a: bigint, b: bigint): bigint => (a > b ? a : b)

const nowSeconds = Effect.map(Clock.currentTimeMillis, (millis) => BigInt(Math.floor(millis / 1000)))

/** Signatures an envelope holds at most. */
const maxSignatures = 20

/** Whoever the transaction takes from or pays. */
const concerned = (transaction: PlainTransaction): ReadonlyArray<string> => {
  const paid = paymentOf(transaction)
  return [closerOf(transaction), ...(paid === null ? [] : [accountBehind(paid.payment.destination)])]
}

const accountAt = (ledgerState: LedgerState, address: string): xdr.AccountEntry | null => accountIn(ledgerState.get(accountKey(address)))

/**
 * Co-signs the last transaction of a close into an exchange: a merge into the mediator, and the payment that passes the lumens on.
 *
 * What can be lost: should the account be emptied after its envelope was signed here, the payment draws on what the mediator itself
 * may spend when the transaction applies. It never loses more than that, and nothing while it holds its base reserve only.
 */
export class Mediator extends Context.Tag("closeout/close/Mediator")<Mediator, {
  /** The envelope (base64), signed or not, with the mediator's signature added; `MediatorRefused` names the first rule it breaks. */
  readonly sign: (transaction: string) => Effect.Effect<string, MediatorFailure>
  /** How the mediator's account fares; none without a mediator. Asking also brings its gauges up to date. */
  readonly health: Effect.Effect<Option.Option<ComponentHealth>>
}>() {
  static readonly layer = Layer.effect(
    Mediator,
    Effect.gen(function*() {
      const { mediator } = yield* MediatorSigner
      const { network, passphrase } = yield* NetworkSettings
      const fees = yield* FeeSettings
      const agreement = yield* SourceAgreement
      const floats = yield* FloatSettings
      const autoSweep = yield* AutoSweep
      const { ring } = yield* SweepSignal
      const newest = yield* NewestEntries
      const rpc = yield* ContractRpc
      const registry = yield* ExchangeRegistry

      /** Everybody's accounts, and the sponsors whose counters move when the account goes. */
      const readWorld = Effect.fnUntraced(function*(closer: AccountAddress, addresses: ReadonlyArray<string>) {
        const keys = addresses.map((address) => accountKey(address))
        const first = yield* agreement.believed(closer, keys)
        const sponsors = sponsorsOf(first.entries).filter((sponsor) => !addresses.includes(sponsor))
        const { entries, header } = sponsors.length === 0
          ? first
          : yield* agreement.believed(closer, [...keys, ...sponsors.map((sponsor) => accountKey(sponsor))])
        const above = fees.aboveLimit(header.baseFee)
        if (above !== null) return yield* above
        const now = later(yield* nowSeconds, header.closeTime)
        const ledgerState = LedgerState.make({
          ledgerVersion: header.protocolVersion,
          ledgerSeq: header.sequence + 1,
          closeTime: later(nextClose(header.closeTime, yield* rpc.closeInterval), now),
          baseFee: header.baseFee,
          baseReserve: header.baseReserve,
          idPool: header.idPool,
          flags: header.flags
        }, entries)
        return { ledgerState, now }
      })

      const caseOf = Effect.fnUntraced(function*({ address }: Signer, submitted: SubmittedEnvelope) {
        const transaction = innermost(submitted.transaction)
        const { now, ledgerState } = yield* readWorld(closerOf(transaction), [address, ...concerned(transaction)])
        const mediatorAccount = accountAt(ledgerState, address)
        if (mediatorAccount === null || !signsAlone(mediatorAccount)) {
          yield* Effect.logError("the mediator's account is missing, or its key cannot sign a payment alone", {
            network,
            mediator: masked(address)
          })
          return yield* new MediatorNotConfigured()
        }
        const free = floatOf(mediatorAccount, ledgerState.header.baseReserve)
        if (free > floats.warn) yield* ring
        if (free > floats.max) return yield* new MediatorOverfunded()
        const of: MediationRequest = {
          envelope: submitted.envelope,
          transaction,
          passphrase,
          mediator: address,
          mediatorAccount,
          source: accountAt(ledgerState, closerOf(transaction)),
          listingOf: (destination) => Option.getOrNull(registry.lookup(destination)),
          ledgerState,
          now,
          mostPerOperation: fees.mostPerOperation
        }
        return of
      })

      const coSigned = Effect.fnUntraced(
        function*(signer: Signer, submitted: SubmittedEnvelope, { transaction }: MediationRequest) {
          if (transaction.signatures.length >= maxSignatures) {
            return yield* new InvalidTransaction({
              reason: "The envelope has no room for the mediator's signature. Leave out signatures that are not needed."
            })
          }
          const signature = yield* signer.sign(transaction.hash)
          yield* Metric.increment(Metric.tagged(MediatorMetrics.coSigned, "network", network))
          yield* Effect.logInfo("the mediator co-signed", {
            network,
            hash: submitted.hash,
            closing: masked(closerOf(transaction)),
            lumens: showAmount(paymentOf(transaction)?.payment.amount ?? 0n)
          })
          return withSignatures(submitted, [...transaction.signatures, signature]).toXdr("base64")
        }
      )

      const refusal = Effect.fnUntraced(function*(rule: string, { source, transaction }: MediationRequest) {
        if (rule === "sequence_is_next" && source === null) return yield* new AccountNotFound({ address: closerOf(transaction) })
        yield* Metric.increment(Metric.tagged(Metric.tagged(MediatorMetrics.refused, "network", network), "rule", rule))
        return yield* new MediatorRefused({ rule })
      })

      const sign = Effect.fnUntraced(function*(text: string) {
        const submitted = yield* submittedEnvelope(text, passphrase)
        if (Option.isNone(mediator)) return yield* new MediatorNotConfigured()
        if (!registry.freshAt(yield* Clock.currentTimeMillis)) {
          return yield* new RegistryExpired({ validUntil: registry.document.validUntil })
        }
        const of = yield* caseOf(mediator.value, submitted)
        const rule = brokenRule(of)
        return rule === null ? yield* coSigned(mediator.value, submitted, of) : yield* refusal(rule, of)
      })

      const healthOf = Effect.fnUntraced(function*({ address }: Signer) {
        const { entries: [entry], header: { baseReserve } } = yield* newest.read([accountKey(address)])
        const account = accountIn(entry)
        const free = account === null ? 0n : floatOf(account, baseReserve)
        yield* Metric.set(Metric.tagged(MediatorMetrics.float, "network", network), free)
        yield* Metric.set(Metric.tagged(MediatorMetrics.warnFloat, "network", network), floats.warn)
        if (free > floats.warn) yield* ring
        return floatHealth(account, baseReserve, floats, { isOn: autoSweep.isOn, trouble: yield* autoSweep.trouble })
      })

      return Mediator.of({
        sign,
        health: Option.match(mediator, {
          onNone: () => Effect.succeedNone,
          onSome: (signer) =>
            Effect.asSome(
              Effect.catchAll(healthOf(signer), () =>
                Effect.succeed<ComponentHealth>({ status: "up", message: "its account could not be read" }))
            )
        })
      })
    })
  )
}
