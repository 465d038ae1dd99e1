import { sha256 } from "../../ledger/Signatures.ts"

/** Hash (hex) under which the code of a contract lies that exists only as a model: no code anywhere has it. */
export const standInHash = (name: string): string => Buffer.from(sha256(Buffer.from(`sandbox: ${name}`))).toString("hex")
