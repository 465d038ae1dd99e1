import { BigInt as Big, Effect } from "effect"
import type { AccountSnapshot } from "../../../account/AccountSnapshot.ts"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import type { LedgerEntries } from "../../../chain/LedgerEntries.ts"
import type { AccountAddress, ContractAddress } from "../../../domain/Address.ts"
import { type AssetId, native } from "../../../domain/Asset.ts"
import type { LedgerState } from "../../../ledger/LedgerState.ts"
import type { ExitContext, ReadAt } from "../../../protocols/ProtocolRegistry.ts"
import { assetContract } from "../../../stellar/AssetTokens.ts"
import type { TokenReader } from "../../../tokens/TokenReader.ts"
import type { TokenRoutes } from "../../../tokens/TokenRoutes.ts"
import type { MarketApi } from "../../market/MarketSource.ts"
import { type CloseInput, slippageOf } from "../../situation/CloseInput.ts"
import type { Exits } from "../../situation/Exits.ts"
import { keptForCalls } from "../../situation/Fees.ts"
import { holdingsIn, sellingLiabilitiesIn, spendable } from "../../situation/Holdings.ts"
import type { PlannedExit } from "../../situation/PlannedExit.ts"
import { type JudgedClaims, noClaims } from "../../situation/RewardJudge.ts"
import type { Sale } from "../../situation/Routes.ts"
import { readTokenAssets, type TokenAssets } from "../../situation/TokenAssets.ts"
import { lessListed } from "../../situation/TwoBalances.ts"
import { callValidityOf } from "../../situation/Validity.ts"
import type { OwnTransactionReader } from "./OwnTransactionReader.ts"

interface TokenHoldings {
  readonly ledgerState: LedgerState
  readonly source: AccountAddress
  readonly passphrase: string
  readonly assets: TokenAssets
  /** Of contract tokens, base units. */
  readonly balances: ReadonlyMap<ContractAddress, bigint>
  /** Stroops kept back for what calls cost. */
  readonly feeReserve: bigint
  /** Stroops by which the ledger API reports less of an asset. The smaller balance counts. */
  readonly less: (asset: AssetId) => bigint
}

/**
 * The base units of each token that the account can spend now; never negative. Without reserves, fees and the selling liabilities of
 * offers.
 */
const spendableIn = (
  { assets, balances, feeReserve, less, passphrase, source, ledgerState }: TokenHoldings
): (token: ContractAddress) => bigint => {
  const holdings = holdingsIn(ledgerState, source)
  const held = new Map<AssetId, bigint>(
    holdings?.trustlines.filter(({ authorized }) => authorized)
      .map(({ asset, balance }) => [asset, balance - sellingLiabilitiesIn(ledgerState, source, asset) - less(asset)])
  )
  if (holdings !== null) held.set(native, spendable(holdings.account, ledgerState.header.baseReserve) - feeReserve - less(native))
  const byToken = new Map<string, AssetId>([...held.keys()].map((asset) => [assetContract(asset, passphrase), asset]))
  return (token) => {
    const asset = assets.get(token) ?? byToken.get(token)
    const amount = asset === undefined ? balances.get(token) ?? 0n : held.get(asset) ?? 0n
    return Big.max(amount, 0n)
  }
}

/** The account as it was read, and what its exits are read for. */
export interface ExitQuestion {
  readonly input: CloseInput
  readonly snapshot: AccountSnapshot
  /** The account's entries under the header of the next ledger. */
  readonly ledgerState: LedgerState
  /** Stroops a contract transaction bids besides its resource fee. */
  readonly inclusionFee: bigint
  /** Both simulate every call they can, so that they agree. A build also waits for the ledger of the call that it returns. */
  readonly purpose: "plan" | "build"
  /** When reading for this close began, milliseconds of the clock. */
  readonly began: number
  readonly market: MarketApi
  /** The route search through protocol pools, cached for this request. */
  readonly routes: TokenRoutes["Type"]
  /** The account's own transactions, each page of them read once in this request. */
  readonly ownTransactions: OwnTransactionReader
  /** Token contracts of the token list. */
  readonly tokenList: ReadonlySet<ContractAddress>
  /** Every sale of the close, where these exits pay what they declare. */
  readonly salesWith: (exits: Exits) => ReadonlyArray<Sale>
  /** Fetches the market for everything these exits declare to pay, ahead of time. Never fails: what is missing is fetched later. */
  readonly foresee: (exits: Exits) => Effect.Effect<void>
}

