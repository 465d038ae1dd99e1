import type { AssetId } from "../../domain/Asset.ts"
import type { DecisionOption } from "../../domain/Decision.ts"
import type { State } from "../../ledger/State.ts"
import type { Situation } from "../Situation.ts"
import type { Unit } from "../Unit.ts"
import type { PlannedExit } from "./Exits.ts"

/** The purchase of what a debt lacks, when the owner decided so; null otherwise. */
export const purchaseOf = (_situation: Situation, _world: State, _one: PlannedExit, _asset: AssetId, _short: bigint): Unit | null => null

/** The option to buy what a debt lacks; none where nothing lacks. */
export const purchaseOption = (_situation: Situation, _one: PlannedExit): ReadonlyArray<DecisionOption> => []
