import { Context } from "effect"

/** Largest body an endpoint takes, in bytes. An annotation of the endpoint. */
export class MaxBodyBytes extends Context.Reference<MaxBodyBytes>()("closeout/api/MaxBodyBytes", { defaultValue: () => 100 * 1024 }) {}

/** Seconds after which a request to the endpoint is stopped. An annotation of the endpoint. */
export class DeadlineSeconds extends Context.Reference<DeadlineSeconds>()("closeout/api/DeadlineSeconds", { defaultValue: () => 20 }) {}

/** Whether requests to an endpoint count against no rate. An annotation of the endpoint. */
export class Unlimited extends Context.Reference<Unlimited>()("closeout/api/Unlimited", { defaultValue: () => false }) {}

/** Whether an endpoint may be called without its body, which then stands for an empty object. An annotation of the endpoint. */
export class BodyOptional extends Context.Reference<BodyOptional>()("closeout/api/BodyOptional", { defaultValue: () => false }) {}

/**
 * Whether an endpoint answers with a key or a token. Its answer is never compressed: beside text of a caller's choice the compressed length
 * would leak the secret (BREACH attack). An annotation of the endpoint.
 */
export class CarriesSecret extends Context.Reference<CarriesSecret>()("closeout/api/CarriesSecret", { defaultValue: () => false }) {}

/** Whether an endpoint is for this service's own pages only, even if `CORS_ORIGINS` names others. An annotation of the endpoint. */
export class SameOrigin extends Context.Reference<SameOrigin>()("closeout/api/SameOrigin", { defaultValue: () => false }) {}

/** Body limit of the close routes: `had`, and `ids` of answers for groups, name thousands of things each. */
export const closeBodyBytes = 1024 * 1024

/** Deadlines in seconds, by kind of work. A read has the default. */
export const deadlines = { plan: 25, submit: 95, batch: 120 } as const
