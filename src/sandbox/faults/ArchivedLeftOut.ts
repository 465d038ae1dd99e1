import { Schema } from "effect"

/** The contract RPC leaves archived entries out of `getLedgerEntries`, as if they had never been. */
export class ArchivedLeftOut extends Schema.TaggedClass<ArchivedLeftOut>("ArchivedLeftOut")("ArchivedLeftOut", {}) {}
