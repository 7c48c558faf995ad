const MESSAGES = {
  not_an_export: 'The file is neither an Apple Health export.xml nor an export.zip.',
  no_export_inside: 'The zip file contains no Apple Health export.xml.',
  encrypted: 'The zip file is encrypted.',
  unsupported_zip: 'The zip file uses a compression method that cannot be read.',
  truncated_zip: 'The zip file is truncated.',
  corrupt_zip: 'The zip file is damaged: its content does not match its checksum.',
  xml_too_large: 'The export is larger than the limit.',
  compressed_too_far: 'The zip file expands to more than two hundred times its size.',
  malformed_xml: 'The export is not well-formed XML.',
} as const

type ExportFileErrorCode = keyof typeof MESSAGES

/**
 * The export cannot be read, or not to its end. The message is constant for each code; `byteOffset`
 * is the position of the fault in the XML (malformed_xml only).
 */
export class ExportFileError extends Error {
  readonly code: ExportFileErrorCode
  readonly byteOffset: number | undefined

  constructor(code: ExportFileErrorCode, byteOffset?: number, options?: ErrorOptions) {
    super(MESSAGES[code], options)
    this.name = 'ExportFileError'
    this.code = code
    this.byteOffset = byteOffset
  }
}

/** The offset is a position in the XML, not in the ZIP around it. */
export function malformedXml(byteOffset: number): ExportFileError {
  return new ExportFileError('malformed_xml', byteOffset)
}
