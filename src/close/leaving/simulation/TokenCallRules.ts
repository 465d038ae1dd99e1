import { Duration } from "effect"
import type { Getter } from "../../../chain/Getter.ts"
import type { ContractAddress } from "../../../domain/Address.ts"
import { controlGetter } from "../../../tokens/ControlGetter.ts"
import { longestAnswer } from "../../../tokens/TokenQuery.ts"

/** What is special about a call of a token whose own code no one knows. */
export interface TokenCallRules {
  readonly token: ContractAddress
  /** Whether it keeps balances and allowances in a way of its own, which no entry of a known form shows. */
  readonly ownBooks: boolean
  /** How long a simulation may take, milliseconds: less than what makes an endpoint count as hanging. */
  readonly mostMillis: number
  /** What every node answers: where it does and the token's call gets no answer, it is the token that gives none. */
  readonly control: Getter
}

/** The same of a token, on the network of a passphrase. */
export const tokenCallRules = (passphrase: string, token: ContractAddress, ownBooks: boolean): TokenCallRules => ({
  token,
  ownBooks,
  mostMillis: Duration.toMillis(longestAnswer),
  control: controlGetter(passphrase)
})
