import { apiVersion } from "../api/Index.ts"
import { modelProtocol } from "../ledger/ModelProtocol.ts"
import type { ProofVersions } from "./ProofBundle.ts"

/** What computes in this process. */
export const ownVersions: ProofVersions = { service: apiVersion, node: process.version, modelProtocol }
