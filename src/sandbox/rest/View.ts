import { Context } from "effect"
import type { Chain } from "../network/Chain.ts"

/** The network as the ledger API sees it during one request: every part of an answer comes from the same ledger. */
export class View extends Context.Tag("closeout/sandbox/View")<View, Chain>() {}
