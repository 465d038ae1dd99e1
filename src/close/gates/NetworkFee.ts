import { blocker } from "../../domain/Blocker.ts"
import type { Gate } from "../situation/Gate.ts"

/** No operation offers more than the operator's setting, even if the header asks for more. */
export const networkFee: Gate = ({ headerDoubts }) =>
  headerDoubts.flatMap((doubt) =>
    doubt._tag === "NetworkFeeAboveLimit" ? [{ failure: doubt, shown: blocker("network_fee_above_limit", doubt.message) }] : []
  )