/** The facts that every exit is read with. */
export interface ExitFacts {
  readonly at: ReadAt
  readonly assets: TokenAssets
  /** Base units. */
  readonly spendable: (token: ContractAddress) => bigint
  /** The claims of a position, by its decision. */
  readonly claims: (id: string) => JudgedClaims
  /** What a protocol gets to know about the account that leaves a position. */
  readonly contextOf: (one: Pick<PlannedExit, "answer" | "id">) => Omit<ExitContext, "view">
}

/** The same facts with the claims that were judged. */
export const withClaims = (facts: ExitFacts, judged: ReadonlyMap<string, JudgedClaims>): ExitFacts => {
  const claims = (id: string) => judged.get(id) ?? noClaims
  return {
    ...facts,
    claims,
    contextOf: (one) => {
      const { left, made } = claims(one.id)
      return { ...facts.contextOf(one), claimsLeft: left, claimsMade: made }
    }
  }
}

/** The owner's decision, in the terms of a protocol. */
const decidedBy = (answer: PlannedExit["answer"], passphrase: string): Pick<ExitContext, "withoutRewards" | "givenUp" | "buysWith"> => {
  const spend = answer?.choice === "buy_repay_asset_then_exit" ? answer.params?.spendAsset : undefined
  return {
    withoutRewards: answer?.choice === "exit_without_rewards",
    givenUp: answer?.choice === "acknowledge_forfeit",
    ...(spend === undefined ? {} : { buysWith: assetContract(spend, passphrase) })
  }
}

/** The latest time at which a contract call built now may be applied, Unix seconds. What is bought arrives by then. */
export const usableUntil = (
  { input, snapshot: { accountEntry }, ledgerState: { header } }: Pick<ExitQuestion, "input" | "snapshot" | "ledgerState">
): bigint => callValidityOf({ input, now: header.closeTime, closeInterval: null }, { account: accountEntry }, header).maxTime

/** Reads what the account can spend, and what its decisions mean to protocols (`getLedgerEntries`). */
export const readExitFacts = (
  { entries, reader }: { readonly entries: LedgerEntries["Type"]; readonly reader: TokenReader["Type"] },
  passphrase: string,
  question: ExitQuestion,
  tokens: ReadonlyArray<ContractAddress>
): Effect.Effect<ExitFacts, ChainFailure> => {
  const { input, ledgerState, snapshot } = question
  const { source } = input
  return Effect.map(
    Effect.all([readTokenAssets(entries, passphrase, tokens), reader.held(source, tokens)], {
      concurrency: 2,
      batching: true
    }),
    ([assets, balances]) => {
      const deadline = usableUntil(question)
      const feeReserve = keptForCalls(input, snapshot)
      const spendable = spendableIn({
        ledgerState,
        source,
        passphrase,
        assets,
        balances,
        feeReserve,
        less: (asset) => lessListed(snapshot, asset)
      })
      return {
        at: { sequence: snapshot.header.ledgerSeq, closeTime: snapshot.header.closeTime },
        assets,
        spendable,
        claims: () => noClaims,
        contextOf: ({ answer }) => ({
          user: source,
          spendable,
          maxSlippageBps: slippageOf(question.input, answer),
          deadline,
          usableFor: deadline - ledgerState.header.closeTime,
          ...decidedBy(answer, passphrase)
        })
      }
    }
  )
}
