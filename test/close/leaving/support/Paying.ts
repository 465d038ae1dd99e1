import { type Asset, type Keypair, Operation } from "@stellar/stellar-sdk"
import { perform } from "../../../../src/sandbox/scenarios/Scenario.ts"

/** Pays a decimal amount of an asset from one account to another. */
export const pays = (as: Keypair, to: Keypair, asset: Asset, amount: string) =>
  perform(`${amount} ${asset.getCode()} are paid`, { as, operations: [Operation.payment({ destination: to.publicKey(), asset, amount })] })
