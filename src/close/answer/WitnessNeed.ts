import { Equal } from "effect"
import type { Getter } from "../../chain/Getter.ts"
import type { ContractCall } from "../../operations/ContractCall.ts"
import type { PlannedTransaction } from "../project/PlannedTransaction.ts"
import type { PlannedExit } from "../situation/PlannedExit.ts"
import { bought } from "../situation/Progress.ts"

/** What a planned transaction does, as far as it may rest on contracts. */
interface ContractUse extends Pick<PlannedTransaction, "merges" | "progress"> {
  readonly call: Pick<ContractCall, "contract" | "holds" | "claimsOnly"> | null
}

/** Contracts that were queried for what they owe the account. */
interface QueriedContracts {
  readonly getters: ReadonlyArray<Pick<Getter, "contract">>
}

/** Whether it calls a contract that was queried, other than to claim. Rewards that its answer did not name may be lost with the call. */
const leavesQueried = ({ call }: ContractUse, queried: ReadonlyArray<QueriedContracts>): boolean =>
  call !== null && call.claimsOnly !== true && queried.some(({ getters }) => getters.some(({ contract }) => contract === call.contract))

/** Whether it is a call that hands tokens over, or buys what such a call will hand over: how much is a matter of the position. */
const handsOver = ({ call, progress }: ContractUse, exits: ReadonlyArray<Pick<PlannedExit, "id">>): boolean =>
  (call !== null && call.holds.length > 0) || exits.some((one) => Equal.equals(bought(one), progress))

/** Whether a transaction rests on contracts, so that a second contract RPC is queried before it is handed over. `exits`: the planned ones. */
export const restsOnContracts = (
  planned: ContractUse,
  exits: ReadonlyArray<Pick<PlannedExit, "id">>,
  queried: ReadonlyArray<QueriedContracts>
): boolean => planned.merges || handsOver(planned, exits) || leavesQueried(planned, queried)

/** What was read that may be of contracts. */
interface ContractReadings {
  readonly protocols: ReadonlyArray<{ readonly protocol: { readonly contracts: ReadonlyArray<unknown> } }>
  readonly tokens: {
    readonly held: ReadonlyArray<unknown>
    readonly unreadable: ReadonlyArray<unknown>
    readonly told: { readonly alone: ReadonlyArray<unknown> } | null
  }
}

/** Whether anything of contracts was read that the merge of the account rests on: positions, and tokens. */
export const readsContracts = ({ protocols, tokens: { held, told, unreadable } }: ContractReadings): boolean =>
  protocols.some(({ protocol }) => protocol.contracts.length > 0) || [held, unreadable, told?.alone ?? []].some(({ length }) => length > 0)

/** Whether a transaction is handed over where no second contract RPC responds: only the merge of an account without positions is. */
export const mayRestOnOne = (
  { merges }: Pick<ContractUse, "merges">,
  { planned, unreadable }: { readonly planned: ReadonlyArray<unknown>; readonly unreadable: ReadonlyArray<unknown> }
): boolean => merges && planned.length === 0 && unreadable.length === 0
