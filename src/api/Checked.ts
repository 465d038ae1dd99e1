import { HttpApiMiddleware } from "@effect/platform"

/**
 * What is looked at between the token of a request and its handler. Every group names it before its token: the platform begins with what was
 * named last. It may fail with what the API declares for every route, for every network and for every body.
 */
export class Checked extends HttpApiMiddleware.Tag<Checked>()("closeout/api/Checked") {}
