import { showAmount } from "../../domain/Amount.ts"
import type { DecisionPoint } from "../../domain/Decision.ts"
import { DecisionId } from "../situation/DecisionId.ts"
import type { Situation } from "../situation/Situation.ts"
import { assetValue } from "../situation/TokenValues.ts"

/** The decision point of an issuer whose assets others hold. After the close it can no longer authorise or redeem them. */
export const issuerPoints = ({ input, issuedAssets }: Situation): ReadonlyArray<DecisionPoint> => {
  const out = issuedAssets.filter(({ outstanding }) => outstanding > 0n)
  if (out.length === 0) return []
  return [{
    id: DecisionId.issuer(input.source),
    type: "issuer",
    subject: `Others hold what this account issued: ${
      out.slice(0, 5).map(({ asset, outstanding }) => `${showAmount(outstanding)} ${asset}`).join(", ")
    }${out.length > 5 ? ` and ${out.length - 5} more` : ""}`,
    about: { kind: "issuer", address: input.source, count: out.length },
    options: [{
      id: "i_accept_abandoning_issued_assets",
      loses: out.map(({ asset, outstanding }) => assetValue(asset, outstanding)),
      note: "The assets stay with their holders, and no issuer backs them any more."
    }],
    default: null,
    required: true,
    answered: input.answers.issuer(input.source) !== undefined
  }]
}
