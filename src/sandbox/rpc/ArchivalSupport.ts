import { Context } from "effect"

/** How the contract RPC deals with archived entries: as the newest versions do, unless a request is answered as older ones did. */
export class ArchivalSupport extends Context.Reference<ArchivalSupport>()("closeout/sandbox/rpc/ArchivalSupport", {
  defaultValue: () => ({ restoresManually: false, hidesArchived: false })
}) {}
