import { Data } from "effect"

/** The connection ends here, without an answer: whoever carries the request drops it. */
export class ConnectionCut extends Data.TaggedError("ConnectionCut")<{}> {}
