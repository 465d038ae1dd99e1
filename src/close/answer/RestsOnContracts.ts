import { Equal } from "effect"
import type { Getter } from "../../chain/Getter.ts"
import type { ContractCall } from "../../operations/ContractCall.ts"
import type { PlannedTransaction } from "../project/PlannedTransaction.ts"
import type { PlannedExit } from "../situation/Exits.ts"
import { bought } from "../situation/Progress.ts"

/** What a planned transaction does, as far as it may rest on contracts. */
interface Doing extends Pick<PlannedTransaction, "merges" | "progress"> {
  readonly call: Pick<ContractCall, "contract" | "holds" | "claimsOnly"> | null
}

/** Contracts that were queried for what they owe the account. */
interface Asked {
  readonly getters: ReadonlyArray<Pick<Getter, "contract">>
}

/** Whether it calls a contract that was queried, other than to claim. Rewards that its answer did not name may be lost with the call. */
const leavesAsked = ({ call }: Doing, asked: ReadonlyArray<Asked>): boolean =>
  call !== null && call.claimsOnly !== true && asked.some(({ getters }) => getters.some(({ contract }) => contract === call.contract))

/** Whether it is a call that hands tokens over, or buys what such a call will hand over: how much is a matter of the position. */
const handsOver = ({ call, progress }: Doing, exits: ReadonlyArray<Pick<PlannedExit, "id">>): boolean =>
  (call !== null && call.holds.length > 0) || exits.some((one) => Equal.equals(bought(one), progress))

/** Whether a transaction rests on contracts, so that a second contract RPC is queried before it is handed over. `exits`: the planned ones. */
export const restsOnContracts = (planned: Doing, exits: ReadonlyArray<Pick<PlannedExit, "id">>, asked: ReadonlyArray<Asked>): boolean =>
  planned.merges || handsOver(planned, exits) || leavesAsked(planned, asked)

/** What was read that may be of contracts. */
interface Read {
  readonly protocols: ReadonlyArray<{ readonly protocol: { readonly contracts: ReadonlyArray<unknown> } }>
  readonly tokens: {
    readonly held: ReadonlyArray<unknown>
    readonly unreadable: ReadonlyArray<unknown>
    readonly told: { readonly alone: ReadonlyArray<unknown> } | null
  }
}

/** Whether anything of contracts was read that the merge of the account rests on: positions, and tokens. */
export const readsContracts = ({ protocols, tokens: { held, told, unreadable } }: Read): boolean =>
  protocols.some(({ protocol }) => protocol.contracts.length > 0) || [held, unreadable, told?.alone ?? []].some(({ length }) => length > 0)

/** Whether a transaction is handed over where no second contract RPC responds: only the merge of an account without positions is. */
export const mayRestOnOne = (
  { merges }: Pick<Doing, "merges">,
  { planned, unreadable }: { readonly planned: ReadonlyArray<unknown>; readonly unreadable: ReadonlyArray<unknown> }
): boolean => merges && planned.length === 0 && unreadable.length === 0
