/** What a caller verifies transactions of a close with: nothing here asks a network, or needs more than a browser has. */
export type { ContractFunction } from "../operations/ContractFunctions.ts"
export type { ContractBook, Expected, ExpectedMediator, Held, SentDecision, SentParams } from "../operations/Expected.ts"
export type { Rule, Violation } from "../operations/Violation.ts"
export { contractBookOf, type ContractsFile, type SeenContract, withContract } from "./ContractBook.ts"
export { explain } from "./Explain.ts"
export { contractsOf } from "./Shipped.ts"
export { type Verified, verify } from "./Verify.ts"
