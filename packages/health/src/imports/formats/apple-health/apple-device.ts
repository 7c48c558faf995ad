interface AppleDevice {
  name?: string
  manufacturer?: string
  model?: string
  /** For example `Watch6,1`. */
  hardware?: string
  firmware?: string
  software?: string
  localIdentifier?: string
  udiDeviceIdentifier?: string
  /** As written, usually `2021-01-02 03:04:05 +0000`. */
  creationDate?: string
}

const FIELDS = new Map<string, keyof AppleDevice>([
  ['name', 'name'],
  ['manufacturer', 'manufacturer'],
  ['model', 'model'],
  ['hardware', 'hardware'],
  ['firmware', 'firmware'],
  ['software', 'software'],
  ['localIdentifier', 'localIdentifier'],
  ['UDIDeviceIdentifier', 'udiDeviceIdentifier'],
  ['creation date', 'creationDate'],
])

/**
 * Parses the `device` attribute, the debug text of an HKDevice: `<<HKDevice: 0x…>, name:Apple
 * Watch, manufacturer:Apple Inc., hardware:Watch6,1, …>`. Values may contain commas (`Watch2,4`),
 * so a field starts only at `, ` before a known key. The memory address is dropped: it differs in
 * each export. Other texts give an empty object. The scanner returns the same string for the same
 * device, so that callers can cache by it.
 */
export function parseAppleDevice(text: string): AppleDevice {
  const device: AppleDevice = {}
  const open = text.indexOf('>, ')
  if (!text.startsWith('<<HKDevice:') || open < 0) return device
  const body = text.slice(open + 3, text.endsWith('>') ? -1 : undefined)
  let field: keyof AppleDevice | undefined
  for (const part of body.split(', ')) {
    const colon = part.indexOf(':')
    const next = colon < 0 ? undefined : FIELDS.get(part.slice(0, colon))
    if (next !== undefined && device[next] === undefined) {
      device[next] = part.slice(colon + 1)
      field = next
    } else if (field !== undefined) {
      device[field] += `, ${part}`
    }
  }
  return device
}

/** Kinds of devices that Apple makes; `other` is any further kind. */
const APPLE_PRODUCTS = ['Watch', 'iPhone', 'iPad', 'iPod'] as const
export type AppleProduct = (typeof APPLE_PRODUCTS)[number] | 'other'

/** Returns the kind of an Apple device; undefined for a device of another maker. */
export function appleProductOf(device: AppleDevice): AppleProduct | undefined {
  const { manufacturer, name = '', model = '', hardware = '' } = device
  if (manufacturer !== undefined && !manufacturer.startsWith('Apple')) return undefined
  const names = [hardware, model, ...(manufacturer === undefined ? [name] : [])]
  const product =
    names
      .find((text) => text !== '')
      ?.toLowerCase()
      .replace('apple ', '') ?? ''
  const known = APPLE_PRODUCTS.find((kind) => product.startsWith(kind.toLowerCase()))
  return known ?? (manufacturer === undefined ? undefined : 'other')
}

/**
 * Returns the product that made a record, for example `Watch6,1`, as named in the `device`
 * attribute.
 */
export function productOf(device: string | undefined): string {
  if (device === undefined || device === '') return ''
  const { hardware, model } = parseAppleDevice(device)
  return hardware ?? model ?? ''
}
