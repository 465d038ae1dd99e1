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
import type { CloseInput } from "../../situation/CloseInput.ts"
import type { Exits, PlannedExit } from "../../situation/Exits.ts"
import { keptForCalls } from "../../situation/Fees.ts"
import { holdingsIn, sellingLiabilitiesIn, spendable } from "../../situation/Holdings.ts"
import { type JudgedClaims, noClaims } from "../../situation/RewardJudge.ts"
import type { Sale } from "../../situation/Routes.ts"
import { readTokenAssets, type TokenAssets } from "../../situation/TokenAssets.ts"
import { lessListed } from "../../situation/TwoBalances.ts"
import { validityOf } from "../../situation/Validity.ts"

interface TokenHoldings {
  readonly ledgerState: LedgerState
  readonly source: AccountAddress
  readonly passphrase: string
  readonly assets: TokenAssets
  /** Of contract tokens, base units. */
  readonly balances: ReadonlyMap<ContractAddress, bigint>
  /** Stroops kept back for what calls cost. */
  readonly feeReserve: bigint
  /** Stroops by which the ledger API knows less of an asset than the contract RPC: the smaller balance counts. */
  readonly less: (asset: AssetId) => bigint
}

/** What the account can spend of a token now: without reserves, fees and what its offers hold. Base units; never negative. */
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

/** What is asked about leaving: an account as it was read, and what for. */
export interface ExitQuestion {
  readonly input: CloseInput
  readonly snapshot: AccountSnapshot
  /** What was read of the account, under the header of the next ledger. */
  readonly ledgerState: LedgerState
  /** Stroops a contract transaction bids besides its resource fee. */
  readonly inclusionFee: bigint
  /** Both simulate whatever can be, so that neither foresees anything else than the other; a builder waits for the ledger that is right for the call it hands over. */
  readonly purpose: "plan" | "build"
  /** When reading for this close began, milliseconds of the clock. */
  readonly began: number
  readonly market: MarketApi
  /** Ways through pools of protocols, each searched once in this request. */
  readonly routes: TokenRoutes["Type"]
  /** Token contracts of the token list. */
  readonly tokenList: ReadonlySet<ContractAddress>
  /** Everything that the close sells where these pay what they declare. */
  readonly salesWith: (exits: Exits) => ReadonlyArray<Sale>
  /** Asks ahead what selling all that these declare to pay would meet. It never fails: what it does not find is asked for later. */
  readonly foresee: (exits: Exits) => Effect.Effect<void>
}

/** What every way out is read with. */
export interface Surroundings {
  readonly at: ReadAt
  readonly assets: TokenAssets
  /** Base units. */
  readonly spendable: (token: ContractAddress) => bigint
  /** The claims of a position, by its decision. */
  readonly claims: (id: string) => JudgedClaims
  /** What a protocol is told of the account that leaves a position. */
  readonly contextOf: (one: Pick<PlannedExit, "answer" | "id">) => Omit<ExitContext, "view">
}

/** The same once claims were judged. */
export const withClaims = (around: Surroundings, judged: ReadonlyMap<string, JudgedClaims>): Surroundings => {
  const claims = (id: string) => judged.get(id) ?? noClaims
  return {
    ...around,
    claims,
    contextOf: (one) => {
      const { left, made } = claims(one.id)
      return { ...around.contextOf(one), claimsLeft: left, claimsMade: made }
    }
  }
}

/** What the owner decided, as a protocol is told it. */
const decidedBy = (answer: PlannedExit["answer"], passphrase: string): Pick<ExitContext, "withoutRewards" | "givenUp" | "buysWith"> => {
  const spend = answer?.choice === "buy_repay_asset_then_exit" ? answer.params?.spendAsset : undefined
  return {
    withoutRewards: answer?.choice === "exit_without_rewards",
    givenUp: answer?.choice === "acknowledge_forfeit",
    ...(spend === undefined ? {} : { buysWith: assetContract(spend, passphrase) })
  }
}

/** Until when a transaction that is built now may be applied, Unix seconds; what is bought is there then at the latest. */
export const usableUntil = (
  { input, snapshot: { accountEntry }, ledgerState: { header } }: Pick<ExitQuestion, "input" | "snapshot" | "ledgerState">
): bigint => validityOf({ input, now: header.closeTime, closeInterval: null }, { account: accountEntry }, "med", header).maxTime

/** What the account can spend, and what its decisions mean to protocols (`getLedgerEntries`). */
export const readSurroundings = (
  { entries, reader }: { readonly entries: LedgerEntries["Type"]; readonly reader: TokenReader["Type"] },
  passphrase: string,
  question: ExitQuestion,
  tokens: ReadonlyArray<ContractAddress>
): Effect.Effect<Surroundings, ChainFailure> => {
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
          maxSlippageBps: answer?.params?.maxSlippageBps ?? question.input.maxSlippageBps,
          deadline,
          usableFor: deadline - ledgerState.header.closeTime,
          ...decidedBy(answer, passphrase)
        })
      }
    }
  )
}
