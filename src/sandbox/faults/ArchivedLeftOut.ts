import { Schema } from "effect"

export class ArchivedLeftOut extends Schema.TaggedClass<ArchivedLeftOut>("ArchivedLeftOut")("ArchivedLeftOut", {}, {
  description: "The contract RPC leaves archived entries out of `getLedgerEntries`, as if they had never been."
}) {}
