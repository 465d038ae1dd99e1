import { AccountTooLarge } from "../../domain/failure/Planning.ts"
import { maxAnswers } from "../model/Answers.ts"
import type { Projected } from "./Projection.ts"

/**
 * A close asks at most as many questions as one call can answer. Claimable balances do not count, or anybody could keep an account
 * open by sending it some: beyond a number of them they are asked about per asset.
 */
export const tooLarge = ({ points }: Pick<Projected, "points">): AccountTooLarge | null =>
  points.filter(({ type }) => type !== "claim" && type !== "claims").length > maxAnswers ? new AccountTooLarge({ limit: maxAnswers }) : null
