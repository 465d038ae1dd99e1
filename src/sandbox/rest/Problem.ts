import { HttpServerResponse } from "@effect/platform"
import { Data } from "effect"

/** A refusal of the ledger API: an `application/problem+json` document. */
export class Problem extends Data.TaggedError("Problem")<{
  readonly status: number
  readonly type: string
  readonly title: string
  readonly detail?: string
  readonly extras?: object
}> {
  /** A parameter that is missing or wrong. */
  static invalidField(field: string, reason: string): Problem {
    return new Problem({
      status: 400,
      type: "bad_request",
      title: "Bad Request",
      detail: "The request you sent was invalid in some way.",
      extras: { invalid_field: field, reason }
    })
  }

  static badRequest(detail: string): Problem {
    return new Problem({ status: 400, type: "bad_request", title: "Bad Request", detail })
  }

  static get notFound(): Problem {
    return new Problem({
      status: 404,
      type: "not_found",
      title: "Resource Missing",
      detail: "The resource at the url requested was not found. Check the spelling of the address and the identifier in it."
    })
  }

  static get beforeHistory(): Problem {
    return new Problem({
      status: 410,
      type: "before_history",
      title: "Data Requested Is Before Recorded History",
      detail: "The cursor points before the first ledger this server keeps."
    })
  }

  static get notAcceptable(): Problem {
    return new Problem({
      status: 406,
      type: "not_acceptable",
      title: "An acceptable response content-type could not be provided for this request",
      detail: "Answers are JSON: the Accept header allows neither application/json nor application/hal+json."
    })
  }

  static get internal(): Problem {
    return new Problem({ status: 500, type: "server_error", title: "Internal Server Error" })
  }
}

export const problemResponse = ({ detail, extras, status, title, type }: Problem): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.unsafeJson(
    {
      type: `https://stellar.org/horizon-errors/${type}`,
      title,
      status,
      ...(detail === undefined ? {} : { detail }),
      ...(extras === undefined ? {} : { extras })
    },
    { status, contentType: "application/problem+json; charset=utf-8" }
  )
