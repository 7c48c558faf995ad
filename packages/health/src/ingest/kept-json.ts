/** Maximum number of bytes that are kept of a raw item. */
const MOST_KEPT_BYTES = 64 * 1024
const BEGINNING_LENGTH = 1_000

/**
 * Returns a text that can be stored; undefined when it is too large. Half a surrogate pair is not
 * valid UTF-8.
 */
export function keptText(text: string): string | undefined {
  const isTooLarge = text.length * 3 > MOST_KEPT_BYTES && Buffer.byteLength(text) > MOST_KEPT_BYTES
  return isTooLarge ? undefined : text.toWellFormed()
}

/**
 * Returns a raw item as JSON, for later inspection. Of a longer one only the beginning is kept:
 * `{"salus_cut": {"bytes": …, "beginning": "…"}}`.
 */
export function keptJson(item: unknown): string {
  const json = jsonOf(item)
  const isShort = json.length * 3 <= MOST_KEPT_BYTES || Buffer.byteLength(json) <= MOST_KEPT_BYTES
  if (isShort) return json
  const beginning = json.slice(0, BEGINNING_LENGTH).toWellFormed()
  return JSON.stringify({ salus_cut: { bytes: Buffer.byteLength(json), beginning } })
}

function jsonOf(item: unknown): string {
  try {
    return JSON.stringify(item ?? null)
  } catch {
    // Nested too deep to be written. No body is, but the data of one caller must not fail others.
    return JSON.stringify({ salus_cut: { bytes: null, beginning: '' } })
  }
}
