/** A Stellar network in the process, and what a team puts its own contracts on it with. */
export {
  contractFunction,
  type ContractHost,
  type ContractModel,
  registerContracts,
  type Registration
} from "../ledger/soroban/Contract.ts"
export * as Values from "../ledger/soroban/Values.ts"
export { allContracts } from "./contracts/All.ts"
export * from "./contracts/Deployment.ts"
export { standInHash } from "./contracts/StandInHash.ts"
export { Network } from "./Network.ts"
export { type SandboxOptions, startSandbox } from "./Sandbox.ts"
export { accountVal, callContract, readContract } from "./scenarios/CallContract.ts"
export { FundedPair } from "./scenarios/FundedPair.ts"
export { type NewContract, putContract } from "./scenarios/PutContract.ts"
export { sandboxContractsFile } from "./scenarios/SandboxDeployment.ts"
export { fund, perform } from "./scenarios/Scenario.ts"
