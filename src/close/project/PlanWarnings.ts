import { type PlanBlocker, warning } from "../../domain/Blocker.ts"
import { cameLaterWarning, cutoffIn } from "../model/CameLater.ts"
import { claimBook } from "../model/ClaimBook.ts"
import { allowanceWarnings } from "./AllowanceWarnings.ts"
import { exitWarnings } from "../exits/ExitGate.ts"
import { holdingsIn } from "../model/Holdings.ts"
import type { Situation } from "../model/Situation.ts"

const cameLater = (situation: Situation): ReadonlyArray<PlanBlocker> => {
  const cutoff = cutoffIn(situation.input)
  const count = cutoff === null ? 0 : claimBook(situation).late.length
  return cutoff === null || count === 0 ? [] : [cameLaterWarning(count === 1 ? "A claimable balance" : `${count} claimable balances`, cutoff, "claimable_balances")]
}

/** What a plan rests on where no second contract RPC is configured. */
const singleSource = ({ exits, singleSource: alone, snapshot }: Situation): ReadonlyArray<PlanBlocker> => {
  const read = snapshot.protocols.filter(({ protocol }) => (protocol.contracts?.length ?? 0) > 0).map(({ protocol }) => protocol.name)
  return !alone || read.length === 0 ? [] : [
    warning("single_source", `One contract RPC is configured, so what is held in ${read.join(", ")}${exits.planned.length > 0 ? ", and what leaving it takes," : ""} rests on it alone.`)
  ]
}

/** What the owner should know and what does not block. */
export const planWarnings = (situation: Situation): ReadonlyArray<PlanBlocker> => {
  const { exits, headerDoubts, input, registry, snapshot, world } = situation
  const clawback = holdingsIn(world, input.source)?.lines.filter((line) => line.clawback && line.balance > 0n) ?? []
  const preauthorized = snapshot.state.signers.filter(({ type }) => type === "preauth_tx")
  return [
    ...snapshot.warnings,
    ...headerDoubts.flatMap((doubt) => (doubt._tag === "NetworkFeeAboveLimit" ? [] : [warning("source_lagging", doubt.message)])),
    ...snapshot.state.defiPositionsWarnings,
    ...singleSource(situation),
    ...allowanceWarnings(exits, input.source),
    ...exitWarnings(exits, cutoffIn(input), (id) => input.answers.has(id)),
    ...cameLater(situation),
    ...clawback.map(({ asset }) => warning("clawback_enabled", `The issuer of ${asset} can take the balance back at any moment until it is disposed of.`, asset)),
    ...preauthorized.map(({ key }) =>
      warning("preauthorized_transaction", "A transaction authorised in advance stays valid until the account is gone.", key)
    ),
    ...(registry.fresh ? [] : [warning("registry_expired", `The exchange registry expired on ${registry.validUntil}, so no exchange address can be recognised for certain.`)]),
    warning("unknown_contracts", "What the account gave to contracts outside the known protocols cannot be seen in full. Check them before you close.")
  ]
}
