/** A form of a page, with the values that a browser would send. */
export interface HtmlForm {
  /** As the page has it; empty for the address of the page itself. */
  readonly action: string
  readonly method: 'GET' | 'POST'
  readonly fields: Readonly<Record<string, string>>
}

const FORM = /<form\b((?:"[^"]*"|'[^']*'|[^'">])*)>([\s\S]*?)<\/form\s*>/gi
const INPUT = /<input\b((?:"[^"]*"|'[^']*'|[^'">])*)>/gi
const META = /<meta\b((?:"[^"]*"|'[^']*'|[^'">])*)>/gi
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>`]+)))?/g
const ENTITY = /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos|nbsp));?/gi
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u{a0}',
}
/** Sign-in pages are much smaller. */
const MOST_CHARACTERS = 1_000_000
const MOST_CODE_POINT = 0x10ffff
const CHECKED = new Set(['checkbox', 'radio'])
/** A browser sends a button only when it is pressed. */
const NOT_SENT = new Set(['submit', 'button', 'image', 'reset', 'file'])

/**
 * Returns the forms of a page with their hidden and preset fields; entities are decoded. A parser
 * for these alone: sign-in pages of vendors are written by machines.
 */
export function readForms(html: string): HtmlForm[] {
  const visible = html.slice(0, MOST_CHARACTERS).replace(/<!--[\s\S]*?-->/g, '')
  return [...visible.matchAll(FORM)].map(([, attributes = '', body = '']) => {
    const { action = '', method = 'get' } = readAttributes(attributes)
    return {
      action,
      method: method.toLowerCase() === 'post' ? 'POST' : 'GET',
      fields: Object.fromEntries(fieldsOf(body)),
    }
  })
}

function fieldsOf(body: string): [string, string][] {
  return [...body.matchAll(INPUT)].flatMap(([, text = '']): [string, string][] => {
    const { name, type = '', value, ...others } = readAttributes(text)
    if (!name || NOT_SENT.has(type.toLowerCase())) return []
    const isChoice = CHECKED.has(type.toLowerCase())
    if (isChoice && others.checked === undefined) return []
    return [[name, value ?? (isChoice ? 'on' : '')]]
  })
}

/** Returns the content of the first `meta` element of this name; undefined without one. */
export function readMeta(html: string, name: string): string | undefined {
  for (const [, text = ''] of html.slice(0, MOST_CHARACTERS).matchAll(META)) {
    const attributes = readAttributes(text)
    if (attributes.name === name) return attributes.content
  }
  return undefined
}

/** Names are in lower case; an attribute without a value is empty. */
function readAttributes(text: string): Record<string, string | undefined> {
  const found = [...text.matchAll(ATTRIBUTE)].map(([, name = '', ...values]) => {
    const value = values.find((one) => one !== undefined) ?? ''
    return [name.toLowerCase(), decodeEntities(value)] as const
  })
  return Object.fromEntries(found)
}

/** Decodes numeric entities and the named ones of attributes and addresses. */
export function decodeEntities(text: string): string {
  return text.replace(ENTITY, (whole, hex?: string, decimal?: string, name = '') => {
    if (hex === undefined && decimal === undefined) return NAMED[name.toLowerCase()] ?? whole
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= MOST_CODE_POINT ? String.fromCodePoint(code) : whole
  })
}
