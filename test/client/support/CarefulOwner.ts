import { contractBookOf, type Question } from "../../../src/client/Client.ts"
import { sandboxContractsFile } from "../../../src/sandbox/scenarios/SandboxDeployment.ts"

/** A caller's knowledge of the sandbox's contracts. */
export const sandboxContracts = contractBookOf(sandboxContractsFile)

/** Chooses an option that confirms a fact, sells or keeps; never one that costs the owner something. */
export const careful = ({ options }: Question): string | null =>
  options.find(({ effect, needs }) => needs.length === 0 && ["consents", "sells", "keeps", "exits"].includes(effect))?.id ?? null
