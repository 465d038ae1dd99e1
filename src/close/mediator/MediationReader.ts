import type { xdr } from "@stellar/stellar-sdk"
import { BigInt as Big, Clock, Effect, Option } from "effect"
import { nextClose } from "../../chain/CloseInterval.ts"
import { ContractRpc } from "../../chain/ContractRpc.ts"
import { NetworkSettings } from "../../chain/NetworkSettings.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import { MediatorNotConfigured, MediatorOverfunded, type NetworkFeeAboveLimit } from "../../domain/failure/Upstream.ts"
import { unixSeconds } from "../../domain/Instant.ts"
import { masked } from "../../domain/MaskedAddress.ts"
import { LedgerState } from "../../ledger/LedgerState.ts"
import { innermost, type PlainTransaction } from "../../ledger/Transaction.ts"
import { ExchangeRegistry } from "../../registry/ExchangeRegistry.ts"
import { accountKey } from "../../xdr/LedgerKeys.ts"
import { type AgreementFailure, SourceAgreement } from "../read/SourceAgreement.ts"
import { FeeSettings } from "../situation/FeeSettings.ts"
import { FloatSettings } from "../situation/FloatSettings.ts"
import { accountIn, floatOf, signsAlone } from "../situation/MediatorAccount.ts"
import { sponsorsOf } from "../situation/SponsoredEntries.ts"
import type { SubmittedEnvelope } from "../situation/SubmittedEnvelope.ts"
import { accountBehind, closerOf, paymentOf } from "./MediatedEnvelope.ts"
import type { MediationRequest } from "./MediationRequest.ts"

/** Why no rule of co-signing can be looked at. */
export type MediationReadFailure = MediatorNotConfigured | MediatorOverfunded | NetworkFeeAboveLimit | AgreementFailure

/** The accounts that the transaction takes from or pays. */
const accountsIn = (transaction: PlainTransaction): ReadonlyArray<string> => {
  const paid = paymentOf(transaction)
  return [closerOf(transaction), ...(paid === null ? [] : [accountBehind(paid.payment.destination)])]
}

const accountAt = (ledgerState: LedgerState, address: string): xdr.AccountEntry | null => accountIn(ledgerState.get(accountKey(address)))

/** The live entries of some accounts and of their sponsors, whose counters change with the merge, under the header of the next ledger. */
const ledgerReader = Effect.gen(function*() {
  const agreement = yield* SourceAgreement
  const fees = yield* FeeSettings
  const rpc = yield* ContractRpc
  return Effect.fnUntraced(function*(closer: AccountAddress, addresses: ReadonlyArray<string>) {
    const keys = addresses.map((address) => accountKey(address))
    const first = yield* agreement.believed(closer, keys)
    const sponsors = sponsorsOf(first.entries).filter((sponsor) => !addresses.includes(sponsor))
    const { entries, header } = sponsors.length === 0
      ? first
      : yield* agreement.believed(closer, [...keys, ...sponsors.map((sponsor) => accountKey(sponsor))])
    const above = fees.aboveLimit(header.baseFee)
    if (above !== null) return yield* above
    const now = Big.max(unixSeconds(yield* Clock.currentTimeMillis), header.closeTime)
    const ledgerState = LedgerState.make({
      ledgerVersion: header.protocolVersion,
      ledgerSeq: header.sequence + 1,
      closeTime: Big.max(nextClose(header.closeTime, yield* rpc.closeInterval), now),
      baseFee: header.baseFee,
      baseReserve: header.baseReserve,
      idPool: header.idPool,
      flags: header.flags
    }, entries)
    return { ledgerState, now }
  })
})

/** Reads what the rules of co-signing look at (`getLedgerEntries`). Fails where the mediator cannot sign, or holds too much. */
export const mediationReader = Effect.gen(function*() {
  const { network, passphrase } = yield* NetworkSettings
  const fees = yield* FeeSettings
  const floats = yield* FloatSettings
  const registry = yield* ExchangeRegistry
  const readLedger = yield* ledgerReader
  return Effect.fnUntraced(function*(mediator: AccountAddress, submitted: SubmittedEnvelope) {
    const transaction = innermost(submitted.transaction)
    const { ledgerState, now } = yield* readLedger(closerOf(transaction), [mediator, ...accountsIn(transaction)])
    const mediatorAccount = accountAt(ledgerState, mediator)
    if (mediatorAccount === null || !signsAlone(mediatorAccount)) {
      yield* Effect.logError("the mediator's account is missing, or its key cannot sign a payment alone", {
        network,
        mediator: masked(mediator)
      })
      return yield* new MediatorNotConfigured()
    }
    if (floatOf(mediatorAccount, ledgerState.header.baseReserve) > floats.max) return yield* new MediatorOverfunded()
    const request: MediationRequest = {
      envelope: submitted.envelope,
      transaction,
      passphrase,
      mediator,
      mediatorAccount,
      source: accountAt(ledgerState, closerOf(transaction)),
      listingOf: (destination) => Option.getOrNull(registry.lookup(destination)),
      ledgerState,
      now,
      mostPerOperation: fees.mostPerOperation
    }
    return request
  })
})
