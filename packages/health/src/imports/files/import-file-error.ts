const MESSAGES = {
  unknown_format: 'The file has no format that can be imported.',
  several_formats:
    'The zip file holds several exports: import each alone, or name one of the formats.',
  wrong_format: 'The file does not have the named format.',
  not_an_export: 'The file is neither an Apple Health export.xml nor an export.zip.',
  no_export_inside: 'The zip file contains no Apple Health export.xml.',
  encrypted: 'The zip file is encrypted.',
  unsupported_zip: 'The zip file uses a compression method that cannot be read.',
  truncated_zip: 'The zip file is truncated.',
  corrupt_zip: 'The zip file is damaged: its content does not match its checksum.',
  truncated_gzip: 'A compressed file is truncated.',
  corrupt_gzip: 'A compressed file is damaged.',
  xml_too_large: 'The export is larger than the limit.',
  file_too_large: 'A file inside is larger than the limit.',
  too_many_files: 'The zip file contains more files than the limit.',
  compressed_too_far: 'The file expands to more than two hundred times its size.',
  malformed_xml: 'The file is not well-formed XML.',
  malformed_json: 'A file inside is not valid JSON.',
  malformed_csv: 'A table has a line that cannot be read, such as an unclosed quote.',
  malformed_database: 'The database in the file is damaged.',
  malformed_file: 'The file is damaged.',
  wrong_encoding: 'The text of the file is neither UTF-8, UTF-16 nor Windows-1252.',
  invalid_template: 'The template cannot be applied.',
  missing_template: 'The template was deleted.',
  unknown_columns: 'The table lacks columns of its format.',
} as const

export type ImportFileErrorCode = keyof typeof MESSAGES

interface Details extends ErrorOptions {
  /** Position of the fault in the text (malformed_xml). */
  byteOffset?: number | undefined
  /** A sentence of our own that adds to the message; it never has content of the file. */
  hint?: string
}

/**
 * The file cannot be read, or not to its end. The message consists of constant sentences, because a
 * file may hold personal words.
 */
export class ImportFileError extends Error {
  readonly code: ImportFileErrorCode
  readonly byteOffset: number | undefined

  constructor(code: ImportFileErrorCode, { byteOffset, hint, ...options }: Details = {}) {
    super(hint === undefined ? MESSAGES[code] : `${MESSAGES[code]} ${hint}`, options)
    this.name = 'ImportFileError'
    this.code = code
    this.byteOffset = byteOffset
  }
}

/** The offset is a position in the XML, not in the ZIP around it. */
export function malformedXml(byteOffset: number): ImportFileError {
  return new ImportFileError('malformed_xml', { byteOffset })
}
