import type { HttpServerRequest } from "@effect/platform"
import { Option } from "effect"
import { isIP, isIPv6 } from "node:net"
import { wholeNumberSetting } from "../../domain/WholeNumberSetting.ts"

/** How many proxies in front of the service are trusted to append to `X-Forwarded-For` (`TRUSTED_PROXY_HOPS`, 0 by default). */
export const trustedProxyHops = wholeNumberSetting("TRUSTED_PROXY_HOPS", { least: 0, most: 16, usual: 0 })

const withoutPort = (text: string): string => {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(text)
  if (bracketed !== null) return bracketed[1] ?? ""
  return /^[0-9.]+:\d+$/.test(text) ? text.slice(0, text.indexOf(":")) : text
}

/** A whole IPv6 network of 64 bits is one client: that is what one subscriber is handed. */
const networkOf = (address: string): string => {
  const [text = ""] = address.split("%")
  const [head = "", tail] = new URL(`http://[${text}]`).hostname.slice(1, -1).split("::")
  const groups = head === "" ? [] : head.split(":")
  const after = tail === undefined || tail === "" ? [] : tail.split(":")
  const zeros = tail === undefined ? 0 : 8 - groups.length - after.length
  return `${[...groups, ...Array.from({ length: zeros }, () => "0"), ...after].slice(0, 4).join(":")}::/64`
}

/** Whose an address is: one client has a whole IPv6 network of 64 bits, and a mapped IPv4 address is that IPv4 address. */
export const oneClient = (address: string): string => {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped !== null) return mapped[1] ?? address
  return isIPv6(address) ? networkOf(address) : address
}

/**
 * The address a request is counted against: the socket's, or behind `hops` trusted proxies the entry that the outermost of them
 * appended to `X-Forwarded-For`. What a client writes there itself stands further left and is never looked at.
 */
export const clientAddress = (request: HttpServerRequest.HttpServerRequest, hops: number): string => {
  const socket = Option.getOrElse(request.remoteAddress, () => "unknown")
  if (hops === 0) return oneClient(socket)
  const forwarded = (request.headers["x-forwarded-for"] ?? "").split(",").map((entry) => withoutPort(entry.trim()))
  const picked = forwarded[forwarded.length - hops]
  return oneClient(picked !== undefined && isIP(picked) !== 0 ? picked : socket)
}
