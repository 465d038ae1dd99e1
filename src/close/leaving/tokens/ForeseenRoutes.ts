import { Effect, Option } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import type { AccountRecord } from "../../../chain/ledger-api/AccountRecord.ts"
import { native } from "../../../domain/Asset.ts"
import type { ReadAt } from "../../../protocols/ProtocolRegistry.ts"
import { assetContract } from "../../../stellar/AssetTokens.ts"
import type { HeldToken } from "../../../tokens/HeldToken.ts"
import type { TokenRoutes, TokenSale } from "../../../tokens/TokenRoutes.ts"
import type { CloseInput } from "../../situation/CloseInput.ts"
import { isQuoted } from "../../situation/TokenWork.ts"
import { searchedLines } from "./ReadSales.ts"

/** Whose search is foreseen, and on which ledger. */
interface Foreseeable {
  readonly routes: TokenRoutes["Type"]
  readonly input: CloseInput
  readonly passphrase: string
  readonly at: Effect.Effect<ReadAt, ChainFailure>
}

const search = ({ at, passphrase, routes }: Foreseeable, sales: ReadonlyArray<Omit<TokenSale, "to">>): Effect.Effect<void> =>
  sales.length === 0 ?
    Effect.void :
    Effect.ignore(
      Effect.flatMap(
        at,
        ({ closeTime, sequence }) =>
          routes.best(sales.map((sale) => ({ ...sale, to: assetContract(native, passphrase) })), { closeTime, sequence })
      )
    )

/** Searches ways through contracts for what the ledger API says the account holds, while the rest of it is read. It never fails: it is searched again. */
export const foreseeAssets = (
  question: Foreseeable,
  account: Effect.Effect<Option.Option<AccountRecord>, ChainFailure>
): Effect.Effect<void> =>
  Effect.ignore(Effect.flatMap(account, (found) => {
    const lines = Option.match(found, { onNone: () => [], onSome: ({ trustlines }) => trustlines })
    return search(
      question,
      searchedLines(question.input, lines, "plan").map(({ asset, balance }) => ({
        from: assetContract(asset, question.passphrase),
        amount: balance
      }))
    )
  }))

/** The same for contract tokens, while it is read how positions are left; of what those bring or take another amount is asked about then. */
export const foreseeTokens = (question: Foreseeable, held: ReadonlyArray<HeldToken>): Effect.Effect<void> =>
  search(
    question,
    held.filter(({ balance, contract }) => isQuoted({ amount: balance, answer: question.input.answers.token(contract) }))
      .map(({ balance, contract }) => ({ from: contract, amount: balance }))
  )
