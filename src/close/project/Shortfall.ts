import { BigInt as Big } from "effect"
import { showAmount, stroops } from "../../domain/Amount.ts"
import { blocker } from "../../domain/Blocker.ts"
import { InsufficientLumens } from "../../domain/failure/Planning.ts"
import type { LumenShortage } from "../situation/Fees.ts"
import type { Blocker } from "../situation/Gate.ts"
import type { Done } from "../situation/Progress.ts"
import type { NextTransaction } from "./PlannedTransaction.ts"

/** Where lumens do not suffice for the first time, after so many transactions, and what was done about positions before. */
export interface Shortfall {
  readonly next: NextTransaction
  readonly before: number
  readonly done: Done
}

/** Stroops without which a transaction cannot be made, where nothing else is in its way; zero where they suffice. */
export const lackingIn = (next: NextTransaction): bigint => {
  if (next._tag === "NoLumens") return next.needed - next.spendable
  if (next._tag !== "Transaction" || next.groups.some(({ blockers }) => blockers.some(({ lacksLumens }) => lacksLumens === undefined))) {
    return 0n
  }
  return next.groups.flatMap(({ blockers }) => blockers.map(({ lacksLumens = 0n }) => lacksLumens)).reduce(Big.max, 0n)
}

/** How much more a transaction may need by the time lumens have arrived, stroops. */
export const leewayIn = (next: NextTransaction): bigint => (next._tag === "NoLumens" ? next.leeway : 0n)

/** What all transactions of a close lack, stroops, and how much more that may be by the time it has arrived. */
interface Lacking {
  readonly lent: bigint
  readonly leeway: bigint
}

/** `before`: transactions of the close that can be paid before the one that cannot. */
const lumenBlockers = ({ leeway, needed, spendable, wrappable }: LumenShortage, before: number, all: Lacking): ReadonlyArray<Blocker> => {
  const which = before === 0 ? "The next transaction" : `Transaction ${before + 1} of the close`
  const then = before === 0 ? "" : " then"
  const inAll = all.lent > needed - spendable ? `; over the whole close it lacks ${showAmount(all.lent + all.leeway)}` : ""
  return [{
    failure: new InsufficientLumens({ needed: stroops(needed + leeway), spendable: stroops(spendable) }),
    shown: blocker(
      "insufficient_lumens",
      `${which} needs ${showAmount(needed + leeway)} lumens, and the account can spend ${
        showAmount(spendable)
      }${then}${inAll}. Send it lumens${wrappable ? ", or use feePayer fee_bump" : ""}.`
    )
  }]
}

/** What is said of lumens that do not suffice: the first word is enough, and what lacks later counts in its sum. */
export const shortfallBlockers = ({ before, next }: Shortfall, all: Lacking): ReadonlyArray<Blocker> => {
  if (next._tag === "NoLumens") return lumenBlockers(next, before, all)
  return next._tag === "Transaction" ? next.groups.flatMap(({ blockers }) => blockers) : []
}
