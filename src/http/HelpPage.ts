import { HttpServerResponse } from "@effect/platform"
import { ErrorTable, type FailureTag } from "../api/ErrorTable.ts"
import { remedies } from "../api/Remedies.ts"
import { BlockerReason, WarningCode } from "../domain/Blocker.ts"
import { blockerHelp } from "../domain/BlockerHelp.ts"
import { type Help, who } from "../domain/Help.ts"
import { protocolAnchor, protocolHelp, protocolsAnchor } from "../domain/ProtocolHelp.ts"
import { type OwnProtocol, ownProtocols } from "../domain/ProtocolName.ts"
import { warningHelp } from "../domain/WarningHelp.ts"

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;" }

const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => escapes[character] ?? "")

/** One heading with its help. The anchors are those of the page in the project's repository. */
const entry = (kind: string, code: string, { by, cause, remedy }: Help): string =>
  `<h3 id="${kind.toLowerCase()}-${code}">${kind} <code>${code}</code></h3>` +
  `<p>${escaped(cause)}</p><p><b>What to do:</b> ${escaped(remedy)}</p><p><b>By whom:</b> ${
    escaped(by.map((one) => who[one]).join("; "))
  }.</p>`

const protocolEntry = (name: OwnProtocol): string => {
  const { label, leaves, reads } = protocolHelp[name]
  return `<h3 id="${protocolAnchor(name)}">Protocol <code>${name}</code></h3>` +
    `<p>${escaped(label)}. ${escaped(reads)}</p><p><b>How the close exits it:</b> ${escaped(leaves)}</p>`
}

const errors = (Object.keys(ErrorTable) as ReadonlyArray<FailureTag>).map((tag) => ({ ...ErrorTable[tag], remedy: remedies[tag] }))

const style =
  "body{font:1rem/1.5 system-ui,sans-serif;max-width:45rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}:target{outline:2px solid}"

const text = () =>
  [
    "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
    `<title>Errors, blockers, warnings</title><style>${style}</style></head><body><h1>Errors, blockers, warnings</h1>`,
    "<h2>Errors</h2>",
    ...errors.map(({ code, meaning, remedy }) => entry("Error", code, { ...remedy, cause: meaning })),
    "<h2>Blockers of a plan</h2>",
    ...BlockerReason.literals.map((reason) => entry("Blocker", reason, blockerHelp[reason])),
    "<h2>Warnings</h2>",
    ...WarningCode.literals.map((code) => entry("Warning", code, warningHelp[code])),
    `<h2 id="${protocolsAnchor}">Protocols</h2>`,
    "<p>Protocols of other packages are described by those packages.</p>",
    ...ownProtocols.map(protocolEntry),
    "</body></html>"
  ].join("\n")

/** The page that `helpUrl` names: everything that can stand in the way, its cause, what to do and by whom. */
export const helpPage = (): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.html(text()).pipe(
    HttpServerResponse.setHeader(
      "content-security-policy",
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
  )
