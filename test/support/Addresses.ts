import { StrKey } from "@stellar/stellar-sdk"
import { randomBytes } from "node:crypto"
import { ContractAddress } from "../../src/domain/Address.ts"

/** The address of a contract that does not exist; another one at each call. */
export const anyContract = (): ContractAddress => ContractAddress.make(StrKey.encodeContract(randomBytes(32)))

/** The contract whose id repeats one byte. */
export const contractOfByte = (byte: number): ContractAddress => ContractAddress.make(StrKey.encodeContract(Buffer.alloc(32, byte)))
