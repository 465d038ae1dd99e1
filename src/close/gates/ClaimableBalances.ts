import { showAmount } from "../../domain/Amount.ts"
import { blocker } from "../../domain/Blocker.ts"
import { holdsAt } from "../../domain/ClaimPredicate.ts"
import type { Gate } from "../Gate.ts"

/** Claiming within a close is not built yet; a balance that can be claimed, now or later, is not closed over in silence. */
export const claimableBalances: Gate = ({ input, snapshot: { header, state } }) =>
  state.claimableBalances
    .filter(({ claimants }) =>
      claimants.some(({ destination, predicate }) => destination === input.source && (holdsAt(predicate, header.closeTime) || mayHoldLater(predicate.type)))
    )
    .map(({ amount, asset, id }) => ({
      refusal: null,
      blocker: blocker("not_supported_yet", `The account can claim ${showAmount(amount)} ${asset}, which the close would forfeit. Claim it first.`, id)
    }))

/** Anything but a plain deadline that has passed may come true again. */
const mayHoldLater = (type: string): boolean => type !== "before_absolute_time" && type !== "before_relative_time"
