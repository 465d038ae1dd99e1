import { Context } from "effect"
import type { Announcements, ScanStore } from "./Announcements.ts"

/** Where announcements that were scanned outlive the process. Without it they are kept in memory. */
export class ScanStores extends Context.Tag("closeout/protocols/ScanStores")<ScanStores, {
  readonly of: (announcements: Announcements) => ScanStore
}>() {}
