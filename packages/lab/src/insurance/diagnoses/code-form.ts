const FORM = /^([A-Z]\d[0-9A-Z])\.?([0-9A-Z]{1,4})?$/

/**
 * Returns a code of ICD-10-CM as stored: upper case, without the dot (`e11.9` is `E119`). Returns
 * undefined for text without the form of a code.
 */
export function parseCode(text: string): string | undefined {
  const [, category, detail = ''] = FORM.exec(text.trim().toUpperCase()) ?? []
  return category === undefined ? undefined : category + detail
}

/** Returns a code with the dot after the category: `E11.9`. */
export function formatCode(code: string): string {
  return code.length > 3 ? `${code.slice(0, 3)}.${code.slice(3)}` : code
}
