import { blocker } from "../../domain/Blocker.ts"
import type { Gate } from "../situation/Gate.ts"

/** Whatever a header asks for, no operation offers more than the operator's setting. */
export const networkFee: Gate = ({ headerDoubts }) =>
  headerDoubts.flatMap((doubt) =>
    doubt._tag === "NetworkFeeAboveLimit" ? [{ failure: doubt, shown: blocker("network_fee_above_limit", doubt.message) }] : []
  )
