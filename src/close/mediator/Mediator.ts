import { Clock, Context, Effect, Layer, Metric, Option } from "effect"
import { NetworkSettings } from "../../chain/NetworkSettings.ts"
import { NewestEntries } from "../../chain/witness/NewestEntries.ts"
import { showAmount } from "../../domain/Amount.ts"
import { InvalidTransaction } from "../../domain/failure/Input.ts"
import { AccountNotFound } from "../../domain/failure/Request.ts"
import { MediatorNotConfigured, MediatorRefused, RegistryExpired } from "../../domain/failure/Upstream.ts"
import type { ComponentHealth } from "../../domain/Health.ts"
import { masked } from "../../domain/MaskedAddress.ts"
import { ExchangeRegistry } from "../../registry/ExchangeRegistry.ts"
import { accountKey } from "../../xdr/LedgerKeys.ts"
import { FloatSettings } from "../situation/FloatSettings.ts"
import { accountIn, floatOf } from "../situation/MediatorAccount.ts"
import { MediatorSigner, type SigningAccount } from "../situation/MediatorSigner.ts"
import { mediatorPaused, MediatorWatch } from "../situation/MediatorWatch.ts"
import { type SubmittedEnvelope, submittedEnvelope, withSignatures } from "../situation/SubmittedEnvelope.ts"
import { AutoSweep } from "./AutoSweep.ts"
import { floatHealth } from "./FloatHealth.ts"
import { closerOf, paymentOf } from "./MediatedEnvelope.ts"
import { mediationReader, type MediationReadFailure } from "./MediationReader.ts"
import type { MediationRequest } from "./MediationRequest.ts"
import { brokenRule } from "./MediationRules.ts"
import * as MediatorMetrics from "./MediatorMetrics.ts"
import { watchHealth } from "./WatchHealth.ts"

export type MediatorFailure =
  | InvalidTransaction
  | AccountNotFound
  | RegistryExpired
  | MediatorRefused
  | MediationReadFailure

/** Signatures an envelope holds at most. */
const maxSignatures = 20

/**
 * Co-signs the last transaction of a close into an exchange: a merge into the mediator, and the payment that passes the lumens on.
 *
 * What can be lost: should the account be emptied after its envelope was signed here, the payment draws on what the mediator itself
 * may spend when the transaction applies. It never loses more than that, and nothing while it holds its base reserve only. It signs nothing
 * while something was done with its account that no close and no sweep explains.
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
      const floats = yield* FloatSettings
      const autoSweep = yield* AutoSweep
      const newest = yield* NewestEntries
      const registry = yield* ExchangeRegistry
      const readRequest = yield* mediationReader
      const watch = yield* MediatorWatch

      const coSigned = Effect.fnUntraced(
        function*(signer: SigningAccount, submitted: SubmittedEnvelope, { transaction }: MediationRequest) {
          if (transaction.signatures.length >= maxSignatures) {
            return yield* new InvalidTransaction({
              reason: "The envelope has no space for the mediator's signature. Remove signatures that are not needed."
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
        const [request] = yield* Effect.all([readRequest(mediator.value.address, submitted), watch.look], { concurrency: 2 })
        const rule = (yield* watch.alarm) === null ? brokenRule(request) : mediatorPaused
        return rule === null ? yield* coSigned(mediator.value, submitted, request) : yield* refusal(rule, request)
      })

      const accountHealth = Effect.fnUntraced(function*({ address }: SigningAccount) {
        const { entries: [entry], header: { baseReserve } } = yield* newest.read([accountKey(address)])
        const account = accountIn(entry)
        const float = account === null ? 0n : floatOf(account, baseReserve)
        yield* Metric.set(Metric.tagged(MediatorMetrics.float, "network", network), float)
        yield* Metric.set(Metric.tagged(MediatorMetrics.warnFloat, "network", network), floats.warn)
        return floatHealth(account, baseReserve, floats, { isOn: autoSweep.isOn, trouble: yield* autoSweep.trouble })
      })

      const health = Effect.fnUntraced(function*(signer: SigningAccount) {
        const watchReport = watchHealth(yield* watch.alarm, yield* watch.blindFor, network)
        if (watchReport !== null) return watchReport
        const unread: ComponentHealth = { status: "up", message: "its account could not be read" }
        return yield* Effect.orElseSucceed(accountHealth(signer), () => unread)
      })

      return Mediator.of({
        sign,
        health: Option.match(mediator, { onNone: () => Effect.succeedNone, onSome: (signer) => Effect.asSome(health(signer)) })
      })
    })
  )
}
