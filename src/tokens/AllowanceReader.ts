import { Context, Effect, Either, Layer, Option, Order } from "effect"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import { LedgerApi } from "../chain/LedgerApi.ts"
import { NetworkSettings } from "../chain/NetworkSettings.ts"
import { inTurns, type Stoppable } from "../chain/pace/Turns.ts"
import type { AccountAddress, ContractAddress } from "../domain/Address.ts"
import type { Allowance, AllowancesResult } from "../domain/Allowance.ts"
import { type AssetId, native } from "../domain/Asset.ts"
import { type PlanBlocker, warning } from "../domain/Blocker.ts"
import { ProtocolRegistry } from "../protocols/ProtocolRegistry.ts"
import { TokenLists } from "../registry/TokenLists.ts"
import { assetContract } from "../stellar/AssetTokens.ts"
import { AllowanceLookup } from "./AllowanceLookup.ts"
import type { Parties } from "./allowances/AllowanceCandidates.ts"
import { decimalWarnings, droppedWarnings, eventWarnings, isUnasked, readWarnings } from "./allowances/AllowanceWarnings.ts"
import type { AllowanceReadings } from "./allowances/ReadAllowances.ts"
import { type EventsReport, OwnerEvents } from "./OwnerEvents.ts"

/** Whose allowances are read, and what the caller names beside what is found. */
export interface AllowanceQuestion extends Parties {
  readonly owner: AccountAddress
}

function* contractsOf(assets: ReadonlyArray<AssetId>, passphrase: string): Stoppable<ReadonlyArray<ContractAddress>> {
  const contracts: Array<ContractAddress> = []
  for (const asset of assets) {
    contracts.push(assetContract(asset, passphrase))
    yield
  }
  return contracts
}

type Names = Effect.Effect.Success<AllowanceReadings["names"]>

/** What is behind a row, for people: never more than a symbol of a stranger's contract that can be shown. */
const rowsOf = (
  all: AllowanceReadings["all"],
  names: Names,
  protocolOf: (spender: string) => string
): ReadonlyArray<typeof Allowance.Type> =>
  all.flatMap((one) => {
    if (one._tag !== "Live") return []
    const { amount, pair: { sources, spender, token }, until } = one
    const { decimals = null, symbol = null } = names.get(token) ?? {}
    return [{
      token,
      tokenSymbol: symbol ?? token,
      tokenDecimals: decimals ?? 0,
      spender,
      spenderProtocol: protocolOf(spender),
      amount: amount.toString(),
      expirationLedger: until,
      sources
    }]
  }).toSorted(Order.mapInput(Order.string, ({ spender, token }) => `${token} ${spender}`))

type Coverage = AllowancesResult["coverage"][number]

const eventCoverage = ({ complete, failure, scanned }: EventsReport): Coverage => {
  if (failure !== null) return { source: "events", status: "failed", detail: "Events could not be read to the end." }
  if (scanned === null) return { source: "events", status: "skipped", detail: "No events were read in time." }
  return complete
    ? { source: "events", status: "ok" }
    : { source: "events", status: "skipped", detail: "Not all events were read in time." }
}

const unasked = "A token could not be queried."

/** Without a ledger API some trustlines of the account may be missing. */
const unlisted = warning(
  "not_listed",
  "This network is read without a ledger API, so the account's trustlines are not listed. An allowance of one of their assets may be missing. Name tokens you know in `tokens`.",
  "ledger_api"
)

const registryCoverage = (
  assets: Either.Either<unknown, ChainFailure>,
  { isListed, spenders, tokens }: Parties & { readonly isListed: boolean }
): Coverage => {
  if (!isListed) return { source: "registry", status: "skipped", detail: "Nothing lists the account's trustlines." }
  if (Either.isLeft(assets)) return { source: "registry", status: "failed", detail: "The account's trustlines could not be read." }
  if (spenders.length === 0) return { source: "registry", status: "skipped", detail: "No spender is known on this network." }
  return { source: "registry", status: "ok", detail: `${tokens.length} tokens, ${spenders.length} spenders` }
}

