/** Escapes a text for a pattern of LIKE, so that its wildcards stand for themselves. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, (special) => `\\${special}`)
}
