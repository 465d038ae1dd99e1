import { contractBookOf, type Question } from "../../../src/client/Client.ts"
import { sandboxDeployment } from "../../../src/sandbox/scenarios/SandboxDeployment.ts"

/** What a caller knows of the sandbox's contracts. */
export const sandboxContracts = contractBookOf({ protocols: sandboxDeployment.contracts, code: sandboxDeployment.code, tokens: "none" })

/** Takes what confirms a fact, sells or gives nothing away; never anything that costs the owner something. */
export const careful = ({ options }: Question): string | null =>
  options.find(({ effect, needs }) => needs.length === 0 && ["consents", "sells", "keeps", "exits"].includes(effect))?.id ?? null
