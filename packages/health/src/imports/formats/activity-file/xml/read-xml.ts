import { SaxesParser } from 'saxes'
import { ImportFileError } from '../../../files/import-file-error.ts'
import type { ImportFile } from '../../../files/import-files.ts'
import { decodeText, encodingOf } from '../../../files/text.ts'

const MOST_DEPTH = 64
/** A million points have about 200 million. */
const MOST_CHARACTERS = 256 << 20
/** No element that is read has a longer text. */
const MOST_TEXT = 4096

/** Elements by their names without a prefix of a namespace. */
export interface XmlHandler {
  open?(name: string, attributes: Readonly<Record<string, string>>, parent: string): void
  /** @param text Text of the element without that of its children, trimmed. */
  close(name: string, text: string, parent: string): void
}

/**
 * Reads an XML file as a stream. A document type, which could declare entities, is refused.
 * @throws ImportFileError `malformed_xml`
 */
export async function readXml(file: ImportFile, handler: XmlHandler): Promise<void> {
  const open: { name: string; text: string }[] = []
  const parser = new SaxesParser()
  const refuse = (cause?: unknown) => {
    throw new ImportFileError('malformed_xml', { cause })
  }
  parser.on('error', (error) => refuse(error))
  parser.on('doctype', () => refuse())
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length >= MOST_DEPTH) refuse()
    const parent = open.at(-1)?.name ?? ''
    const local = localOf(name)
    open.push({ name: local, text: '' })
    handler.open?.(local, attributes, parent)
  })
  const addText = (text: string): void => {
    const current = open.at(-1)
    if (current !== undefined && current.text.length < MOST_TEXT) current.text += text
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    const { name, text } = open.pop() ?? { name: '', text: '' }
    handler.close(name, text.trim().slice(0, MOST_TEXT), open.at(-1)?.name ?? '')
  })
  let [isBegun, length] = [false, 0]
  for await (const chunk of decodeText(file.chunks(), encodingOf(await file.opening()))) {
    // Some uploaders write blanks before the declaration.
    const text: string = isBegun ? chunk : chunk.trimStart()
    isBegun ||= text !== ''
    length += text.length
    // The parser holds a name, an attribute or a comment as a whole.
    if (length > MOST_CHARACTERS) throw new ImportFileError('file_too_large')
    parser.write(text)
  }
  parser.close()
}

const localOf = (name: string): string => name.slice(name.indexOf(':') + 1)

/** Returns the number of a text; undefined for any other text. */
export function numberOf(text: string | undefined): number | undefined {
  const value = text === undefined || text === '' ? Number.NaN : Number(text)
  return Number.isFinite(value) ? value : undefined
}
