import { parseVendorJson } from '../../connectors/index.ts'
import { ImportFileError } from './import-file-error.ts'

/** Records have some levels; deeper ones overflow the stack of whatever walks through them. */
export const MOST_DEPTH = 100
const [QUOTE, BACKSLASH] = [34, 92]

/**
 * Parses JSON of a file; long whole numbers keep their digits, as in answers of vendors.
 * @throws ImportFileError `malformed_json`, also for more than a hundred levels
 */
export function parseJson(text: string): unknown {
  checkDepth(text)
  return parseFlatJson(text)
}

/** Parses JSON whose levels were counted. @throws ImportFileError `malformed_json` */
export function parseFlatJson(text: string): unknown {
  try {
    return parseVendorJson(text)
  } catch (error) {
    throw new ImportFileError('malformed_json', { cause: error })
  }
}

function checkDepth(text: string): void {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      for (at++; at < text.length && text.charCodeAt(at) !== QUOTE; at++) {
        if (text.charCodeAt(at) === BACKSLASH) at++
      }
      // [ and {, ] and }, which differ in one bit.
    } else if ((code | 32) === 123) {
      if (++depth > MOST_DEPTH) throw new ImportFileError('malformed_json')
    } else if ((code | 32) === 125) depth--
  }
}
