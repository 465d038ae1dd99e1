import { default as qrcode } from "qrcode-generator"
import { el } from "./Dom.ts"

/** The longest text that is drawn, in bytes: more cannot be read from a screen. */
const most = 2_048

/** A text as a picture that a phone reads; null where it is too long. */
export const qrCode = (text: string, label: string): HTMLImageElement | null => {
  if (new TextEncoder().encode(text).length >= most) return null
  const code = qrcode(0, "L")
  code.addData(text, "Byte")
  code.make()
  return el("img", { class: "qr", alt: label, src: code.createDataURL(3, 12) })
}
