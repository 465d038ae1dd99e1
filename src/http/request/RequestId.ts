import { Context } from "effect"
import { noRequestId } from "../../api/ErrorRow.ts"

/** The id of the request that is being answered, as `X-Request-Id` has it. */
export class RequestId extends Context.Reference<RequestId>()("closeout/http/RequestId", { defaultValue: () => noRequestId }) {}
