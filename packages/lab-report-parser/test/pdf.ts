// Writes PDFs without a library, because tests determine every byte.

export interface PdfPageSource {
  /** Operators of the content stream. */
  content: string
  /** Further entries of the page dictionary, such as `/Rotate 90`. */
  entries?: string
  /**
   * Entries of its resource dictionary; without fonts it has F1 (Helvetica), F2 (bold) and F3
   * (Times).
   */
  resources?: string
}

export interface PdfSource {
  pages: PdfPageSource[]
  /** Further objects, numbered from 10: dictionaries, or streams with their dictionary. */
  objects?: (string | Uint8Array)[]
  /** Further entries of the catalog. */
  catalog?: string
  trailer?: string
}

const FONTS = ['Helvetica', 'Helvetica-Bold', 'Times-Roman']
const FIRST_OBJECT = 10
const FIRST_PAGE = 100

/** Writes a complete PDF of US letter pages with a correct table of its objects. */
export function writePdf({ pages, objects = [], catalog = '', trailer = '' }: PdfSource): Buffer {
  const numbered = new Map<number, string | Uint8Array>()
  const kids = pages.map((_, index) => `${FIRST_PAGE + 2 * index} 0 R`).join(' ')
  numbered.set(1, `<</Type/Catalog/Pages 2 0 R ${catalog}>>`)
  numbered.set(2, `<</Type/Pages/Count ${pages.length}/Kids[${kids}]>>`)
  for (const [index, name] of FONTS.entries()) {
    numbered.set(
      3 + index,
      `<</Type/Font/Subtype/Type1/BaseFont/${name}/Encoding/WinAnsiEncoding>>`,
    )
  }
  for (const [index, object] of objects.entries()) numbered.set(FIRST_OBJECT + index, object)
  for (const [index, { content, entries = '', resources = '' }] of pages.entries()) {
    const number = FIRST_PAGE + 2 * index
    const box = entries.includes('/MediaBox') ? '' : '/MediaBox[0 0 612 792]'
    numbered.set(
      number,
      `<</Type/Page/Parent 2 0 R${box}/Contents ${number + 1} 0 R/Resources<<${resources.includes('/Font') ? '' : '/Font<</F1 3 0 R/F2 4 0 R/F3 5 0 R>>'}${resources}>>${entries}>>`,
    )
    numbered.set(number + 1, writeStream('', content))
  }
  return joinObjects(numbered, trailer)
}

/** Writes a stream object. @param entries of its dictionary */
export function writeStream(entries: string, content: string | Uint8Array): Uint8Array {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content
  return Buffer.concat([
    Buffer.from(`<<${entries}/Length ${bytes.length}>>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ])
}

/** Returns operators that show a text. @param at Start of its base line, from the lower left */
export function show(
  text: string,
  at: { x: number; y: number; size?: number; font?: string },
): string {
  return `BT /${at.font ?? 'F1'} ${at.size ?? 10} Tf ${at.x} ${at.y} Td (${text}) Tj ET\n`
}

function joinObjects(objects: Map<number, string | Uint8Array>, trailer: string): Buffer {
  const parts: Uint8Array[] = [Buffer.from('%PDF-1.7\n')]
  let length = parts[0]?.length ?? 0
  const offsets = new Map<number, number>()
  const add = (part: string | Uint8Array) => {
    const bytes = typeof part === 'string' ? Buffer.from(part, 'latin1') : part
    parts.push(bytes)
    length += bytes.length
  }
  for (const [number, object] of objects) {
    offsets.set(number, length)
    add(`${number} 0 obj\n`)
    add(object)
    add('\nendobj\n')
  }
  const start = length
  const size = Math.max(...objects.keys()) + 1
  const entries = Array.from({ length: size }, (_, number) => {
    const offset = offsets.get(number)
    return offset === undefined
      ? '0000000000 65535 f \n'
      : `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  add(
    `xref\n0 ${size}\n${entries.join('')}trailer\n<</Size ${size}/Root 1 0 R${trailer}>>\nstartxref\n${start}\n%%EOF\n`,
  )
  return Buffer.concat(parts)
}