const manualCoverage = ({ spenders, tokens }: Parties): Coverage =>
  tokens.length + spenders.length === 0
    ? { source: "manual", status: "skipped", detail: "The request named none." }
    : { source: "manual", status: "ok" }

const withUnasked = (coverage: Coverage, { all }: AllowanceReadings): Coverage =>
  coverage.status === "ok" && isUnasked(all, coverage.source) ? { source: coverage.source, status: "failed", detail: unasked } : coverage

/** Reads what others may spend of an account's contract tokens. */
export class AllowanceReader extends Context.Tag("closeout/tokens/AllowanceReader")<AllowanceReader, {
  /**
   * Every live allowance that is found, whether the account exists or not: an allowance outlives its owner. A source of candidates that
   * fails is reported in `coverage` and `warnings`. Fails where the entries themselves cannot be read.
   */
  readonly read: (question: AllowanceQuestion) => Effect.Effect<AllowancesResult, ChainFailure>
}>() {
  /** Over the sources of one network. */
  static readonly layer = Layer.effect(
    AllowanceReader,
    Effect.gen(function*() {
      const api = yield* LedgerApi
      const isListed = api.absent === null
      const events = yield* OwnerEvents
      const { passphrase } = yield* NetworkSettings
      const lookup = yield* AllowanceLookup
      const { all: protocols } = yield* ProtocolRegistry
      const listed = yield* TokenLists
      const spenders = [...new Set(protocols.flatMap((one) => (one.spenders ?? []).map(({ contract }) => contract)))]
      const known = [
        ...(listed === "none" ? [] : listed),
        ...protocols.flatMap(({ tokens = [] }) => tokens),
        assetContract(native, passphrase)
      ]
      const protocolNames = new Map<string, string>(
        protocols.flatMap(({ contracts, name, spenders: own = [] }) =>
          [...contracts, ...own.map(({ contract }) => contract)].map((contract) => [contract, name] as const)
        )
      )

      /** Assets on lines of the account; none for one that is not there. */
      const linesOf = (owner: AccountAddress): Effect.Effect<Either.Either<ReadonlyArray<ContractAddress>, ChainFailure>> =>
        Effect.either(
          Effect.flatMap(api.account(owner), (account) =>
            inTurns(() =>
              contractsOf(
                Option.match(account, {
                  onNone: () => [],
                  onSome: ({ trustlines }) => trustlines.map(({ asset }) => asset)
                }),
                passphrase
              )
            ))
        )

      const read = Effect.fnUntraced(function*({ owner, ...manual }: AllowanceQuestion) {
        const [told, lines] = yield* Effect.all([events.of(owner), linesOf(owner)], { concurrency: 2 })
        const registry = { tokens: [...new Set([...known, ...Either.getOrElse(lines, () => [])])], spenders }
        const found = yield* lookup.of(owner, { events: told.approvals, registry, manual })
        const names = yield* found.names
        const failed: ReadonlyArray<PlanBlocker> = Either.isRight(lines)
          ? []
          : [
            warning(
              "source_failed",
              "The account's trustlines could not be read. An allowance of one of their assets may be missing. Read again shortly.",
              "ledger_api"
            )
          ]
        const result: AllowancesResult = {
          allowances: rowsOf(found.all, names, (spender) => protocolNames.get(spender) ?? "unknown"),
          coverage: [eventCoverage(told), registryCoverage(lines, { ...registry, isListed }), manualCoverage(manual)].map((one) =>
            withUnasked(one, found)
          ),
          eventsScanned: told.scanned,
          warnings: [
            ...eventWarnings(told),
            ...failed,
            ...(isListed ? [] : [unlisted]),
            ...droppedWarnings(found.dropped),
            ...readWarnings(found.all),
            ...decimalWarnings(names)
          ]
        }
        return result
      })
      return AllowanceReader.of({ read })
    })
  )
}
